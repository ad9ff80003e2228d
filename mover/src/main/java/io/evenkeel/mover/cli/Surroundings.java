package io.evenkeel.mover.cli;

import java.io.InputStream;
import java.io.PrintStream;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** What a command reads, prints to and tells the time by. Immutable. */
public final class Surroundings {
  /** Waits. */
  public interface Pause {
    /** Waits so many milliseconds. */
    void millis(long time) throws InterruptedException;
  }

  private final InputStream in;
  private final PrintStream out;
  private final PrintStream err;
  private final boolean terminal;
  private final LongSupplier nanos;
  private final Pause pause;

  private Surroundings(
      InputStream in, PrintStream[] outAndErr, boolean terminal, LongSupplier nanos, Pause pause) {
    this.in = in;
    this.out = outAndErr[0];
    this.err = outAndErr[1];
    this.terminal = terminal;
    this.nanos = nanos;
    this.pause = pause;
  }

  /** These streams, the clock of the system and no terminal. */
  public static Surroundings of(InputStream in, PrintStream out, PrintStream err) {
    return new Surroundings(
        in, new PrintStream[] {out, err}, false, System::nanoTime, TimeUnit.MILLISECONDS::sleep);
  }

  /** Those of this process. */
  public static Surroundings ofThisProcess() {
    return of(System.in, System.out, System.err).terminal(Terminal.isStandardError());
  }

  /** The same with a terminal, or without. */
  public Surroundings terminal(boolean value) {
    return new Surroundings(in, new PrintStream[] {out, err}, value, nanos, pause);
  }

  /** The same with another clock. */
  public Surroundings clock(LongSupplier otherNanos, Pause otherPause) {
    return new Surroundings(in, new PrintStream[] {out, err}, terminal, otherNanos, otherPause);
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
  public boolean isTerminal() {
    return terminal;
  }

  /** As {@link System#nanoTime}. */
  public LongSupplier nanos() {
    return nanos;
  }

  /** Waits. */
  public Pause pause() {
    return pause;
  }
}
