package io.evenkeel.volume.core;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;

/**
 * A map with keys compared by identity and held weakly: an entry goes when nobody else refers to
 * its key. Values must not refer to their key.
 *
 * <p>Not thread-safe: the owner guards it.
 */
final class WeakIdentityMap<K, V> {
  private final Map<Object, V> entries = new HashMap<>();
  private final ReferenceQueue<K> dropped = new ReferenceQueue<>();
  private final Probe probe = new Probe();

  /** The value of a key, or null. */
  V get(K key) {
    probe.key = key;
    try {
      return entries.get(probe);
    } finally {
      probe.key = null;
    }
  }

  /** Adds an entry for a key that has none. */
  void put(K key, V value) {
    forgetDropped();
    entries.put(new Ref<>(key, dropped), value);
  }

  /** Number of entries whose keys are still referred to, as far as the collector has told. */
  int size() {
    forgetDropped();
    return entries.size();
  }

  private void forgetDropped() {
    for (Reference<? extends K> ref = dropped.poll(); ref != null; ref = dropped.poll()) {
      entries.remove(ref);
    }
  }

  /** A reusable stand-in for a key that is looked up, so that a look-up allocates nothing. */
  private static final class Probe {
    Object key;

    @Override
    public int hashCode() {
      return System.identityHashCode(key);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Ref && ((Ref<?>) other).get() == key;
    }
  }

  private static final class Ref<K> extends WeakReference<K> {
    private final int hash;

    Ref(K key, ReferenceQueue<K> queue) {
      super(key, queue);
      this.hash = System.identityHashCode(key);
    }

    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    public boolean equals(Object other) {
      return this == other;
    }
  }
}
