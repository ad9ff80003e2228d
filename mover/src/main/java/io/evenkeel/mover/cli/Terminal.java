package io.evenkeel.mover.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;

/** Whether standard error is a terminal, as far as a JVM can tell. Stateless. */
final class Terminal {
  private Terminal() {}

  /**
   * Whether it is: on Linux by where the stream leads, elsewhere by what the launcher says in the
   * property {@code evenkeel.terminal} or the variable {@code EVENKEEL_TERMINAL}.
   */
  static boolean isStandardError() {
    if ("dumb".equals(System.getenv("TERM"))) {
      return false;
    }
    try {
      Path leadsTo = Files.readSymbolicLink(Paths.get("/proc/self/fd/2"));
      return isDevice(leadsTo.toString());
    } catch (IOException | UnsupportedOperationException | SecurityException e) {
      String said = System.getProperty("evenkeel.terminal", System.getenv("EVENKEEL_TERMINAL"));
      return said == null ? System.console() != null : Boolean.parseBoolean(said);
    }
  }

  static boolean isDevice(String path) {
    return path.startsWith("/dev/pts/")
        || path.startsWith("/dev/tty")
        || path.equals("/dev/console");
  }
}
