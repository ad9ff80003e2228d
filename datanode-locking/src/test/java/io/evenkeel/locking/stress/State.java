package io.evenkeel.locking.stress;

/**
 * What the model knows of one replica.
 *
 * @param kind stock's replica state, or {@link Kind#ABSENT}
 * @param gs generation stamp
 * @param len bytes received (and on disk: a packet is written whole or not at all)
 * @param acked bytes acknowledged, the length a writer was promised
 * @param volume index of the volume
 * @param writer thread that writes to it, -1 when nobody does
 * @param meta whether the checksum file exists: a writer makes it with its first packet
 * @param recoveryId of a replica under recovery
 */
record State(
    Kind kind,
    long gs,
    long len,
    long acked,
    int volume,
    int writer,
    boolean meta,
    long recoveryId) {

  /** Stock's replica states without RWR, which only a restart makes. */
  enum Kind {
    ABSENT,
    TEMPORARY,
    RBW,
    FINALIZED,
    RUR
  }

  static final State ABSENT = new State(Kind.ABSENT, 0, 0, 0, -1, -1, false, 0);

  static State created(Kind kind, long gs, int volume, int writer) {
    return new State(kind, gs, 0, 0, volume, writer, false, 0);
  }

  boolean absent() {
    return kind == Kind.ABSENT;
  }

  boolean inPipeline() {
    return kind == Kind.TEMPORARY || kind == Kind.RBW;
  }

  State finalized(long newGs, long newLen) {
    return new State(Kind.FINALIZED, newGs, newLen, newLen, volume, -1, true, 0);
  }

  State reopened(long newGs, long length, int newWriter) {
    return new State(Kind.RBW, newGs, length, length, volume, newWriter, true, 0);
  }

  State recovering(long id) {
    return new State(Kind.RUR, gs, len, acked, volume, -1, meta, id);
  }

  State bumped(long newGs) {
    return new State(kind, newGs, len, acked, volume, writer, meta, recoveryId);
  }

  State written(long newLen, long newAcked) {
    return new State(kind, gs, newLen, newAcked, volume, writer, true, 0);
  }

  State moved(int target) {
    return new State(kind, gs, len, acked, target, writer, meta, 0);
  }

  /** Whether what was found in the map is this state; nobody outside sees the writer. */
  boolean shows(State seen) {
    if (absent() || seen.absent()) {
      return kind == seen.kind;
    }
    boolean same = kind == seen.kind && gs == seen.gs && len == seen.len && volume == seen.volume;
    return same
        && meta == seen.meta
        && (!inPipeline() || acked == seen.acked)
        && (kind != Kind.RUR || recoveryId == seen.recoveryId);
  }
}
