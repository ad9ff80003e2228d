package io.evenkeel.mover.cli;

import java.io.InputStream;
import java.io.PrintStream;

/** What a command reads and prints to. Immutable. */
public final class Surroundings {
  private final InputStream in;
  private final PrintStream out;
  private final PrintStream err;

  /** Creates it. */
  public Surroundings(InputStream in, PrintStream out, PrintStream err) {
    this.in = in;
    this.out = out;
    this.err = err;
  }

  /** Those of this process. */
  public static Surroundings ofThisProcess() {
    return new Surroundings(System.in, System.out, System.err);
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
}
