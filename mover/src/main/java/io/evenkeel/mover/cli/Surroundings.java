package io.evenkeel.mover.cli;

import java.io.InputStream;
import java.io.PrintStream;

/** What a command reads and prints to. Immutable. */
public final class Surroundings {
  private final InputStream in;
  private final PrintStream out;
  private final PrintStream err;
  private final boolean terminal;

  private Surroundings(InputStream in, PrintStream out, PrintStream err, boolean terminal) {
    this.in = in;
    this.out = out;
    this.err = err;
    this.terminal = terminal;
  }

  /** These streams and no terminal. */
  public static Surroundings of(InputStream in, PrintStream out, PrintStream err) {
    return new Surroundings(in, out, err, false);
  }

  /** Those of this process. */
  public static Surroundings ofThisProcess() {
    return new Surroundings(System.in, System.out, System.err, Terminal.isStandardError());
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
