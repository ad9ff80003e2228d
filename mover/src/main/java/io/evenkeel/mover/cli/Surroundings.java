package io.evenkeel.mover.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Paths;

/** What a command reads and prints to. Immutable. */
public final class Surroundings {
  private final InputStream in;
  private final PrintStream out;
  private final PrintStream err;
  private final boolean terminal;

  /** Creates it; {@code terminal} says whether what is printed to {@code err} is seen by people. */
  public Surroundings(InputStream in, PrintStream out, PrintStream err, boolean terminal) {
    this.in = in;
    this.out = out;
    this.err = err;
    this.terminal = terminal;
  }

  /** Those of this process. */
  public static Surroundings ofThisProcess() {
    return new Surroundings(System.in, System.out, System.err, isErrTerminal());
  }

  /**
   * As far as a JVM can tell: on Linux by where standard error leads, elsewhere by what the
   * launcher says in the property {@code evenkeel.terminal} or the variable {@code
   * EVENKEEL_TERMINAL}.
   */
  private static boolean isErrTerminal() {
    if ("dumb".equals(System.getenv("TERM"))) {
      return false;
    }
    try {
      String leadsTo = Files.readSymbolicLink(Paths.get("/proc/self/fd/2")).toString();
      return leadsTo.startsWith("/dev/pts/")
          || leadsTo.startsWith("/dev/tty")
          || leadsTo.equals("/dev/console");
    } catch (IOException | UnsupportedOperationException | SecurityException e) {
      String said = System.getProperty("evenkeel.terminal", System.getenv("EVENKEEL_TERMINAL"));
      return said == null ? System.console() != null : Boolean.parseBoolean(said);
    }
  }

  /** Standard input. */
  public InputStream in() {
    return in;
  }

  /** Where results go. */
  public PrintStream out() {
    return out;
  }

  /** Where all else goes. */
  public PrintStream err() {
    return err;
  }

  /** Whether a line that was printed to {@link #err} can be written over. */
  boolean isTerminal() {
    return terminal;
  }
}
