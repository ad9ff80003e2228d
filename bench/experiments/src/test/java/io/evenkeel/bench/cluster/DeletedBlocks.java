package io.evenkeel.bench.cluster;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * Blocks with acknowledged bytes whose last replica stock's NameNode has had deleted: it holds the
 * block object itself in its queue of deletions, so that after {@code setReplication}, an append
 * and a restart of a DataNode the replica with the new generation stamp goes as well. No DataNode
 * has files of such a block any more. Where one has, the DataNode has forgotten its replica
 * (HDFS-17342), which is no fault of the NameNode.
 */
final class DeletedBlocks {
  private final List<Path> nodes;

  /**
   * Prepares.
   *
   * @param nodes the directories of all DataNodes
   */
  DeletedBlocks(List<Path> nodes) {
    this.nodes = nodes;
  }

  /** Whether a file has such a block. */
  boolean has(DistributedFileSystem fs, org.apache.hadoop.fs.Path file) {
    try {
      for (LocatedBlock block :
          fs.getClient()
              .getLocatedBlocks(file.toUri().getPath(), 0, Long.MAX_VALUE)
              .getLocatedBlocks()) {
        if (block.getLocations().length == 0 && !isOnDisk(block.getBlock().getBlockId())) {
          return true;
        }
      }
      return false;
    } catch (FileNotFoundException e) {
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean isOnDisk(long block) throws IOException {
    for (Path node : nodes) {
      try (Stream<Path> files = Files.walk(node)) {
        if (files.anyMatch(file -> file.getFileName().toString().equals("blk_" + block))) {
          return true;
        }
      } catch (UncheckedIOException e) {
        return true; // a file went while we looked: asked again
      }
    }
    return false;
  }
}
