package io.evenkeel.bench.gameday.round;

import io.evenkeel.bench.gameday.agreement.Block;
import io.evenkeel.bench.gameday.agreement.BlockFile;
import io.evenkeel.bench.gameday.agreement.DataNodeContent;
import io.evenkeel.bench.gameday.cluster.DataNodePlace;
import io.evenkeel.bench.gameday.cluster.DataNodeState;
import io.evenkeel.bench.gameday.cluster.GameCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockStoragePolicySuite;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;

/**
 * Reads what NameNode, DataNodes and disks of a cluster say now. Confined to one thread. Apart from
 * {@link Round}, which knows no protocol of HDFS.
 */
final class ClusterReader {
  private static final List<String> STATES =
      List.of(BlockFile.FINALIZED, "rbw", "tmp", "lazypersist");

  private static final int BLOCKS_OF_A_GROUP = 16; // at most

  private final GameCluster cluster;
  private final DistributedFileSystem fs;
  private final BlockStoragePolicySuite policies = BlockStoragePolicySuite.createDefaultSuite();
  private final Map<String, String> names = new TreeMap<>();
  private final Set<Long> open = new TreeSet<>();

  /** Takes a cluster and a client of it. */
  ClusterReader(GameCluster cluster, DistributedFileSystem fs) {
    this.cluster = cluster;
    this.fs = fs;
    for (DataNodePlace node : cluster.view().dataNodes()) {
      names.put(node.address() + ":" + node.port(), node.name());
    }
  }

  // The NameNode ---------------------------------------------------------------------------------

  /** All files of the namespace, without those in snapshots. */
  List<String> paths() throws IOException {
    List<String> paths = new ArrayList<>();
    RemoteIterator<LocatedFileStatus> files =
        fs.listFiles(new org.apache.hadoop.fs.Path("/"), true);
    while (files.hasNext()) {
      paths.add(files.next().getPath().toUri().getPath());
    }
    return paths;
  }

  /** Blocks of closed files; one that several paths share has the most replicas any asks for. */
  Collection<Block> blocks(Collection<String> paths) throws IOException {
    open.clear();
    Map<Long, Block> blocks = new LinkedHashMap<>();
    for (String path : paths) {
      HdfsFileStatus status = fs.getClient().getFileInfo(path);
      if (status == null || status.isDirectory()) {
        continue;
      }
      LocatedBlocks located = fs.getClient().getLocatedBlocks(path, 0, Long.MAX_VALUE);
      if (located.isUnderConstruction()) {
        located.getLocatedBlocks().forEach(this::addOpen);
        continue;
      }
      for (LocatedBlock block : located.getLocatedBlocks()) {
        for (Block each : blocks(path, status, block)) {
          blocks.merge(each.id(), each, ClusterReader::shared);
        }
      }
    }
    return blocks.values();
  }

  private void addOpen(LocatedBlock block) {
    long id = block.getBlock().getBlockId();
    open.add(id);
    if (block instanceof LocatedStripedBlock) {
      for (int i = 1; i < BLOCKS_OF_A_GROUP; i++) {
        open.add(id + i);
      }
    }
  }

  /**
   * Ids of the blocks of files that {@link #blocks} found open the last time; of a block group all
   * internal blocks.
   */
  Set<Long> open() {
    return open;
  }

  private static Block shared(Block one, Block other) {
    boolean former = one.path().contains("/.snapshot/");
    Block now = former ? other : one;
    int replication = Math.max(one.replication(), other.replication());
    List<String> types = replication == now.replication() ? now.types() : List.of();
    return new Block(
        now.path(),
        now.id(),
        now.generation(),
        now.length(),
        now.striped(),
        replication,
        types,
        now.replicas());
  }

