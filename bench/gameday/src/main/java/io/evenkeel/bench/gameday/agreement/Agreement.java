package io.evenkeel.bench.gameday.agreement;

import io.evenkeel.bench.gameday.agreement.Block.Location;
import io.evenkeel.bench.gameday.agreement.DataNodeContent.Held;
import io.evenkeel.bench.gameday.history.Finding;
import io.evenkeel.bench.gameday.history.Finding.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Compares what the NameNode, the replica maps and the disks of a cluster say of the same replicas
 * at one moment when all is calm and no file is open, and whether the replicas are where they
 * should be. Used once, by one thread.
 *
 * <p>What is said by one and will be told to another soon is a difference as well: whoever asks
 * looks again, and keeps what does not go away.
 */
public final class Agreement {
  private static final String MEMORY = "RAM_DISK";

  /** The bits of an internal block's id that are its index in the block group. */
  private static final long INDEX = 15;

  /** In the reason of too many replicas of which the NameNode finds none to delete. */
  public static final String ALONE = "; those of a type too many are alone in their rack or host";

  private final List<Block> blocks;
  private final Map<String, DataNodeContent> dataNodes;
  private final Set<Long> open;
  private final Rules rules;
  private final List<Finding> findings = new ArrayList<>();

  /**
   * What has to hold besides agreement.
   *
   * @param hosts whether replicas have to be on different physical hosts
   * @param racks whether a block with several replicas has to be in two racks
   * @param types whether replicas have to have the storage types of their policy
   * @param groups whether internal blocks of a block group have to be on different physical hosts,
   *     which stock does not promise
   */
  public record Rules(boolean hosts, boolean racks, boolean types, boolean groups) {}

  /**
   * Takes what was read.
   *
   * @param blocks of closed files
   * @param open ids of the blocks of files that are not closed, of which nothing is judged
   */
  public Agreement(
      List<Block> blocks, Set<Long> open, List<DataNodeContent> dataNodes, Rules rules) {
    this.blocks = List.copyOf(blocks);
    this.open = Set.copyOf(open);
    this.dataNodes =
        dataNodes.stream().collect(Collectors.toMap(DataNodeContent::name, Function.identity()));
    this.rules = rules;
  }

  /** All differences. */
  public List<Finding> findings() {
    Map<String, Map<Long, Block>> expected = new TreeMap<>();
    dataNodes.keySet().forEach(name -> expected.put(name, new HashMap<>()));
    for (Block block : blocks) {
      placed(block);
      for (Location replica : block.replicas()) {
        expected.computeIfAbsent(replica.dataNode(), any -> new HashMap<>()).put(block.id(), block);
      }
    }
    if (rules.groups()) {
      blocks.stream()
          .filter(block -> block.striped() && block.replicas().size() == 1)
          .collect(Collectors.groupingBy(block -> block.path() + (block.id() & ~INDEX)))
          .values()
          .forEach(this::spread);
    }
    for (DataNodeContent dataNode : dataNodes.values()) {
      compare(dataNode, expected.get(dataNode.name()));
    }
    return findings;
  }

  private void add(Kind kind, String path, String place, String reason) {
    findings.add(new Finding(kind, path, place, reason));
  }

  // Where the NameNode says that replicas are ----------------------------------------------------

