package io.evenkeel.mover.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * The paths of a list, one a line, read as they are asked for; blank lines and those that start
 * with {@code #} are left out. Blanks around a path belong to it. Not thread-safe.
 */
final class PathLines implements Iterator<String> {
  private final BufferedReader reader;
  private long number;
  private String next;

  PathLines(BufferedReader reader) {
    this.reader = reader;
  }

  /**
   * Whether there is another one; waits for it.
   *
   * @throws UncheckedIOException when the list cannot be read
   */
  @Override
  public boolean hasNext() {
    try {
      while (next == null) {
        String line = reader.readLine();
        if (line == null) {
          return false;
        }
        number++;
        next = line.trim().isEmpty() || line.startsWith("#") ? null : line;
      }
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    String line = next;
    next = null;
    return line;
  }

  /** Number of the line of the last path, from 1. */
  long number() {
    return number;
  }
}
