package io.evenkeel.placement.core.mapping;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Judges the location a site gave a host and mends what cannot be used.
 *
 * <p>A rack the site named is kept wherever it can be told: a location one level short, or one that
 * ends in {@code default-nodegroup} or {@code NotFound}, lacks only its node group. Immutable and
 * thread-safe.
 */
public final class MappingRules {
  private final int depth;
  private final UnknownMode mode;
  private final EmitLevel emit;

  /**
   * Creates rules.
   *
   * @param depth levels of a location in this cluster, the node group included; 2 or more
   * @param mode what becomes of other hosts
   * @param emit how much a daemon is told
   */
  public MappingRules(int depth, UnknownMode mode, EmitLevel emit) {
    if (depth < 2) {
      throw new IllegalArgumentException("depth " + depth + " leaves no rack above a node group");
    }
    this.depth = depth;
    this.mode = mode;
    this.emit = emit;
  }

  /** Levels of a location, the node group included. */
  public int depth() {
    return depth;
  }

  /** What becomes of a host whose location cannot be used. */
  public UnknownMode mode() {
    return mode;
  }

  /** What is wrong with {@code said}; it may be null or any text. */
  public Finding find(String said) {
    Optional<NetworkLocation> location = NetworkLocation.parse(said);
    if (!location.isPresent()) {
      return said == null || said.trim().isEmpty() ? Finding.UNKNOWN : Finding.MALFORMED;
    }
    if (location.get().isDefault()) {
      return Finding.UNKNOWN;
    }
    if (location.get().depth() != depth) {
      return Finding.WRONG_DEPTH;
    }
    String last = location.get().last();
    boolean named =
        !last.equals(NetworkLocation.DEFAULT_NODEGROUP) && !last.equals(NetworkLocation.NOT_FOUND);
    return named ? Finding.KNOWN : Finding.UNKNOWN;
  }

  /**
   * The location in force for a host.
   *
   * @param host its address, or its name when that has no address
   * @param said what the site said, null when nothing
   * @return empty when the host gets none (mode FAIL)
   */
  public Optional<NetworkLocation> locate(String host, String said) {
    Optional<NetworkLocation> location = NetworkLocation.parse(said);
    if (find(said) == Finding.KNOWN) {
      return location;
    }
    switch (mode) {
      case ISOLATE:
        return Optional.of(isolated(host, location));
      case WARN:
        return Optional.of(fitted(location));
      default:
        return Optional.empty();
    }
  }

  /** What the daemon is told of a location in force. */
  public String emit(NetworkLocation location) {
    return emit.text(location);
  }

  private NetworkLocation isolated(String host, Optional<NetworkLocation> said) {
    List<String> levels = new ArrayList<>();
    int known = said.map(NetworkLocation::depth).orElse(0);
    if (known == depth || known == depth - 1) {
      levels.addAll(said.get().levels().subList(0, depth - 1));
    }
    fill(levels, depth - 1, NetworkLocation.DEFAULT_RACK);
    levels.add(OwnGroup.of(host));
    return NetworkLocation.of(levels);
  }

  private NetworkLocation fitted(Optional<NetworkLocation> said) {
    List<String> levels = new ArrayList<>();
    said.ifPresent(l -> levels.addAll(l.levels().subList(0, Math.min(depth, l.depth()))));
    fill(levels, depth - 1, NetworkLocation.DEFAULT_RACK);
    fill(levels, depth, NetworkLocation.DEFAULT_NODEGROUP);
    return NetworkLocation.of(levels);
  }

  private static void fill(List<String> levels, int size, String name) {
    while (levels.size() < size) {
      levels.add(name);
    }
  }
}
