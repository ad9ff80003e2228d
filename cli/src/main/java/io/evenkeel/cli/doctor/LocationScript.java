package io.evenkeel.cli.doctor;

import io.evenkeel.cli.tools.ChildProcess;
import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/**
 * A program that tells network locations, as {@code net.topology.script.file.name} names one: run
 * with addresses as arguments, it prints a location for each. Apart from {@link Places}: how a
 * program is run is a matter of its own. Immutable.
 */
final class LocationScript {
  /** Hadoop's default of {@code net.topology.script.number.args}. */
  private static final int ARGUMENTS = 100;

  private final String script;
  private final long limitMillis;

  /**
   * Creates it.
   *
   * @param limitMillis how long one run of it may take, in milliseconds
   */
  LocationScript(String script, long limitMillis) {
    this.script = script;
    this.limitMillis = limitMillis;
  }

  /**
   * The locations of addresses; what the script says on standard error goes there.
   *
   * @throws CommandException when it fails or does not print a location for each
   */
  Map<String, String> of(Collection<String> addresses) throws InterruptedException {
    List<String> all = new ArrayList<>(addresses);
    Map<String, String> locations = new LinkedHashMap<>();
    for (int from = 0; from < all.size(); from += ARGUMENTS) {
      List<String> batch = all.subList(from, Math.min(all.size(), from + ARGUMENTS));
      List<String> answers = run(batch);
      if (answers.size() != batch.size()) {
        throw failure(
            "printed " + answers.size() + " locations for " + batch.size() + " addresses", null);
      }
      for (int i = 0; i < batch.size(); i++) {
        locations.put(batch.get(i), checked(answers.get(i)));
      }
    }
    return locations;
  }

  private List<String> run(List<String> batch) throws InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(script);
    command.addAll(batch);
    try {
      ChildProcess.Answer answer = ChildProcess.answer(new ProcessBuilder(command), limitMillis);
      if (answer.code() != 0) {
        throw failure("ended with " + answer.code(), null);
      }
      String all = String.join(" ", answer.lines()).trim();
      return all.isEmpty() ? new ArrayList<>() : Arrays.asList(all.split("\\s+"));
    } catch (IOException e) {
      throw failure("cannot be run: " + e.getMessage(), e);
    } catch (TimeoutException e) {
      throw failure(String.format(Locale.ROOT, "did not end within %,d ms", limitMillis), e);
    }
  }

  /** As Hadoop takes it: a slash at the end says nothing. */
  private String checked(String text) {
    String location = text.replaceAll("/+$", "");
    if (!location.matches("(/[^/\\s]+)+")) {
      throw failure("printed '" + text + "', which is no network location", null);
    }
    return location;
  }

  private CommandException failure(String what, Exception cause) {
    return new CommandException(ExitCode.COULD_NOT_RUN, "--script " + script + " " + what, cause);
  }
}
