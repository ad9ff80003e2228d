package io.evenkeel.common.config;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The parsed values of one module, read once and immutable. Made by {@link KeyTable#readOrFail}.
 */
public final class Settings {
  private final Map<String, Object> values;
  private final Map<String, String> texts;
  private final Map<String, String> defaults;
  private final Map<String, Map<String, Object>> byPattern;

  /** {@code byPattern}: for each key with a {@code *}, the values by what stands in its place. */
  Settings(
      Map<String, Object> values,
      Map<String, String> texts,
      Map<String, String> defaults,
      Map<String, Map<String, Object>> byPattern) {
    this.values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    this.byPattern = new LinkedHashMap<>(byPattern);
    this.texts = Collections.unmodifiableMap(new LinkedHashMap<>(texts));
    this.defaults = Collections.unmodifiableMap(new LinkedHashMap<>(defaults));
  }

  /**
   * The value of a key, its default when it was not set.
   *
   * @throws IllegalArgumentException when the key is not in the table these settings came from
   */
  @SuppressWarnings("unchecked")
  public <T> T get(Key<T> key) {
    Object value = values.get(key.name());
    if (value == null) {
      throw new IllegalArgumentException(key + " is not in this module's key table");
    }
    return (T) value;
  }

  /** The values set for a key with a {@code *}, by what stands in its place; empty when none is. */
  @SuppressWarnings("unchecked")
  public <T> Map<String, T> matching(Key<T> key) {
    Map<String, T> found = new LinkedHashMap<>();
    byPattern
        .getOrDefault(key.name(), Collections.emptyMap())
        .forEach((part, value) -> found.put(part, (T) value));
    return found;
  }

  /** Every value in force as text, by key name in table order. */
  public Map<String, String> inForce() {
    return texts;
  }

  /** The default of every key that has one, as text. */
  public Map<String, String> defaults() {
    return defaults;
  }
}
