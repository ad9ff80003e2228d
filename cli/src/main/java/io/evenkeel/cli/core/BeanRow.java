package io.evenkeel.cli.core;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * The attributes of one object a daemon shows in JMX. One that an older plugin does not have reads
 * as unknown. Immutable.
 */
public class BeanRow {
  private final Map<?, ?> attributes;

  /** Wraps one bean, or one object of a bean's list; it is not changed afterwards. */
  public BeanRow(Map<?, ?> attributes) {
    this.attributes = attributes;
  }

  /** Wraps what another wraps. */
  protected BeanRow(BeanRow row) {
    this(row.attributes);
  }

  /** Whether it has no attribute at all. */
  public final boolean isEmpty() {
    return attributes.isEmpty();
  }

  /** The value as text, empty when it is not there. */
  public final String text(String attribute) {
    Object value = attributes.get(attribute);
    return value == null ? "" : String.valueOf(value);
  }

  /** The value, null when it is not there or no number. */
  public final Number number(String attribute) {
    Object value = attributes.get(attribute);
    return value instanceof Number ? (Number) value : null;
  }

  /** The value, null when it is not there or negative, which says that it is not known. */
  public final Number known(String attribute) {
    Number value = number(attribute);
    return value == null || value.doubleValue() < 0 ? null : value;
  }

  /** The value of a number that is unknown at 0 as well, such as a capacity. */
  public final Number positive(String attribute) {
    Number value = number(attribute);
    return value == null || value.doubleValue() <= 0 ? null : value;
  }

  /** The lines of a list of text, empty when it is not there. */
  public final List<String> lines(String attribute) {
    List<String> lines = new ArrayList<>();
    for (Object line : list(attribute)) {
      lines.add(String.valueOf(line));
    }
    return lines;
  }

  /** The object an attribute is, empty when it is not there. */
  public final BeanRow row(String attribute) {
    Object value = attributes.get(attribute);
    return new BeanRow(value instanceof Map ? (Map<?, ?>) value : Collections.emptyMap());
  }

  /** The objects of a list, empty when it is not there. */
  public final List<BeanRow> rows(String attribute) {
    List<BeanRow> rows = new ArrayList<>();
    for (Object row : list(attribute)) {
      if (row instanceof Map) {
        rows.add(new BeanRow((Map<?, ?>) row));
      }
    }
    return rows;
  }

  private List<?> list(String attribute) {
    Object value = attributes.get(attribute);
    return value instanceof List ? (List<?>) value : new ArrayList<>();
  }
}
