package io.evenkeel.cli.locks.core;

import io.evenkeel.cli.core.BeanRow;
import java.net.URI;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What one DataNode answered: its locks, that it has the stock dataset, or nothing. Immutable. */
public final class DataNodeLocks {
  private static final Pattern INSTANCE = Pattern.compile("[:,]instance=(\\d+)");

  private final URI uri;
  private final String error;
  private final boolean stock;
  private final BeanRow plugin;
  private final BeanRow bean;

  private DataNodeLocks(URI uri, String error, boolean stock, Map<?, ?> plugin, Map<?, ?> bean) {
    this.uri = Objects.requireNonNull(uri);
    this.error = error;
    this.stock = stock;
    this.plugin = new BeanRow(plugin);
    this.bean = new BeanRow(bean);
  }

  /** A DataNode that did not answer; the error is one line. */
  public static DataNodeLocks silent(URI uri, String error) {
    Map<String, Object> none = Collections.emptyMap();
    return new DataNodeLocks(uri, Objects.requireNonNull(error), false, none, none);
  }

  /**
   * A DataNode that answered and has the stock dataset.
   *
   * @param plugin what the factory of this project says of itself; empty where it is not loaded
   */
  public static DataNodeLocks stock(URI uri, Map<String, Object> plugin) {
    return new DataNodeLocks(uri, null, true, plugin, Collections.<String, Object>emptyMap());
  }

  /** A DataNode that locks by block; attributes by name. */
  public static DataNodeLocks of(URI uri, Map<String, Object> bean) {
    return new DataNodeLocks(uri, null, false, Collections.<String, Object>emptyMap(), bean);
  }

  /** Web address. */
  public URI uri() {
    return uri;
  }

  /** {@code host:port}, with the number of the DataNode where its JVM has several. */
  public String address() {
    return uri.getAuthority() + (instance() == 1 ? "" : " (" + instance() + ")");
  }

  /** 1, or the number of the DataNode in a JVM that has several. */
  public int instance() {
    Matcher m = INSTANCE.matcher(bean.text("name"));
    return m.find() ? Integer.parseInt(m.group(1)) : 1;
  }

  /** Whether there was an answer. */
  public boolean hasAnswered() {
    return error == null;
  }

  /** Why there was no answer; null when there was one. */
  public String error() {
    return error;
  }

  /** Whether it locks by block. */
  public boolean locksByBlock() {
    return hasAnswered() && !stock;
  }

  /** {@code active}, {@code fallback} where the factory uses stock's dataset, or {@code stock}. */
  public String state() {
    if (locksByBlock()) {
      return "active";
    }
    return plugin.text("State").isEmpty() ? "stock" : plugin.text("State");
  }

  /** Why the stock dataset is used, where the factory says so; may be empty. */
  public String reason() {
    return plugin.text("Reason");
  }

  /** The attributes of the bean. */
  public BeanRow bean() {
    return bean;
  }

  /** Who holds a lock, the longest first. */
  public List<BeanRow> holders() {
    return bean.rows("Holders");
  }

  /** Whether a holder has held its lock for longer than the DataNode calls slow. */
  public boolean isSlow(BeanRow holder) {
    Number held = holder.number("heldMillis");
    Number limit = bean.positive("SlowHoldMillis");
    return held != null && limit != null && held.longValue() >= limit.longValue();
  }

  /** Times per operation and volume. */
  public List<BeanRow> operations() {
    return bean.rows("Operations");
  }
}
