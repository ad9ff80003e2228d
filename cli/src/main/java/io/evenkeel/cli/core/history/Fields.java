package io.evenkeel.cli.core.history;

import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * The fields of one event, in whichever of the two encodings it came. In JSON the value of a union
 * stands in an object with the name of its type as the only member. Immutable.
 */
final class Fields {
  private final Map<?, ?> fields;

  private Fields(Map<?, ?> fields) {
    this.fields = fields;
  }

  /** What an event carries; no field when it is no object. */
  static Fields of(Object event) {
    Object inner = unwrapped(event);
    return new Fields(inner instanceof Map ? (Map<?, ?>) inner : Collections.emptyMap());
  }

  private static Object unwrapped(Object value) {
    if (value instanceof Map && ((Map<?, ?>) value).size() == 1) {
      Map.Entry<?, ?> only = ((Map<?, ?>) value).entrySet().iterator().next();
      String type = String.valueOf(only.getKey());
      if (type.startsWith("org.apache.hadoop.") || type.equals("string")) {
        return only.getValue();
      }
    }
    return value;
  }

  /** A text; empty when there is none. */
  String text(String name) {
    Object value = unwrapped(fields.get(name));
    return value == null ? "" : String.valueOf(value);
  }

  /** A number, or {@link Attempt#NOT_KNOWN}. */
  long number(String name) {
    Object value = unwrapped(fields.get(name));
    return value instanceof Number ? ((Number) value).longValue() : Attempt.NOT_KNOWN;
  }

  boolean isTrue(String name) {
    return Boolean.TRUE.equals(fields.get(name));
  }

  /** The counters of a group in a field of counters, added to {@code target}. */
  void counters(String field, String group, Map<String, Long> target) {
    for (Object each : list(Fields.of(fields.get(field)).fields.get("groups"))) {
      Fields one = Fields.of(each);
      if (one.text("name").equals(group)) {
        for (Object counter : list(one.fields.get("counts"))) {
          Fields values = Fields.of(counter);
          target.put(values.text("name"), values.number("value"));
        }
      }
    }
  }

  private static List<?> list(Object value) {
    return value instanceof List ? (List<?>) value : Collections.emptyList();
  }
}
