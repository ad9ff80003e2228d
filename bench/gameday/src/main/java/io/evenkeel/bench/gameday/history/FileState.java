package io.evenkeel.bench.gameday.history;

/**
 * What a file may be: its bytes are the first of {@code content}, at least {@code acknowledged} of
 * them. Immutable.
 *
 * @param content all that was acknowledged or attempted
 * @param acknowledged so many bytes have to be there, 0 to the length of the content
 */
record FileState(Content content, long acknowledged, Wanted wanted) {

  FileState {
    if (acknowledged < 0 || acknowledged > content.length()) {
      throw new IllegalArgumentException(acknowledged + " acknowledged bytes of " + content);
    }
  }

  boolean certain() {
    return acknowledged == content.length();
  }

  FileState attempted(long bytes) {
    return new FileState(content.grown(bytes), acknowledged, wanted);
  }

  FileState acknowledged(long bytes) {
    return new FileState(content, bytes, wanted);
  }

  FileState allAcknowledged() {
    return acknowledged(content.length());
  }

  /** The first bytes and no others; {@code next} is the source of those appended later. */
  FileState cut(long length, Source next) {
    return new FileState(content.cut(length, next), length, wanted);
  }

  FileState with(Wanted other) {
    return new FileState(content, acknowledged, other);
  }
}
