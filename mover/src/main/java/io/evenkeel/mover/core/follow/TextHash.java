package io.evenkeel.mover.core.follow;

/**
 * Two independent 64-bit hashes of a request's text. Texts that agree in both are taken for equal:
 * among ten million paths that is wrong with a probability below 10^-24. Stateless.
 */
final class TextHash {
  private TextHash() {}

  static long first(int group, byte[] text) {
    long hash = 0xCBF29CE484222325L + group;
    for (byte b : text) {
      hash = (hash ^ (b & 0xFF)) * 0x100000001B3L;
    }
    return mix(hash);
  }

  static long second(int group, byte[] text) {
    long hash = 0x9AE16A3B2F90404FL * (group + 1L) + text.length;
    for (byte b : text) {
      hash = Long.rotateLeft(hash + (b & 0xFF), 23) * 0xC3A5C85C97CB3127L;
    }
    return mix(hash);
  }

  private static long mix(long value) {
    long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
