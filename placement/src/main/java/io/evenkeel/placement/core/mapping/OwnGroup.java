package io.evenkeel.placement.core.mapping;

import java.util.Locale;

/** Names the node group of a host that is taken for a host of its own. Stateless. */
public final class OwnGroup {
  /** How such a name begins, so that an operator finds them in a listing of the topology. */
  public static final String PREFIX = "unknown-";

  private OwnGroup() {}

  /**
   * The name for an address or host name. Two hosts never share one: characters that a location
   * cannot hold are written as {@code _} and their number, host names count in lower case.
   */
  public static String of(String host) {
    StringBuilder name = new StringBuilder(PREFIX);
    for (char c : host.toLowerCase(Locale.ROOT).toCharArray()) {
      if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || ".-:".indexOf(c) >= 0) {
        name.append(c);
      } else {
        name.append(String.format(Locale.ROOT, "_%04x", (int) c));
      }
    }
    return name.toString();
  }
}
