package io.evenkeel.cli.locks.core;

import io.evenkeel.cli.core.BeanRow;
import io.evenkeel.cli.datanodes.core.DataNodeAnswer;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What one DataNode answered: its locks, that it has the stock dataset, or nothing. Immutable. */
public final class DataNodeLocks extends DataNodeAnswer {
  private static final String LOCKS = "io.evenkeel:type=Locks,module=locking";
  private static final String PLUGIN = "io.evenkeel:type=Plugin,module=locking,";
  private static final Map<String, Object> NONE = Collections.emptyMap();

  private final BeanRow plugin;

  private DataNodeLocks(URI uri, String error, Map<?, ?> plugin, Map<?, ?> bean) {
    super(uri, error, bean);
    this.plugin = new BeanRow(plugin);
  }

  /** A DataNode that did not answer; the error is one line. */
  public static DataNodeLocks silent(URI uri, String error) {
    return new DataNodeLocks(uri, Objects.requireNonNull(error), NONE, NONE);
  }

  /**
   * DataNodes that answered: those that lock by block, or one that has the stock dataset.
   *
   * @param beans of all plugins, attributes by name
   */
  public static List<DataNodeLocks> of(URI uri, List<Map<String, Object>> beans) {
    List<DataNodeLocks> found = new ArrayList<>();
    live(beans, LOCKS).forEach(bean -> found.add(new DataNodeLocks(uri, null, NONE, bean)));
    if (found.isEmpty()) {
      Map<String, Object> plugin = NONE;
      for (Map<String, Object> bean : beans) {
        plugin = isNamed(bean, PLUGIN) ? bean : plugin;
      }
      found.add(new DataNodeLocks(uri, null, plugin, NONE));
    }
    return found;
  }

  /** {@code active}, {@code fallback} where the factory uses stock's dataset, or {@code stock}. */
  public String state() {
    if (hasBean()) {
      return "active";
    }
    return plugin.text("State").isEmpty() ? "stock" : plugin.text("State");
  }

  /** Why the stock dataset is used, where the factory says so; may be empty. */
  public String reason() {
    return plugin.text("Reason");
  }

  /** Who holds a lock, the longest first. */
  public List<BeanRow> holders() {
    return bean().rows("Holders");
  }

  /** Whether a holder has held its lock for longer than the DataNode calls slow. */
  public boolean isSlow(BeanRow holder) {
    Number held = holder.number("heldMillis");
    Number limit = bean().positive("SlowHoldMillis");
    return held != null && limit != null && held.longValue() >= limit.longValue();
  }
}
