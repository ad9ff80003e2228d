package io.evenkeel.bench.demo;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.log4j.Logger;

/** What a section of the demo and the frame of it in the report have in common. Stateless. */
final class DemoSection {
  private DemoSection() {}

  /** Runs a comparison and says what it found, by members of the report's schema. */
  interface Comparison {
    Map<String, Object> run() throws IOException, InterruptedException;
  }

  /**
   * Runs a section and returns it in the schema of the report; a failure is a section as well.
   *
   * @param id what {@code --only} calls it
   * @param what it is about, as progress names it
   */
  static Map<String, Object> run(
      String id, String title, String what, Progress progress, Comparison comparison)
      throws InterruptedException {
    double begin = progress.elapsedSeconds();
    Map<String, Object> section = new LinkedHashMap<>();
    section.put("id", id);
    section.put("title", title);
    try {
      Map<String, Object> found = comparison.run();
      section.put("status", "done");
      section.put("reason", "");
      section.putAll(found);
    } catch (IOException | RuntimeException | LinkageError e) {
      Logger.getLogger(DemoSection.class).error("section " + id + " failed", e);
      progress.done(what + ": failed, " + e);
      section.put("status", "failed");
      section.put("reason", e.toString());
    }
    section.put("seconds", Math.round(progress.elapsedSeconds() - begin));
    return section;
  }
}
