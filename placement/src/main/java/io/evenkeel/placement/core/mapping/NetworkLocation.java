package io.evenkeel.placement.core.mapping;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * A network location such as {@code /rack/nodegroup}: one or more levels, the last of which is the
 * node group once it has the depth of the cluster. Immutable and thread-safe.
 */
public final class NetworkLocation {
  /** The rack stock uses for a host it knows nothing of. */
  public static final String DEFAULT_RACK = "default-rack";

  /** The node group stock uses for such a host. */
  public static final String DEFAULT_NODEGROUP = "default-nodegroup";

  /** What Stackable's operator says of a pod whose node, or the label of it, it does not find. */
  static final String NOT_FOUND = "NotFound";

  private final List<String> levels;

  private NetworkLocation(List<String> levels) {
    this.levels = Collections.unmodifiableList(levels);
  }

  /**
   * Reads a location as Hadoop does: doubled slashes and a slash at the end do not count.
   *
   * @return empty when the text is null, does not begin with a slash, has no level, or has white
   *     space or control characters
   */
  public static Optional<NetworkLocation> parse(String text) {
    if (text == null || !text.startsWith("/")) {
      return Optional.empty();
    }
    if (text.chars().anyMatch(c -> Character.isWhitespace(c) || Character.isISOControl(c))) {
      return Optional.empty();
    }
    List<String> levels = new ArrayList<>(Arrays.asList(text.split("/")));
    levels.removeIf(String::isEmpty);
    return levels.isEmpty() ? Optional.empty() : Optional.of(new NetworkLocation(levels));
  }

  /** A location of these levels, at least one of them, none empty or with a slash. */
  static NetworkLocation of(List<String> levels) {
    return new NetworkLocation(new ArrayList<>(levels));
  }

  /** Number of levels, 1 or more; {@code /rack/nodegroup} has 2. */
  public int depth() {
    return levels.size();
  }

  /** The names from the top. */
  public List<String> levels() {
    return levels;
  }

  /** The lowest name: the node group of a location that has one. */
  public String last() {
    return levels.get(levels.size() - 1);
  }

  /** Everything above the lowest level; the location itself when there is only one level. */
  public NetworkLocation parent() {
    return levels.size() == 1 ? this : new NetworkLocation(levels.subList(0, levels.size() - 1));
  }

  /** Whether it tells a node group, which is no name that stands for "not known" by anybody. */
  public boolean isKnown() {
    return !last().equals(DEFAULT_RACK)
        && !last().equals(DEFAULT_NODEGROUP)
        && !last().equals(NOT_FOUND)
        && !last().startsWith(OwnGroup.PREFIX);
  }

  /** Whether every level is one of the names stock uses for a host it knows nothing of. */
  public boolean isDefault() {
    return levels.stream().allMatch(l -> l.equals(DEFAULT_RACK) || l.equals(DEFAULT_NODEGROUP));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof NetworkLocation && levels.equals(((NetworkLocation) other).levels);
  }

  @Override
  public int hashCode() {
    return levels.hashCode();
  }

  @Override
  public String toString() {
    return "/" + String.join("/", levels);
  }
}
