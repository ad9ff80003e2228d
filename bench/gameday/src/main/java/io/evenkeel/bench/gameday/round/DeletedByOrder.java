package io.evenkeel.bench.gameday.round;

import io.evenkeel.bench.gameday.cluster.DataNodePlace;
import io.evenkeel.bench.gameday.cluster.GameCluster;
import io.evenkeel.bench.gameday.history.Finding;
import io.evenkeel.bench.gameday.history.History;
import io.evenkeel.bench.gameday.history.Operation.Append;
import io.evenkeel.bench.gameday.history.Operation.SetReplication;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * Looks for the proof of one defect of stock: after setReplication the NameNode queues the block
 * itself for deletion of a replica, not a copy of it. An append that follows at once gives the
 * block another generation stamp, so what is deleted then is the appended replica; where the others
 * were away meanwhile, the acknowledged bytes are gone. Confined to one thread.
 *
 * <p>Apart from {@link StockDefects}, which know findings only.
 */
final class DeletedByOrder {
  /** What it adds to a finding's reason. */
  static final String PROOF = "; deleted by the NameNode's order after an append";

  private final GameCluster cluster;
  private final DistributedFileSystem fs;
  private final History history;

  DeletedByOrder(GameCluster cluster, DistributedFileSystem fs, History history) {
    this.cluster = cluster;
    this.fs = fs;
    this.history = history;
  }

  /** The finding, with the proof when there is one. */
  Finding mark(Finding finding) {
    try {
      boolean possible =
          switch (finding.kind()) {
            case LOST_BYTES, UNREADABLE, FEW_REPLICAS, DISAGREEMENT -> true;
            default -> false;
          };
      return possible && !finding.path().isEmpty() && isProven(finding.path())
          ? new Finding(finding.kind(), finding.path(), finding.place(), finding.reason() + PROOF)
          : finding;
    } catch (IOException e) {
      return finding; // not proven
    }
  }

  private boolean isProven(String path) throws IOException {
    if (!history.isFollowed(path, SetReplication.class, Append.class)) {
      return false;
    }
    for (LocatedBlock block : fs.getClient().getLocatedBlocks(path, 0).getLocatedBlocks()) {
      String name =
          "blk_"
              + block.getBlock().getBlockId()
              + "_"
              + block.getBlock().getGenerationStamp()
              + " ";
      for (DataNodePlace node : cluster.view().dataNodes()) {
        try (Stream<String> lines = Files.lines(cluster.view().log(node.name()))) {
          if (lines.anyMatch(line -> line.contains(": Deleted ") && line.contains(name))) {
            return true;
          }
        } catch (UncheckedIOException e) {
          throw e.getCause();
        }
      }
    }
    return false;
  }
}
