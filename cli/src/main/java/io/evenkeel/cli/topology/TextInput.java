package io.evenkeel.cli.topology;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.function.Consumer;

/** A file, or standard input where the name is {@code -}. Immutable. */
public final class TextInput {
  private static final String STANDARD_INPUT = "-";

  private final String name;
  private final InputStream standardInput;

  /** Creates it; nothing is opened yet. */
  public TextInput(String name, InputStream standardInput) {
    this.name = name;
    this.standardInput = standardInput;
  }

  /** What it is, in words. */
  public String description() {
    return isStandardInput() ? "standard input" : name;
  }

  /**
   * Hands on line after line; bytes that are not UTF-8 are replaced, as paths may hold any.
   *
   * @throws CommandException when it cannot be read
   */
  public void lines(Consumer<String> consumer) {
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(open(), StandardCharsets.UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        consumer.accept(line);
      }
    } catch (IOException e) {
      throw new CommandException(
          ExitCode.COULD_NOT_RUN, description() + " cannot be read: " + e.getMessage(), e);
    }
  }

  private InputStream open() throws IOException {
    require();
    return isStandardInput() ? standardInput : Files.newInputStream(new File(name).toPath());
  }

  /** Whether it is standard input. */
  public boolean isStandardInput() {
    return STANDARD_INPUT.equals(name);
  }

  /**
   * Makes sure, as far as can be seen without opening it, that it can be read.
   *
   * @throws CommandException when it cannot
   */
  public void require() {
    if (isStandardInput()) {
      return;
    }
    File file = new File(name);
    if (file.isDirectory()) {
      throw new CommandException(ExitCode.NO_SUCH_PATH, name + " is a directory; give a file");
    }
    if (!file.exists()) {
      throw new CommandException(ExitCode.NO_SUCH_PATH, name + ": no such file");
    }
    if (!file.canRead()) {
      throw new CommandException(ExitCode.DENIED, name + " may not be read");
    }
  }
}
