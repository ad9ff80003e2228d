package io.evenkeel.cli.status;

import java.net.URI;
import java.util.Map;

/** Where the web server of a DataNode is, by what a NameNode's {@code LiveNodes} say. Immutable. */
public final class LiveDataNode {
  private final URI uri;
  private final String name;

  private LiveDataNode(URI uri, String name) {
    this.uri = uri;
    this.name = name;
  }

  /**
   * Reads it.
   *
   * @param registered name in {@code LiveNodes}
   * @param node attributes there
   * @param https whether the NameNode was asked by it
   * @throws IllegalArgumentException when there is no address
   */
  public static LiveDataNode of(String registered, Map<?, ?> node, boolean https) {
    String plain = String.valueOf(node.get("infoAddr"));
    String secure = String.valueOf(node.get("infoSecureAddr"));
    // port 0 is how a DataNode says that it does not serve this protocol
    boolean useSecure = https ? !secure.endsWith(":0") : plain.endsWith(":0");
    int colon = registered.lastIndexOf(':');
    String host = colon < 0 ? registered : registered.substring(0, colon);
    // certificates name hosts, not addresses
    String named = host + secure.substring(Math.max(0, secure.lastIndexOf(':')));
    URI uri = ClusterSource.address(useSecure ? "https://" + named : "http://" + plain);
    // the host that registered, with the port of its web server: names are read more easily
    return new LiveDataNode(uri, host + ":" + uri.getPort());
  }

  /** Its web server. */
  public URI uri() {
    return uri;
  }

  /** What an operator calls it. */
  public String name() {
    return name;
  }
}
