package io.evenkeel.bench.gameday.round;

import io.evenkeel.bench.gameday.cluster.DataNodePlace;
import io.evenkeel.bench.gameday.cluster.GameCluster;
import io.evenkeel.bench.gameday.history.Finding;
import io.evenkeel.bench.gameday.history.Finding.Kind;
import io.evenkeel.bench.gameday.history.History;
import io.evenkeel.bench.gameday.history.Operation.Append;
import io.evenkeel.bench.gameday.history.Operation.SetReplication;
import io.evenkeel.bench.gameday.load.Verification;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * Looks in the DataNodes' logs for the proof that a finding is one of stock's defects, where the
 * finding alone does not tell. Confined to one thread.
 *
 * <p>Apart from {@link StockDefects}, which know findings only.
 */
final class Proofs {
  /** Added to the reason of {@link StockDefects#APPENDED_REPLICA_DELETED}. */
  static final String DELETED = "; deleted by the NameNode's order after an append";

  /** Added to the reason of {@link StockDefects#EXCESS_KEPT}. */
  static final String EXCESS = "; their deletion was ordered with the stamp before an append";

  /** Added to the reason of {@link StockDefects#EMPTY_META}. */
  static final String EMPTY_META = "; the replicas have not even the header of their meta files";

  /** Added to the reason of {@link StockDefects#HALF_TRUNCATED}. */
  static final String HALF_TRUNCATED = "; a truncate got half way on the disk";

  private final GameCluster cluster;
  private final DistributedFileSystem fs;
  private final History history;

  Proofs(GameCluster cluster, DistributedFileSystem fs, History history) {
    this.cluster = cluster;
    this.fs = fs;
    this.history = history;
  }

  /** The finding, with the proof when there is one. */
  Finding mark(Finding finding) {
    if (finding.path().isEmpty()) {
      return finding;
    }
    try {
      String proof = isNotClosed(finding) ? notClosed(finding.path()) : deletedByOrder(finding);
      return new Finding(finding.kind(), finding.path(), finding.place(), finding.reason() + proof);
    } catch (IOException e) {
      return finding; // not proven
    }
  }

  private static boolean isNotClosed(Finding finding) {
    return finding.kind() == Kind.UNREADABLE && finding.reason().contains(Verification.NOT_CLOSED);
  }

  private String notClosed(String path) throws IOException {
    return isLogged(path, refusal("Metafile is empty, r="))
        ? EMPTY_META
        : isLogged(path, refusal("Block length mismatch, len=")) ? HALF_TRUNCATED : "";
  }

  private static Sign refusal(String text) {
    return block -> {
      String name = "blk_" + block.getBlock().getBlockId() + "_";
      return line -> line.contains(text) && line.contains(name);
    };
  }

  private String deletedByOrder(Finding finding) throws IOException {
    if (finding.kind() == Kind.MANY_REPLICAS
        && history.isFollowed(finding.path(), SetReplication.class, Append.class)) {
      return EXCESS;
    }
    boolean possible =
        switch (finding.kind()) {
          case LOST_BYTES, UNREADABLE, FEW_REPLICAS, DISAGREEMENT -> true;
          default -> false;
        };
    return possible
            && history.isFollowed(finding.path(), SetReplication.class, Append.class)
            && isLogged(
                finding.path(),
                block -> {
                  String name =
                      "blk_"
                          + block.getBlock().getBlockId()
                          + "_"
                          + block.getBlock().getGenerationStamp()
                          + " ";
                  return line -> line.contains(": Deleted ") && line.contains(name);
                })
        ? DELETED
        : "";
  }

  /** What to look for about a block. */
  private interface Sign {
    Predicate<String> of(LocatedBlock block);
  }

  /** Whether a DataNode's log has a line of that kind about a block of the file. */
  private boolean isLogged(String path, Sign sign) throws IOException {
    for (LocatedBlock block : fs.getClient().getLocatedBlocks(path, 0).getLocatedBlocks()) {
      for (DataNodePlace node : cluster.view().dataNodes()) {
        try (Stream<String> lines = Files.lines(cluster.view().log(node.name()))) {
          if (lines.anyMatch(sign.of(block))) {
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
