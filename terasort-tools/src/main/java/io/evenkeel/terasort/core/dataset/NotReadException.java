package io.evenkeel.terasort.core.dataset;

/** Bytes of the listing were not read exactly once, so there is no verdict. */
public final class NotReadException extends Exception {
  private static final long serialVersionUID = 1L;

  NotReadException(InputFile file, long from, long to) {
    super(
        to >= from
            ? "bytes " + from + " to " + to + " of " + file + " were not read"
            : "bytes "
                + to
                + " to "
                + from
                + " of "
                + file
                + " were read twice or are not its own");
  }
}
