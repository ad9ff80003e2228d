package io.evenkeel.cli.doctor;

/** Lets time pass between two rounds; replaced in tests. */
public interface Pause {
  /** Waits. */
  void seconds(int seconds) throws InterruptedException;
}