  private void placed(Block block) {
    int there = block.replicas().size();
    if (there != block.replication()) {
      Kind kind = there < block.replication() ? Kind.FEW_REPLICAS : Kind.MANY_REPLICAS;
      String why = there > block.replication() && noneMayGo(block) ? ALONE : "";
      String reason = there + " replicas of " + block.replication() + why;
      add(kind, block.path(), block.toString(), reason);
    }
    List<String> holders = block.replicas().stream().map(Location::dataNode).toList();
    if (new HashSet<>(holders).size() < there) {
      add(Kind.SHARED_HOST, block.path(), block.toString(), "twice on one of " + holders);
      return;
    }
    List<String> hosts = holders.stream().map(name -> dataNodes.get(name).host()).toList();
    boolean tooMany = there > block.replication(); // some of them are to go
    if (rules.hosts() && !tooMany && new HashSet<>(hosts).size() < Math.min(there, allHosts())) {
      add(Kind.SHARED_HOST, block.path(), block.toString(), "on " + holders + " of " + hosts);
    }
    Set<String> racks =
        holders.stream().map(name -> dataNodes.get(name).rack()).collect(Collectors.toSet());
    long allRacks = dataNodes.values().stream().map(DataNodeContent::rack).distinct().count();
    if (rules.racks() && !tooMany && there > 1 && racks.size() < Math.min(2, allRacks)) {
      add(Kind.ONE_RACK, block.path(), block.toString(), "on " + holders + " in " + racks);
    }
    List<String> types = block.replicas().stream().map(Location::type).sorted().toList();
    boolean known = !block.types().isEmpty() && there == block.replication();
    if (rules.types() && known && !types.equals(block.types())) {
      String reason = "on " + types + " and not on " + block.types();
      add(Kind.WRONG_TYPE, block.path(), block.toString(), reason);
    }
  }

  /** Judges the internal blocks of one group. */
  private void spread(List<Block> group) {
    List<String> holders =
        group.stream().map(block -> block.replicas().get(0).dataNode()).sorted().toList();
    long hosts = holders.stream().map(name -> dataNodes.get(name).host()).distinct().count();
    if (hosts < Math.min(group.size(), allHosts())) {
      Block one = group.get(0);
      String reason = "internal blocks on " + holders + " of " + hosts + " hosts";
      add(Kind.SHARED_HOST, one.path(), one.toString(), reason);
    }
  }

  /**
   * Whether the NameNode finds no replica to delete, as it looks for one of a storage type too many
   * only where a rack has several, and there only on a host that has several, if there is one.
   * Memory is always too many for it: it counts with disks for files in memory.
   */
  private boolean noneMayGo(Block block) {
    boolean inMemory = block.replicas().stream().anyMatch(replica -> replica.type().equals(MEMORY));
    List<String> wanted = new ArrayList<>(block.types());
    if (wanted.isEmpty() && inMemory) {
      wanted.addAll(Collections.nCopies(block.replication(), "DISK"));
    }
    boolean known = !wanted.isEmpty();
    List<String> tooMany =
        block.replicas().stream().map(Location::type).filter(type -> !wanted.remove(type)).toList();
    List<Location> looked =
        crowded(block.replicas(), replica -> dataNodes.get(replica.dataNode()).rack());
    List<Location> onHosts = crowded(looked, replica -> dataNodes.get(replica.dataNode()).host());
    return known
        && !looked.isEmpty()
        && (onHosts.isEmpty() ? looked : onHosts)
            .stream().map(Location::type).noneMatch(tooMany::contains);
  }

  /** Those that share something with another one. */
  private static List<Location> crowded(List<Location> replicas, Function<Location, String> place) {
    Map<String, Long> counts =
        replicas.stream().collect(Collectors.groupingBy(place, Collectors.counting()));
    return replicas.stream().filter(replica -> counts.get(place.apply(replica)) > 1).toList();
  }

  private long allHosts() {
    return dataNodes.values().stream().map(DataNodeContent::host).distinct().count();
  }

  // What a DataNode has of them
  // --------------------------------------------------------------------

