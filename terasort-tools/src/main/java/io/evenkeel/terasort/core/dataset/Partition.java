package io.evenkeel.terasort.core.dataset;

import io.evenkeel.terasort.core.record.Fragment;

/** One file after all of it was checked. Immutable. */
public final class Partition {
  private final InputFile file;
  private final Fragment whole;

  Partition(InputFile file, Fragment whole) {
    this.file = file;
    this.whole = whole;
  }

  /** The file. */
  public InputFile file() {
    return file;
  }

  /** All of its bytes; {@code tail} is not empty when the file is truncated. */
  public Fragment whole() {
    return whole;
  }
}
