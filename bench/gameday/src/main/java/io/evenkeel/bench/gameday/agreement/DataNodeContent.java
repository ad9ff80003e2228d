package io.evenkeel.bench.gameday.agreement;

import java.util.List;
import java.util.Map;

/**
 * What one DataNode has. Immutable.
 *
 * @param name of the DataNode
 * @param host physical host
 * @param rack rack of that
 * @param storages last element of the data directory by storage id
 * @param replicas its replica map
 * @param files files of replicas in its data directories
 */
public record DataNodeContent(
    String name,
    String host,
    String rack,
    Map<String, String> storages,
    List<Held> replicas,
    List<BlockFile> files) {

  /**
   * A replica in the replica map.
   *
   * @param block block id
   * @param generation generation stamp
   * @param length bytes
   * @param state FINALIZED, RBW, RWR, RUR or TEMPORARY
   * @param storage id of its storage
   */
  public record Held(long block, long generation, long length, String state, String storage) {
    boolean isFinalized() {
      return state.equals("FINALIZED");
    }
  }

  /** Copies the collections. */
  public DataNodeContent {
    storages = Map.copyOf(storages);
    replicas = List.copyOf(replicas);
    files = List.copyOf(files);
  }
}
