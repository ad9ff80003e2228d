package io.evenkeel.bench.tera;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reads from the logs of tasks how long they ran once their JVM was up: a job history counts from
 * the launch of the container, and so the start of the JVM, which is the same for every validator.
 * Stateless.
 */
final class TaskLogs {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss,SSS");
  private static final int TIME_LENGTH = 23;
  private static final Pattern DONE = Pattern.compile("Task '?attempt_\\w+_m_\\w+'? done\\.");

  private TaskLogs() {}

  /**
   * The sum over the map tasks of an application, from the first line of the task's log to the line
   * that says it is done, in seconds.
   *
   * @param logs the log directory of the NodeManager
   * @throws IOException also when there are not exactly {@code maps} logs of map tasks
   */
  static double mapSeconds(Path logs, String application, int maps) throws IOException {
    List<Path> files;
    try (Stream<Path> tree = Files.walk(logs.resolve(application))) {
      files = tree.filter(file -> file.endsWith("syslog")).collect(Collectors.toList());
    }
    int found = 0;
    double seconds = 0;
    for (Path file : files) {
      List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
      for (String line : lines) {
        Matcher done = DONE.matcher(line);
        if (done.find()) {
          found++;
          seconds += Duration.between(time(lines.get(0)), time(line)).toMillis() / 1e3;
        }
      }
    }
    if (found != maps) {
      throw new IOException(found + " logs of map tasks, not " + maps + ", in " + files);
    }
    return seconds;
  }

  private static LocalDateTime time(String line) {
    return LocalDateTime.parse(line.substring(0, TIME_LENGTH), TIME);
  }
}
