package io.evenkeel.common.config;

import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Function;

/**
 * One configuration key: its name, default, unit, allowed range and what it does.
 *
 * <p>A name may hold one {@code *} in place of a segment chosen by the operator, as in {@code
 * evenkeel.volume.class.*.dirs}; such keys are read with {@link Settings#matching}. Immutable.
 *
 * @param <T> type of the parsed value
 */
public final class Key<T> {
  private final String name;
  private final String defaultText;
  private final String range;
  private final String doc;
  private final Function<String, T> parser;

  private Key(String name, String defaultText, String range, String doc, Function<String, T> p) {
    this.name = Objects.requireNonNull(name);
    this.defaultText = Objects.requireNonNull(defaultText);
    this.range = Objects.requireNonNull(range);
    this.doc = Objects.requireNonNull(doc);
    this.parser = Objects.requireNonNull(p);
    if (!isPattern()) {
      parse(defaultText); // a default outside its own range is a programming error
    }
  }

  /** A key that is {@code true} or {@code false}. */
  public static Key<Boolean> bool(String name, boolean defaultValue, String doc) {
    return new Key<>(name, String.valueOf(defaultValue), "true | false", doc, Key::parseBoolean);
  }

  /** A whole number between {@code min} and {@code max}, both included. */
  public static Key<Long> number(String name, long defaultValue, long min, long max, String doc) {
    return new Key<>(
        name,
        String.valueOf(defaultValue),
        min + ".." + max,
        doc,
        text -> within(Long.valueOf(text), min, max));
  }

  /** A decimal number between {@code min} and {@code max}, both included. */
  public static Key<Double> decimal(
      String name, double defaultValue, double min, double max, String doc) {
    return new Key<>(
        name,
        String.valueOf(defaultValue),
        min + ".." + max,
        doc,
        text -> within(Double.valueOf(text), min, max));
  }

  /** A duration such as {@code 500ms}, {@code 30s}, {@code 5m}; bounds in the same notation. */
  public static Key<Duration> duration(
      String name, String defaultText, String min, String max, String doc) {
    return new Key<>(
        name,
        defaultText,
        min + ".." + max + " (ms, s, m, h, d)",
        doc,
        text -> within(Units.duration(text), Units.duration(min), Units.duration(max)));
  }

  /** A number of bytes such as {@code 64k} or {@code 10g}; bounds in the same notation. */
  public static Key<Long> size(
      String name, String defaultText, String min, String max, String doc) {
    return new Key<>(
        name,
        defaultText,
        min + ".." + max + " (bytes; k, m, g, t)",
        doc,
        text -> within(Units.bytes(text), Units.bytes(min), Units.bytes(max)));
  }

  /** One of the given words; the first is the default. */
  public static Key<String> choice(String name, String doc, String... values) {
    return new Key<>(name, values[0], String.join(" | ", values), doc, text -> oneOf(text, values));
  }

  /** Free text; {@code range} says in words what is meaningful. */
  public static Key<String> text(String name, String defaultText, String range, String doc) {
    return new Key<>(name, defaultText, range, doc, Function.identity());
  }

  /** Full name, for example {@code evenkeel.volume.unknown-keys}. */
  public String name() {
    return name;
  }

  /** Default as an operator would write it; empty when there is none. */
  public String defaultText() {
    return defaultText;
  }

  /** Allowed values, in words. */
  public String range() {
    return range;
  }

  /** What the key does, one sentence. */
  public String doc() {
    return doc;
  }

  /** Whether the name has a segment the operator chooses. */
  public boolean isPattern() {
    return name.indexOf('*') >= 0;
  }

  /** The part of {@code actual} that stands for {@code *}, or null when the name does not match. */
  String wildcard(String actual) {
    int star = name.indexOf('*');
    if (star < 0) {
      return null;
    }
    String head = name.substring(0, star);
    String tail = name.substring(star + 1);
    if (actual.length() <= head.length() + tail.length()
        || !actual.startsWith(head)
        || !actual.endsWith(tail)) {
      return null;
    }
    String part = actual.substring(head.length(), actual.length() - tail.length());
    return part.indexOf('.') < 0 ? part : null;
  }

  /**
   * Parses a value.
   *
   * @throws ConfigException naming this key, the value and the allowed range
   */
  T parse(String value) {
    return parse(name, value);
  }

  T parse(String actualName, String value) {
    try {
      return parser.apply(value.trim());
    } catch (IllegalArgumentException e) {
      throw new ConfigException(
          OneLine.of(actualName + " = '" + value + "' is not allowed; use " + range));
    }
  }

  private static Boolean parseBoolean(String text) {
    return "true".equals(oneOf(text, "true", "false"));
  }

  private static String oneOf(String text, String... values) {
    if (!Arrays.asList(values).contains(text)) {
      throw new IllegalArgumentException(text);
    }
    return text;
  }

  private static <C extends Comparable<C>> C within(C value, C min, C max) {
    // written so that NaN, which compares above everything, is refused as well
    if (value.compareTo(min) >= 0 && value.compareTo(max) <= 0) {
      return value;
    }
    throw new IllegalArgumentException(String.valueOf(value));
  }

  @Override
  public String toString() {
    return name;
  }
}
