package io.evenkeel.bench.gameday.round;

import io.evenkeel.bench.gameday.history.Finding;
import io.evenkeel.bench.gameday.schedule.Schedule;
import io.evenkeel.bench.gameday.schedule.Shrinking;
import io.evenkeel.bench.gameday.schedule.Step;
import io.evenkeel.common.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Runs of a schedule with fewer faults. Each has its file, and one that has its file is not run
 * again, so a shrinking that was interrupted goes on where it was. Confined to one thread.
 */
final class ShrinkingRuns implements Shrinking.Round {
  private final Path directory;
  private final Schedule whole;
  private final Set<Finding.Kind> found;
  private final Player player;
  private final Consumer<String> progress;
  private final Map<String, Integer> asked = new HashMap<>();

  /** Plays a schedule. */
  interface Player {
    RoundResult play(Schedule schedule) throws IOException, InterruptedException;
  }

  /**
   * Prepares.
   *
   * @param directory of the files, which exists
   * @param whole schedule with all faults
   * @param found by it: a run with other findings alone does not fail
   */
  ShrinkingRuns(
      Path directory,
      Schedule whole,
      Set<Finding.Kind> found,
      Player player,
      Consumer<String> progress) {
    this.directory = directory;
    this.whole = whole;
    this.found = Set.copyOf(found);
    this.player = player;
    this.progress = progress;
  }

  @Override
  public boolean fails(Schedule schedule) throws IOException, InterruptedException {
    String faults = faults(schedule);
    int run = asked.merge(faults, 1, Integer::sum);
    Path file = directory.resolve(faults + "-run" + run + ".json");
    if (!Files.exists(file)) {
      Path partial = directory.resolve("partial");
      Files.writeString(partial, player.play(schedule).toJson());
      Files.move(partial, file, StandardCopyOption.REPLACE_EXISTING);
    }
    boolean fails = !Collections.disjoint(found, kinds(Files.readString(file)));
    progress.accept(
        file.getFileName() + ": " + (fails ? "" : "no ") + "finding as with all faults");
    return fails;
  }

  /** The kinds of what a round found. */
  static Set<Finding.Kind> kinds(String json) {
    Set<Finding.Kind> kinds = EnumSet.noneOf(Finding.Kind.class);
    for (Object finding : (List<?>) ((Map<?, ?>) Json.parse(json)).get("findings")) {
      kinds.add(Finding.Kind.valueOf(((Map<?, ?>) finding).get("kind").toString()));
    }
    return kinds;
  }

  /** Their numbers in the whole, from 1; "none". */
  private String faults(Schedule schedule) {
    StringBuilder text = new StringBuilder();
    int at = 0;
    for (Step step : schedule.steps()) {
      while (!whole.steps().get(at).equals(step)) {
        at++;
      }
      at++;
      text.append(text.length() == 0 ? "" : "-").append(at);
    }
    return text.length() == 0 ? "none" : text.toString();
  }
}