  private List<Block> blocks(String path, HdfsFileStatus status, LocatedBlock block) {
    List<Block> result = new ArrayList<>();
    if (block instanceof LocatedStripedBlock group) {
      ErasureCodingPolicy coding = status.getErasureCodingPolicy();
      int data = coding.getNumDataUnits();
      for (int i = 0; i < data + coding.getNumParityUnits(); i++) {
        long length = StripedBlockUtil.getInternalBlockLength(group.getBlockSize(), coding, i);
        if (length > 0) {
          result.add(internal(path, status, group, i, length));
        }
      }
    } else {
      int replication = status.getReplication();
      result.add(
          new Block(
              path,
              block.getBlock().getBlockId(),
              block.getBlock().getGenerationStamp(),
              block.getBlockSize(),
              false,
              replication,
              types(status, replication),
              locations(block, Optional.empty())));
    }
    return result;
  }

  private Block internal(
      String path, HdfsFileStatus status, LocatedStripedBlock group, int index, long length) {
    return new Block(
        path,
        group.getBlock().getBlockId() + index,
        group.getBlock().getGenerationStamp(),
        length,
        true,
        1,
        types(status, 1),
        locations(group, Optional.of(index)));
  }

  private List<Block.Location> locations(LocatedBlock block, Optional<Integer> index) {
    List<Block.Location> locations = new ArrayList<>();
    DatanodeInfo[] nodes = block.getLocations();
    for (int i = 0; i < nodes.length; i++) {
      boolean meant =
          index.isEmpty() || ((LocatedStripedBlock) block).getBlockIndices()[i] == index.get();
      if (meant && nodes[i] instanceof DatanodeInfoWithStorage node) {
        locations.add(
            new Block.Location(
                names.get(node.getXferAddr()), node.getStorageID(), node.getStorageType().name()));
      }
    }
    return locations;
  }

  /** A replica on RAM_DISK is on DISK later: there it is not known. */
  private List<String> types(HdfsFileStatus status, int replication) {
    BlockStoragePolicy policy = policies.getPolicy(status.getStoragePolicy());
    if (policy == null || Arrays.asList(policy.getStorageTypes()).contains(StorageType.RAM_DISK)) {
      return List.of();
    }
    return policy.chooseStorageTypes((short) replication).stream().map(Enum::name).toList();
  }

  // The DataNodes --------------------------------------------------------------------------------

  /** What each DataNode has in its replica map and on its disks. */
  List<DataNodeContent> dataNodes() throws IOException {
    List<DataNodeContent> all = new ArrayList<>();
    for (DataNodePlace node : cluster.view().dataNodes()) {
      Map<String, String> storages = new TreeMap<>();
      for (DataNodeState.Volume volume : cluster.view().state(node.name()).volumes()) {
        storages.put(volume.storage(), volume.name());
      }
      List<DataNodeContent.Held> held =
          cluster.replicas(node.name()).stream()
              .map(
                  line ->
                      new DataNodeContent.Held(
                          line.block(),
                          line.generation(),
                          line.length(),
                          line.state(),
                          line.storage()))
              .toList();
      all.add(
          new DataNodeContent(node.name(), node.host(), node.rack(), storages, held, files(node)));
    }
    return all;
  }

  private static List<BlockFile> files(DataNodePlace node) throws IOException {
    List<BlockFile> files = new ArrayList<>();
    for (DataNodePlace.Volume volume : node.volumes()) {
      Path current = volume.directory().resolve("current");
      if (Files.isDirectory(current)) {
        try (Stream<Path> all = Files.walk(current)) {
          all.forEach(
              file -> file(volume.name(), current.relativize(file), file).ifPresent(files::add));
        } catch (UncheckedIOException e) {
          throw e.getCause(); // a directory went away; whoever asks looks again
        }
      }
    }
    return files;
  }

  private static Optional<BlockFile> file(String volume, Path relative, Path file) {
    for (Path part : relative) {
      String state = part.toString();
      if (STATES.contains(state)) {
        String name = String.valueOf(file.getFileName());
        try {
          return BlockFile.of(volume, state, name, Files.size(file));
        } catch (NoSuchFileException e) {
          return Optional.empty();
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }
    return Optional.empty();
  }
}
