package io.evenkeel.cli.doctor;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
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
    Process process = null;
    try {
      process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      process.getOutputStream().close();
      FutureTask<List<String>> reading = reading(process);
      List<String> words = reading.get(limitMillis, TimeUnit.MILLISECONDS);
      if (!process.waitFor(limitMillis, TimeUnit.MILLISECONDS)) {
        throw new TimeoutException();
      }
      int code = process.exitValue();
      if (code != 0) {
        throw failure("ended with " + code, null);
      }
      return words;
    } catch (IOException e) {
      throw failure("cannot be run: " + e.getMessage(), e);
    } catch (ExecutionException e) {
      throw failure("cannot be read: " + e.getCause().getMessage(), e);
    } catch (TimeoutException e) {
      throw failure(String.format(Locale.ROOT, "did not end within %,d ms", limitMillis), e);
    } finally {
      if (process != null) {
        process.destroy();
      }
    }
  }

  /** Reads what it prints in another thread, as a read cannot be ended. */
  private static FutureTask<List<String>> reading(Process process) {
    FutureTask<List<String>> reading = new FutureTask<>(() -> words(process.getInputStream()));
    Thread thread = new Thread(reading, "evenkeel-script");
    thread.setDaemon(true); // a child of the script may hold its output open
    thread.start();
    return reading;
  }

  private static List<String> words(InputStream output) throws IOException {
    List<String> words = new ArrayList<>();
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(output, StandardCharsets.UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        String text = line.trim();
        words.addAll(text.isEmpty() ? new ArrayList<>() : Arrays.asList(text.split("\\s+")));
      }
    }
    return words;
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
