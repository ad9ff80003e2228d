package io.evenkeel.cli.status.core;

import java.net.URI;
import java.util.Objects;

/** One daemon to ask: its role and the address of its web server. Immutable. */
public final class Daemon {
  /** Role of the HDFS master. */
  public static final String NAMENODE = "NameNode";

  /** Role of the HDFS worker. */
  public static final String DATANODE = "DataNode";

  private final String role;
  private final URI uri;

  /**
   * Creates it.
   *
   * @param role name of the process, for example {@code DataNode}
   * @param uri web address, for example {@code http://dn1:9864}
   */
  public Daemon(String role, URI uri) {
    this.role = Objects.requireNonNull(role);
    this.uri = Objects.requireNonNull(uri);
  }

  /** Name of the process. */
  public String role() {
    return role;
  }

  /** Web address. */
  public URI uri() {
    return uri;
  }

  /** {@code host:port}. */
  public String address() {
    return uri.getAuthority();
  }
}
