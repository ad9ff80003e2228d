package io.evenkeel.common.jmx;

import io.evenkeel.common.http.WebClient;
import io.evenkeel.common.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

/**
 * Reads MBeans of one daemon from its {@code /jmx} servlet. Immutable and thread-safe; every call
 * opens a connection of its own.
 */
public final class JmxClient {
  private final WebClient web;

  /**
   * Creates a client.
   *
   * @param base for example {@code http://nn1:9870}; a path is ignored
   * @param timeoutMillis limit for connecting and for each read, in milliseconds, above 0; a whole
   *     answer may take four times as long
   * @throws IllegalArgumentException when the address is not http or https with a host
   */
  public JmxClient(URI base, int timeoutMillis) {
    web = new WebClient(base, timeoutMillis);
  }

  /** The address asked. */
  public URI base() {
    return web.base();
  }

  /** The limit for connecting and for each read, in milliseconds. */
  public int timeoutMillis() {
    return web.timeoutMillis();
  }

  /**
   * The MBeans whose names match a query such as {@code io.evenkeel:*}, attributes by name.
   *
   * @return an empty list when nothing matches
   * @throws IOException when the daemon does not answer with 200 and a beans document
   */
  public List<Map<String, Object>> query(String query) throws IOException {
    return query(query, date -> {});
  }

  /** The same, telling the time the daemon says it is; see {@link WebClient#get}. */
  @SuppressWarnings("unchecked")
  public List<Map<String, Object>> query(String query, LongConsumer date) throws IOException {
    String text = web.get("/jmx?qry=" + URLEncoder.encode(query, "UTF-8"), date);
    Object document;
    try {
      document = Json.parse(numbersAsJson(text));
    } catch (IllegalArgumentException e) {
      throw new IOException(base() + "/jmx did not answer with JSON", e);
    }
    Object beans = document instanceof Map ? ((Map<String, Object>) document).get("beans") : null;
    if (!(beans instanceof List) || !((List<?>) beans).stream().allMatch(Map.class::isInstance)) {
      throw new IOException(base() + "/jmx did not answer with beans");
    }
    return (List<Map<String, Object>>) beans;
  }

  /** The first bean of that exact name, an empty map when there is none. */
  public Map<String, Object> bean(String name) throws IOException {
    List<Map<String, Object>> found = new ArrayList<>(query(name));
    return found.isEmpty() ? Collections.<String, Object>emptyMap() : found.get(0);
  }

  /**
   * The text with null for what is not a number: Hadoop writes a bare NaN or Infinity, which is not
   * JSON, and one such attribute must not hide all others.
   */
  private static String numbersAsJson(String text) {
    if (!text.contains("NaN") && !text.contains("Infinity")) {
      return text;
    }
    StringBuilder out = new StringBuilder(text.length());
    boolean inString = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean escape = inString && c == '\\' && i + 1 < text.length();
      int odd = inString ? 0 : notANumber(text, i);
      if (odd > 0) {
        out.append("null");
        i += odd - 1;
      } else if (escape) {
        out.append(c).append(text.charAt(++i));
      } else {
        inString ^= c == '"';
        out.append(c);
      }
    }
    return out.toString();
  }

  /** Length of the NaN or Infinity at that place, 0 when there is none. */
  private static int notANumber(String text, int at) {
    for (String word : new String[] {"NaN", "Infinity", "-Infinity"}) {
      if (text.startsWith(word, at)) {
        return word.length();
      }
    }
    return 0;
  }
}
