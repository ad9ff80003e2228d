package io.evenkeel.bench.gameday.cluster;

import java.nio.file.Path;
import java.util.List;

/**
 * Where a DataNode is and what it has. Immutable.
 *
 * @param name of its process, and its host name
 * @param host physical host
 * @param rack rack of that
 * @param address loopback address
 * @param port of data transfer
 * @param volumes in the order of the description
 */
public record DataNodePlace(
    String name, String host, String rack, String address, int port, List<Volume> volumes) {

  /**
   * One volume.
   *
   * @param type storage type
   * @param directory absolute
   */
  public record Volume(String type, Path directory) {
    /** The last element of the directory, unique in its DataNode. */
    public String name() {
      return String.valueOf(directory.getFileName());
    }

    /** As {@code dfs.datanode.data.dir} has it. */
    String location() {
      return "[" + type + "]file://" + directory;
    }
  }

  /** Copies the volumes. */
  public DataNodePlace {
    volumes = List.copyOf(volumes);
  }

  /** Whether a fault's target means it: its own name, its host's, or an empty one for all. */
  boolean isCalled(String target) {
    return target.isEmpty() || name.equals(target) || host.equals(target);
  }

  /**
   * The volume that a fault means: the one of that name, else the first of that type.
   *
   * @throws IllegalArgumentException when there is none
   */
  public Volume volume(String nameOrType) {
    return volumes.stream()
        .filter(v -> v.name().equals(nameOrType))
        .findFirst()
        .or(() -> volumes.stream().filter(v -> v.type().equals(nameOrType)).findFirst())
        .orElseThrow(
            () -> new IllegalArgumentException(name + " has no volume '" + nameOrType + "'"));
  }
}
