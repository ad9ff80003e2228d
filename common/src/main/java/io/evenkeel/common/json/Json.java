package io.evenkeel.common.json;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonParseException;
import com.google.gson.Strictness;
import com.google.gson.ToNumberPolicy;

/**
 * Reads and writes JSON as maps, lists, strings, numbers and booleans.
 *
 * <p>Members keep the order of the map written. Numbers read are Long where they are whole, else
 * Double. Not-a-number values are written as JSON cannot hold them: refused. What is written is
 * ASCII, so that no path is damaged where a locale, such as that of cron, knows no other letters.
 * Thread-safe.
 */
public final class Json {
  private static final Gson PRETTY =
      new GsonBuilder().disableHtmlEscaping().serializeNulls().setPrettyPrinting().create();
  private static final Gson COMPACT =
      new GsonBuilder()
          .disableHtmlEscaping()
          .serializeNulls()
          .setStrictness(Strictness.STRICT)
          .setObjectToNumberStrategy(ToNumberPolicy.LONG_OR_DOUBLE)
          .create();

  private Json() {}

  /** Indented text, ending without a line break. */
  public static String pretty(Object value) {
    return ascii(PRETTY.toJson(value));
  }

  /** Text on one line. */
  public static String compact(Object value) {
    return ascii(COMPACT.toJson(value));
  }

  /** Other letters stand in strings only, where JSON has an escape for them. */
  private static String ascii(String json) {
    StringBuilder ascii = null;
    for (int i = 0; i < json.length(); i++) {
      char c = json.charAt(i);
      if (c > '~' && ascii == null) {
        ascii = new StringBuilder(json.length() + 64).append(json, 0, i);
      }
      if (ascii != null) {
        ascii.append(c > '~' ? String.format("\\u%04x", (int) c) : String.valueOf(c));
      }
    }
    return ascii == null ? json : ascii.toString();
  }

  /**
   * Parses a document.
   *
   * @return maps (in document order), lists, strings, numbers, booleans or null
   * @throws IllegalArgumentException when the text is not JSON
   */
  public static Object parse(String text) {
    if (text.trim().isEmpty()) {
      throw new IllegalArgumentException("not JSON: nothing there");
    }
    try {
      return COMPACT.fromJson(text, Object.class);
    } catch (JsonParseException e) {
      throw new IllegalArgumentException("not JSON: " + e.getMessage(), e);
    }
  }
}
