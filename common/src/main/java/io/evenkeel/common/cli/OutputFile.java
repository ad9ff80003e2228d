package io.evenkeel.common.cli;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.Paths;

/** A local file or directory that a command line names, to be written. Stateless. */
public final class OutputFile {
  private OutputFile() {}

  /**
   * Makes sure, as far as can be seen, that a file can be written: better known before the work
   * than after it.
   *
   * @param option that named it
   * @throws CommandException when it cannot; a usage error
   */
  public static void require(String option, String name) {
    String why = whyNot(name);
    if (why != null) {
      throw new CommandException(
          ExitCode.USAGE, option + " " + name + " cannot be written: " + why);
    }
  }

  private static String whyNot(String name) {
    if (name.isEmpty()) {
      return "the name is empty";
    }
    Path file;
    try {
      file = Paths.get(name).toAbsolutePath();
    } catch (InvalidPathException e) {
      return e.getReason();
    }
    Path directory = file.getParent();
    if (Files.isDirectory(file)) {
      return "it is a directory";
    }
    if (!Files.isDirectory(directory)) {
      return "its directory does not exist";
    }
    return Files.isWritable(Files.exists(file) ? file : directory) ? null : "permission denied";
  }

  /** A failure to write the file or directory that an option named. */
  public static CommandException failure(String option, Object name, IOException e) {
    return new CommandException(
        ExitCode.COULD_NOT_RUN, option + " " + name + " cannot be written: " + reason(e), e);
  }

  private static String reason(IOException e) {
    if (e instanceof FileAlreadyExistsException) {
      return "a file is in the way";
    }
    if (e instanceof NoSuchFileException) {
      Path directory = Paths.get(((NoSuchFileException) e).getFile()).toAbsolutePath().getParent();
      return Files.isDirectory(directory)
          ? "it cannot be made there"
          : "its directory does not exist";
    }
    if (e instanceof AccessDeniedException) {
      return "permission denied";
    }
    boolean file = e instanceof FileSystemException;
    String said = file ? ((FileSystemException) e).getReason() : e.getMessage();
    if ("Not a directory".equals(said)) {
      return "a file is in the way";
    }
    return said == null ? e.toString() : said;
  }
}
