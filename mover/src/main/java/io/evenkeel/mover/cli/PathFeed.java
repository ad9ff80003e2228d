package io.evenkeel.mover.cli;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;

/**
 * All paths a command line names, one after the other: its own, those of local lists, those of
 * standard input. Only a line at a time is in memory. Not thread-safe.
 */
final class PathFeed {
  /** Takes paths. */
  interface Sink {
    /** A path without wildcards. */
    void path(NamedPath path) throws IOException, InterruptedException;

    /** A line of standard input that is no path. */
    void bad(String line, String reason);
  }

  private final MoverOptions options;
  private final InputStream input;

  PathFeed(MoverOptions options, InputStream input) {
    this.options = options;
    this.input = input;
  }

  /** The wildcards of the command line. */
  List<NamedPath> globs() {
    List<NamedPath> globs = new ArrayList<>();
    for (String text : options.given()) {
      NamedPath path = NamedPath.parse(text);
      if (path.isGlob()) {
        globs.add(path);
      }
    }
    return globs;
  }

  /**
   * Reads the local lists to their ends, so that nothing is moved when one of them is bad.
   *
   * @throws CommandException naming the list and the line, or the list that holds no path
   */
  void checkLists() throws IOException {
    for (String list : options.files()) {
      try (BufferedReader reader = open(list)) {
        PathLines lines = new PathLines(reader);
        if (!lines.hasNext()) {
          throw new CommandException(ExitCode.USAGE, "-f: " + list + " holds no path");
        }
        while (lines.hasNext()) {
          parse(lines.next(), list, lines.number());
        }
      } catch (UncheckedIOException e) {
        throw unreadable(list, e);
      }
    }
  }

  private static NamedPath parse(String line, String list, long number) {
    try {
      return NamedPath.parse(line);
    } catch (CommandException e) {
      throw new CommandException(e.exitCode(), list + " line " + number + ": " + e.getMessage(), e);
    }
  }

  /** Hands over all paths that have no wildcards; returns when there is none left. */
  void each(Sink sink) throws IOException, InterruptedException {
    for (String text : options.given()) {
      NamedPath path = NamedPath.parse(text);
      if (!path.isGlob()) {
        sink.path(path);
      }
    }
    for (String list : options.files()) {
      try (BufferedReader reader = open(list)) {
        PathLines lines = new PathLines(reader);
        while (lines.hasNext()) {
          sink.path(parse(lines.next(), list, lines.number()));
        }
      } catch (UncheckedIOException e) {
        throw unreadable(list, e);
      }
    }
    if (options.readsStandardInput()) {
      standardInput(sink);
    }
  }

  private void standardInput(Sink sink) throws IOException, InterruptedException {
    // not closed: it is not ours
    PathLines lines =
        new PathLines(new BufferedReader(new InputStreamReader(input, StandardCharsets.UTF_8)));
    while (lines.hasNext()) {
      String line = lines.next();
      NamedPath path;
      try {
        path = NamedPath.parse(line);
      } catch (CommandException e) {
        sink.bad(line, "line " + lines.number() + " of standard input: " + e.getMessage());
        continue;
      }
      sink.path(path);
    }
  }

  private static BufferedReader open(String list) throws IOException {
    Path file = Paths.get(list);
    if (Files.isDirectory(file)) {
      throw new CommandException(ExitCode.USAGE, "-f: " + list + " is a directory");
    }
    try {
      // a name that is no UTF-8 is an error, not another name
      return Files.newBufferedReader(file, StandardCharsets.UTF_8);
    } catch (NoSuchFileException e) {
      throw new CommandException(ExitCode.NO_SUCH_PATH, "-f: there is no local file " + list, e);
    } catch (AccessDeniedException e) {
      throw new CommandException(ExitCode.DENIED, "-f: " + list + " may not be read", e);
    }
  }

  private static CommandException unreadable(String list, UncheckedIOException e) {
    return new CommandException(
        ExitCode.COULD_NOT_RUN, "-f: " + list + " cannot be read: " + e.getCause(), e);
  }
}
