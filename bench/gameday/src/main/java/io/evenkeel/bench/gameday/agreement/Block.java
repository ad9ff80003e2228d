package io.evenkeel.bench.gameday.agreement;

import java.util.List;

/**
 * A block, or an internal block of an erasure-coded block group, as the NameNode tells of it.
 * Immutable.
 *
 * @param path of a file that has it
 * @param id block id; of an internal block its own
 * @param generation generation stamp
 * @param length bytes, 0 or more
 * @param striped whether it is an internal block
 * @param replication replicas that there should be, at least 1
 * @param types storage types that these replicas should have, one for each, sorted; empty where it
 *     is not known
 * @param replicas where the NameNode says they are
 */
public record Block(
    String path,
    long id,
    long generation,
    long length,
    boolean striped,
    int replication,
    List<String> types,
    List<Location> replicas) {

  /**
   * One replica.
   *
   * @param dataNode name of its DataNode
   * @param storage id of its storage
   * @param type storage type of that
   */
  public record Location(String dataNode, String storage, String type) {}

  /** Copies the lists. */
  public Block {
    types = types.stream().sorted().toList();
    replicas = List.copyOf(replicas);
  }

  @Override
  public String toString() {
    return "block " + id + "_" + generation + " of " + path;
  }
}
