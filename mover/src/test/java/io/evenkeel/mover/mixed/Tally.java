package io.evenkeel.mover.mixed;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.ipc.RemoteException;

/** Counts what happened, by names in groups; the table at the end. Thread-safe. */
final class Tally {
  private final Map<String, LongAdder> counts = new ConcurrentSkipListMap<>();

  void count(String group, String name) {
    count(group, name, 1);
  }

  void count(String group, String name, long more) {
    counts.computeIfAbsent(group + " | " + name, k -> new LongAdder()).add(more);
  }

  /** An operation that was not acknowledged. */
  void error(String operation, IOException e) {
    String name =
        e instanceof RemoteException
            ? ((RemoteException) e).getClassName()
            : e.getClass().getName();
    count("not acknowledged", operation + ", " + name.substring(name.lastIndexOf('.') + 1));
  }

  long of(String group, String name) {
    LongAdder count = counts.get(group + " | " + name);
    return count == null ? 0 : count.sum();
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    counts.forEach(
        (name, count) -> text.append("| ").append(name).append(" | ").append(count).append(" |\n"));
    return text.toString();
  }
}
