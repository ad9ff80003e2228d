package io.evenkeel.volume.core;

/** Available bytes and capacity of a volume. Immutable. */
public final class Space {
  private final long available;
  private final long capacity;

  /**
   * Creates a reading.
   *
   * @param available bytes a new replica may use, 0 or more
   * @param capacity bytes in all; 0 or less when not known
   */
  public Space(long available, long capacity) {
    this.available = available;
    this.capacity = capacity;
  }

  /** Bytes a new replica may use. */
  public long available() {
    return available;
  }

  /** Bytes in all; 0 or less when not known. */
  public long capacity() {
    return capacity;
  }
}
