package io.evenkeel.common.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.function.Consumer;

/**
 * Whether what a command printed was written: Java's own stream keeps quiet about a full disk.
 * Stateless.
 */
public final class StandardOutput {
  private StandardOutput() {}

  /**
   * To be asked at the end of a process.
   *
   * @param code what it would end with
   * @param tell gets one line when standard output could not be written
   * @return that code, or another when something is missing from a file; a reader that has seen
   *     enough and went away, as {@code head} does, changes nothing
   */
  public static int checked(int code, Consumer<String> tell) {
    return checked(code, System.out, new FileOutputStream(FileDescriptor.out), isPipe(), tell);
  }

  /** For tests: {@code raw} is what {@code out} writes to. */
  static int checked(
      int code, PrintStream out, FileOutputStream raw, boolean pipe, Consumer<String> tell) {
    if (!out.checkError()) {
      return code;
    }
    String why = "not all of it was written";
    try {
      raw.write('\n'); // only to hear the reason again
    } catch (IOException e) {
      why = e.getMessage();
    }
    if (pipe || why.contains("roken pipe")) {
      return code;
    }
    tell.accept("standard output cannot be written: " + why);
    return ExitCode.COULD_NOT_RUN.code();
  }

  private static boolean isPipe() {
    try {
      Path target = Files.readSymbolicLink(Paths.get("/proc/self/fd/1"));
      return target.toString().matches("(pipe|socket):.*");
    } catch (IOException e) {
      return false; // no such system; the reason says it
    }
  }
}
