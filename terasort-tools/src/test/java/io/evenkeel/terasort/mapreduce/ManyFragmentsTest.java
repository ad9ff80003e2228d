package io.evenkeel.terasort.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Blocks of 256 MB by the million: the plan, the client, the shuffle and the reducer. */
class ManyFragmentsTest {
  @TempDir private Path dir;

  @Test
  @Tag("slow")
  void validate_112000Fragments_inASmallHeap() throws IOException, InterruptedException {
    assertThat(run("-Xmx256m", ManyFragments.class, "1120", "100")).contains("112,000 fragments: ");
  }

  @Test
  @Tag("slow")
  void validate_aMillionFragments_inASmallHeap() throws IOException, InterruptedException {
    assertThat(run("-Xmx512m", ManyFragments.class, "1000", "1000"))
        .contains("1,000,000 fragments: ");
  }

  @Test
  @Tag("slow")
  void validate_aMillionFallingFragments_inASmallHeap() throws IOException, InterruptedException {
    assertThat(run("-Xmx512m", ManyFragments.class, "1000", "1000", "falling"))
        .contains("1,000,000 fragments: ");
  }

  @Test
  @Tag("slow")
  void submit_aMillionSplits_inASmallHeap() throws IOException, InterruptedException {
    assertThat(run("-Xmx512m", ManySplits.class, "1000", "1000")).contains("1,000,000 splits: ");
  }

  @Test
  @Tag("once") // says nothing about a Hadoop release
  void submit_100000Splits_inATenthOfTheHeap() throws IOException, InterruptedException {
    assertThat(run("-Xmx72m", ManySplits.class, "100", "1000")).contains("100,000 splits: ");
  }

  private String run(String heap, Class<?> program, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add(heap);
    command.add("-XX:+UseSerialGC"); // what fits does not depend on the machine's cores
    command.add("-XX:+ExitOnOutOfMemoryError");
    for (String name : List.of("java.lang", "java.util", "java.io", "java.net", "java.nio")) {
      command.add("--add-opens=java.base/" + name + "=ALL-UNNAMED");
    }
    String logging = System.getProperty("log4j.configuration");
    if (logging != null) {
      command.add("-Dlog4j.configuration=" + logging);
    }
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(program.getName());
    command.add(dir.toString());
    command.addAll(List.of(arguments));
    File output = dir.resolve("output").toFile();
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output).start();
    boolean ended = process.waitFor(10, TimeUnit.MINUTES);
    process.destroyForcibly();
    String said = Files.readString(output.toPath());
    assertThat(ended && process.exitValue() == 0).as(said).isTrue();
    System.out.print(said);
    return said;
  }
}
