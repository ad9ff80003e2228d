package io.evenkeel.common.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * Reads from the web server of one daemon. Where that asks for Kerberos (SPNEGO), the JDK answers
 * with the ticket of the user, as {@code kinit} got it. Immutable and thread-safe; every call opens
 * a connection of its own.
 */
public final class WebClient {
  /** Far above what a NameNode of 10,000 DataNodes says of itself, far below a small heap. */
  private static final int MOST_BYTES = 64 << 20;

  private static final int MOST_OF_A_LINE = 16 << 20;

  /** A whole answer may take this many times the limit of one read. */
  private static final long ANSWER_LIMITS = 4;

  private static final int MOST_OF_AN_ERROR = 64 << 10;

  /**
   * Servers that took a ticket by their full names only, so that each is refused once; there are no
   * more than a cluster has. Thread-safe.
   */
  private static final Map<URI, URI> BY_FULL_NAME = new ConcurrentHashMap<>();

  private final URI base;
  private final int timeoutMillis;

  /**
   * Creates a client.
   *
   * @param base for example {@code http://nn1:9870}; a path is ignored
   * @param timeoutMillis limit for connecting and for each read, in milliseconds, above 0; a whole
   *     answer of {@link #get} may take four times as long
   * @throws IllegalArgumentException when the address is not http or https with a host
   */
  public WebClient(URI base, int timeoutMillis) {
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

  /** The limit for connecting and for each read, in milliseconds. */
  public int timeoutMillis() {
    return timeoutMillis;
  }

  /**
   * The whole answer.
   *
   * @param path with its query, both encoded
   * @throws WebStatusException when it is not 200
   * @throws IOException when there is none, it is longer than 64 MiB or it takes too long
   */
  public String get(String path) throws IOException {
    return ask(path, null, connection -> body(connection, path));
  }

  /**
   * The same, telling the time the server says it is: milliseconds since 1970, by whole seconds.
   *
   * @param date told before the answer is read; not when the server says none
   */
  public String get(String path, LongConsumer date) throws IOException {
    return ask(
        path,
        null,
        connection -> {
          if (connection.getDate() != 0) {
            date.accept(connection.getDate());
          }
          return body(connection, path);
        });
  }

  /**
   * The same of a servlet that answers with JSON only to those who say that they accept it, as
   * Hadoop 3's {@code /conf} does.
   */
  public String json(String path) throws IOException {
    return ask(path, "application/json", connection -> body(connection, path));
  }

  /**
   * Hands on the answer line by line, however long it is and takes; bytes that are not UTF-8 are
   * replaced.
   *
   * @param path with its query, both encoded
   * @throws WebStatusException when it is not 200
   * @throws IOException when there is none, it breaks off or has a line of more than 16 Mi
   *     characters; lines handed on before stay so
   */
  public void lines(String path, Consumer<String> lines) throws IOException {
    ask(
        path,
        null,
        connection -> {
          try (Reader reader =
              new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8)) {
            StringBuilder line = new StringBuilder();
            char[] buffer = new char[8192];
            for (int n = reader.read(buffer); n >= 0; n = reader.read(buffer)) {
              int from = 0;
              for (int i = 0; i < n; i++) {
                if (buffer[i] == '\n') {
                  lines.accept(chomped(line.append(buffer, from, i - from)));
                  line.setLength(0);
                  from = i + 1;
                }
              }
              line.append(buffer, from, n - from);
              if (line.length() > MOST_OF_A_LINE) {
                throw new IOException("a line of more than " + MOST_OF_A_LINE + " characters");
              }
            }
            if (line.length() > 0) {
              lines.accept(chomped(line));
            }
          } catch (SocketTimeoutException e) {
            throw e; // told apart by the caller
          } catch (IOException e) {
            throw brokenOff(path, e);
          }
          return null;
        });
  }

  private static String chomped(StringBuilder line) {
    int end = line.length();
    boolean windows = end > 0 && line.charAt(end - 1) == '\r';
    return line.substring(0, windows ? end - 1 : end);
  }

  /** What is done with an answer of 200. */
  private interface Reading<T> {
    T read(HttpURLConnection connection) throws IOException;
  }

  private <T> T ask(String path, String accept, Reading<T> reading) throws IOException {
    URI known = BY_FULL_NAME.get(base);
    if (known != null) {
      return ask(known, path, accept, reading);
    }
    try {
      return ask(base, path, accept, reading);
    } catch (WebStatusException e) {
      URI named = e.code() == HttpURLConnection.HTTP_UNAUTHORIZED ? byFullName(base) : base;
      if (named.equals(base)) {
        throw e;
      }
      try {
        T answer = ask(named, path, accept, reading);
        BY_FULL_NAME.put(base, named);
        return answer;
      } catch (WebStatusException again) {
        throw again.code() == HttpURLConnection.HTTP_UNAUTHORIZED ? e : again;
      }
    }
  }

  /**
   * The same server by its full host name, of which Kerberos has a principal; it has none of an
   * address, which is what a NameNode says of a DataNode.
   */
  private static URI byFullName(URI server) {
    try {
      String name = InetAddress.getByName(server.getHost()).getCanonicalHostName();
      return new URI(server.getScheme(), null, name, server.getPort(), null, null, null);
    } catch (UnknownHostException | URISyntaxException e) {
      return server; // such as one with an underscore
    }
  }

  private <T> T ask(URI server, String path, String accept, Reading<T> reading) throws IOException {
    HttpURLConnection connection =
        (HttpURLConnection) server.resolve(path).toURL().openConnection();
    connection.setConnectTimeout(timeoutMillis);
    connection.setReadTimeout(timeoutMillis);
    if (accept != null) {
      connection.setRequestProperty("Accept", accept);
    }
    // What another daemon or a login page says must not be taken for this daemon's answer.
    connection.setInstanceFollowRedirects(false);
    try {
      int code = connect(connection);
      if (code != 200) {
        String target = connection.getHeaderField("Location");
        throw new WebStatusException(
            server.resolve(path)
                + " answered "
                + code
                + reason(code)
                + (target == null ? "" : " and sends on to " + target + "; ask there"),
            code,
            error(connection));
      }
      return reading.read(connection);
    } catch (SocketTimeoutException e) {
      throw new IOException(base + " did not answer within " + timeoutMillis + " ms", e);
    } finally {
      connection.disconnect();
    }
  }

  private static String reason(int code) {
    switch (code) {
      case HttpURLConnection.HTTP_UNAUTHORIZED:
        return ": it asks for Kerberos, and there is no ticket it takes; run kinit";
      case HttpURLConnection.HTTP_FORBIDDEN:
        return ": this user may not see it (hadoop.security.instrumentation.requires.admin)";
      default:
        return "";
    }
  }

  private String body(HttpURLConnection connection, String path) throws IOException {
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
      throw brokenOff(path, e);
    }
    return new String(out.toByteArray(), StandardCharsets.UTF_8);
  }

  private IOException brokenOff(String path, IOException cause) {
    String servlet = path.replaceFirst("\\?.*", "");
    return new IOException(base + servlet + ": the answer broke off: " + cause.getMessage(), cause);
  }

  private static String error(HttpURLConnection connection) {
    byte[] buffer = new byte[MOST_OF_AN_ERROR];
    int length = 0;
    try (InputStream in = connection.getErrorStream()) {
      int n = in == null ? -1 : in.read(buffer);
      while (n > 0) {
        length += n;
        n = in.read(buffer, length, buffer.length - length);
      }
    } catch (IOException e) {
      // the code says enough
    }
    return new String(buffer, 0, length, StandardCharsets.UTF_8);
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