  private void compare(DataNodeContent dataNode, Map<Long, Block> expected) {
    Map<Long, Held> held = new HashMap<>();
    for (Held replica : dataNode.replicas()) {
      Held twin = held.put(replica.block(), replica);
      String place = place(dataNode, replica);
      if (twin != null) {
        add(Kind.DISAGREEMENT, "", place, "a second replica of the block in one replica map");
      }
      Block block = expected.get(replica.block());
      if (block == null && open.contains(replica.block())) {
        continue;
      } else if (block == null) {
        add(Kind.LEFT_OVER, "", place, "a " + replica.state() + " replica nobody knows of");
      } else {
        compare(block, replica, dataNode, place);
      }
    }
    for (Block block : expected.values()) {
      if (!held.containsKey(block.id())) {
        String reason = "the NameNode says that there is a replica; the DataNode has none";
        add(Kind.DISAGREEMENT, block.path(), block + " on " + dataNode.name(), reason);
      }
    }
    compareFiles(dataNode, held);
  }

  private void compare(Block block, Held replica, DataNodeContent dataNode, String place) {
    if (!replica.isFinalized()) {
      add(Kind.DISAGREEMENT, block.path(), place, "still " + replica.state());
    }
    if (replica.generation() != block.generation()) {
      String reason = "generation stamp " + replica.generation() + ", the NameNode's " + block;
      add(Kind.DISAGREEMENT, block.path(), place, reason);
    } else if (replica.length() != block.length() && !block.striped()) {
      String reason = replica.length() + " bytes, " + block.length() + " by the NameNode";
      add(Kind.DISAGREEMENT, block.path(), place, reason);
    }
    boolean sameStorage =
        block.replicas().stream()
            .filter(location -> location.dataNode().equals(dataNode.name()))
            .anyMatch(location -> location.storage().equals(replica.storage()));
    if (!sameStorage) {
      add(Kind.DISAGREEMENT, block.path(), place, "on another storage than the NameNode says");
    }
  }

  private static String place(DataNodeContent dataNode, Held replica) {
    String volume = dataNode.storages().getOrDefault(replica.storage(), replica.storage());
    return "block "
        + replica.block()
        + "_"
        + replica.generation()
        + " on "
        + dataNode.name()
        + " "
        + volume;
  }

  // Its disks ------------------------------------------------------------------------------------

  private void compareFiles(DataNodeContent dataNode, Map<Long, Held> held) {
    Set<Long> data = new HashSet<>();
    Set<Long> meta = new HashSet<>();
    for (BlockFile file : dataNode.files()) {
      if (open.contains(file.block())) {
        continue;
      }
      Held replica = held.get(file.block());
      boolean there =
          replica != null
              && file.volume().equals(dataNode.storages().get(replica.storage()))
              && file.directory().equals(BlockFile.FINALIZED) == replica.isFinalized()
              && (!file.isMeta() || file.generation() == replica.generation());
      if (there) {
        (file.isMeta() ? meta : data).add(file.block());
        compareLength(dataNode, replica, file);
      } else if (!isCopyOfLazyPersist(file, replica)) {
        String what = (file.isMeta() ? "meta file" : "block file") + " in " + file.directory();
        String place = "block " + file.block() + " on " + dataNode.name() + " " + file.volume();
        add(Kind.LEFT_OVER, "", place, "a " + what + " that is of no replica");
      }
    }
    for (Held replica : held.values()) {
      boolean whole = data.contains(replica.block()) && meta.contains(replica.block());
      if (!whole && !open.contains(replica.block())) {
        String missing = data.contains(replica.block()) ? "meta file" : "block file";
        add(Kind.DISAGREEMENT, "", place(dataNode, replica), "the " + missing + " is missing");
      }
    }
  }

  /** The copy on disk of a replica on RAM_DISK is no replica yet. */
  private static boolean isCopyOfLazyPersist(BlockFile file, Held replica) {
    return replica != null && file.directory().equals("lazypersist");
  }

  private void compareLength(DataNodeContent dataNode, Held replica, BlockFile file) {
    if (!file.isMeta() && replica.isFinalized() && file.length() != replica.length()) {
      String reason = "the file has " + file.length() + " bytes, the replica " + replica.length();
      add(Kind.DISAGREEMENT, "", place(dataNode, replica), reason);
    }
  }
}
