package io.evenkeel.cli.status.core;

import java.net.URI;
import java.util.Comparator;
import java.util.Objects;

/** One daemon to ask: its role and the address of its web server. Immutable. */
public final class Daemon {
  /** Role of the HDFS master. */
  public static final String NAMENODE = "NameNode";

  /** Role of the HDFS worker. */
  public static final String DATANODE = "DataNode";

  /** As people count, {@code dn2} before {@code dn10}. */
  public static final Comparator<Daemon> BY_NAME =
      Comparator.<Daemon, String>comparing(daemon -> padded(daemon.name))
          .thenComparing(daemon -> daemon.uri);

  private static final int MOST_DIGITS = 10;

  private final String role;
  private final URI uri;
  private final String name;

  /**
   * Creates one that is known by its address only.
   *
   * @param role name of the process, for example {@code DataNode}
   * @param uri web address, for example {@code http://dn1:9864}
   */
  public Daemon(String role, URI uri) {
    this(role, uri, uri.getAuthority());
  }

  /**
   * Creates it.
   *
   * @param name what people call it, for example {@code dn1:9864} where the address has a number
   */
  public Daemon(String role, URI uri, String name) {
    this.role = Objects.requireNonNull(role);
    this.uri = Objects.requireNonNull(uri);
    this.name = Objects.requireNonNull(name);
  }

  private static String padded(String name) {
    StringBuilder padded = new StringBuilder();
    int digits = 0;
    for (int i = 0; i < name.length(); i += Math.max(1, digits)) {
      for (digits = 0; i + digits < name.length() && isDigit(name.charAt(i + digits)); ) {
        digits++;
      }
      for (int zeros = digits; zeros > 0 && zeros < MOST_DIGITS; zeros++) {
        padded.append('0');
      }
      padded.append(name, i, i + Math.max(1, digits));
    }
    return padded.toString();
  }

  private static boolean isDigit(char letter) {
    return letter >= '0' && letter <= '9';
  }

  /** Name of the process. */
  public String role() {
    return role;
  }

  /** Web address. */
  public URI uri() {
    return uri;
  }

  /** {@code host:port}, with the host's name where it is known. */
  public String name() {
    return name;
  }
}
