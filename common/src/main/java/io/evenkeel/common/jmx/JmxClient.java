package io.evenkeel.common.jmx;

import io.evenkeel.common.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * Reads MBeans of one daemon from its {@code /jmx} servlet. Immutable and thread-safe; every call
 * opens a connection of its own.
 */
public final class JmxClient {
  /** Far above what a NameNode of 10,000 DataNodes says of itself, far below a small heap. */
  private static final int MOST_BYTES = 64 << 20;

  /** A whole answer may take this many times the limit of one read. */
  private static final long ANSWER_LIMITS = 4;

  private final URI base;
  private final int timeoutMillis;

  /**
   * Creates a client.
   *
   * @param base for example {@code http://nn1:9870}; a path is ignored
   * @param timeoutMillis limit for connecting and for each read, in milliseconds, above 0; a whole
   *     answer may take four times as long
   * @throws IllegalArgumentException when the address is not http or https with a host
   */
  public JmxClient(URI base, int timeoutMillis) {
    // The authority, because a URI gives no host for names with an underscore.
    boolean http = "http".equals(base.getScheme()) || "https".equals(base.getScheme());
    if (!http || base.getRawAuthority() == null) {
      throw new IllegalArgumentException(
          "'" + base + "' is not an address; write http://host:port");
    }
    this.base = base;
    this.timeoutMillis = timeoutMillis;
  }

  /** The address asked. */
  public URI base() {
    return base;
  }

  /**
   * The MBeans whose names match a query such as {@code io.evenkeel:*}, attributes by name.
   *
   * @return an empty list when nothing matches
   * @throws IOException when the daemon does not answer with 200 and a beans document
   */
  @SuppressWarnings("unchecked")
  public List<Map<String, Object>> query(String query) throws IOException {
    String text = get("/jmx?qry=" + URLEncoder.encode(query, "UTF-8"));
    Object document;
    try {
      document = Json.parse(numbersAsJson(text));
    } catch (IllegalArgumentException e) {
      throw new IOException(base + "/jmx did not answer with JSON", e);
    }
    Object beans = document instanceof Map ? ((Map<String, Object>) document).get("beans") : null;
    if (!(beans instanceof List) || !((List<?>) beans).stream().allMatch(Map.class::isInstance)) {
      throw new IOException(base + "/jmx did not answer with beans");
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

  private String get(String path) throws IOException {
    HttpURLConnection connection = (HttpURLConnection) base.resolve(path).toURL().openConnection();
    connection.setConnectTimeout(timeoutMillis);
    connection.setReadTimeout(timeoutMillis);
    // What another daemon or a login page says must not be taken for this daemon's answer.
    connection.setInstanceFollowRedirects(false);
    try {
      int code = connect(connection);
      if (code != 200) {
        String target = connection.getHeaderField("Location");
        throw new IOException(
            base.resolve(path)
                + " answered "
                + code
                + (target == null ? "" : " and sends on to " + target + "; ask there"));
      }
      return body(connection);
    } catch (SocketTimeoutException e) {
      throw new IOException(base + " did not answer within " + timeoutMillis + " ms", e);
    } finally {
      connection.disconnect();
    }
  }

  private String body(HttpURLConnection connection) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    long since = System.nanoTime();
    try (InputStream in = connection.getInputStream()) {
      byte[] buffer = new byte[8192];
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        out.write(buffer, 0, n);
        if (out.size() > MOST_BYTES) {
          throw new IOException("more than " + MOST_BYTES + " bytes");
        }
        // A daemon that sends a byte now and then never reaches the limit of one read.
        if (System.nanoTime() - since > ANSWER_LIMITS * timeoutMillis * 1_000_000L) {
          throw new IOException("not ended after " + ANSWER_LIMITS * timeoutMillis + " ms");
        }
      }
    } catch (SocketTimeoutException e) {
      throw e; // told apart by the caller
    } catch (IOException e) {
      throw new IOException(base + "/jmx: the answer broke off: " + e.getMessage(), e);
    }
    return new String(out.toByteArray(), StandardCharsets.UTF_8);
  }

  private int connect(HttpURLConnection connection) throws IOException {
    try {
      return connection.getResponseCode();
    } catch (SocketTimeoutException e) {
      throw e; // told apart by the caller: the limit was reached
    } catch (UnknownHostException e) {
      throw new IOException(base + " cannot be reached: unknown host " + e.getMessage(), e);
    } catch (IOException e) {
      throw new IOException(base + " cannot be reached: " + e.getMessage(), e);
    }
  }
}
