package io.evenkeel.locking.core;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Tells several listeners, in the order given. Immutable and as thread-safe as they are. */
public final class LockEventsGroup implements LockEvents {
  private final List<LockEvents> listeners;

  /** Tells all of these. */
  public LockEventsGroup(List<? extends LockEvents> listeners) {
    this.listeners = Collections.unmodifiableList(new ArrayList<>(listeners));
  }

  @Override
  public void waits(Operation waiter, Operation holder) {
    for (LockEvents each : listeners) {
      each.waits(waiter, holder);
    }
  }

  @Override
  public void acquired(Operation operation) {
    for (LockEvents each : listeners) {
      each.acquired(operation);
    }
  }

  @Override
  public void released(Operation operation) {
    for (LockEvents each : listeners) {
      each.released(operation);
    }
  }

  @Override
  public void broken(Operation operation, String rule) {
    for (LockEvents each : listeners) {
      each.broken(operation, rule);
    }
  }
}
