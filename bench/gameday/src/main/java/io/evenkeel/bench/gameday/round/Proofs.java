package io.evenkeel.bench.gameday.round;

import io.evenkeel.bench.gameday.cluster.DataNodePlace;
import io.evenkeel.bench.gameday.cluster.GameCluster;
import io.evenkeel.bench.gameday.history.Finding;
import io.evenkeel.bench.gameday.history.Finding.Kind;
import io.evenkeel.bench.gameday.history.History;
import io.evenkeel.bench.gameday.history.Operation.Append;
import io.evenkeel.bench.gameday.history.Operation.Concat;
import io.evenkeel.bench.gameday.history.Operation.SetReplication;
import io.evenkeel.bench.gameday.history.Operation.Truncate;
import io.evenkeel.bench.gameday.load.Verification;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * Looks in the DataNodes' logs, and asks the NameNode, for the proof that a finding is one of
 * stock's defects, where the finding alone does not tell. Confined to one thread.
 *
 * <p>Apart from {@link StockDefects}, which know findings only.
 */
final class Proofs {
  /** Added to the reason of {@link StockDefects#EMPTY_META}. */
  static final String EMPTY_META = "; the replicas have not even the header of their meta files";

  /** Added to the reason of {@link StockDefects#HALF_TRUNCATED}. */
  static final String HALF_TRUNCATED = "; a truncate got half way on the disk";

  /** Added to the reason of {@link StockDefects#UNCLOSED_BLOCK_GROUP}. */
  static final String TOO_FEW_INTERNAL_BLOCKS = "; too few internal blocks have a byte";

  /** Added to the reason of {@link StockDefects#FEWER_CHECKSUMS}. */
  static final String REFUSED = "; a pipeline was refused for it before the block was recovered";

  /** Added to the reason of {@link StockDefects#STALE_CHECKSUM}. */
  static final String STALE = "; in the last chunk of what a recovery took for written";

  /** Added to the reason of {@link StockDefects#REPLICATION_OF_SNAPSHOT}. */
  static final String OF_SNAPSHOT = "; the NameNode expects them, by a snapshot";

  /** Added to the reason of {@link StockDefects#EXCESS_KEPT}. */
  static final String EXCESS = "; the NameNode takes their deletion for ordered";

  /** Added to the reasons of {@link StockDefects#ONLY_EXCESS} and its consequence. */
  static final String ONLY_EXCESS = "; the NameNode counts every good replica as excess";

  /** Added to the reason of {@link StockDefects#SAVED_AFTER_DELETION}. */
  static final String SAVED_AFTER_DELETION = "; the replica was deleted while it was saved";

  /** Added to the reason of {@link StockDefects#PASSED_OVER}. */
  static final String PASSED_OVER = "; the directory scanner passes over it still";

  /** Added to the reason of {@link StockDefects#HALF_DELETED}. */
  static final String HALF_DELETED = "; the DataNode was killed while it deleted the replica";

  /**
   * A hint and no proof: bytes that are lost stay a finding. After setReplication stock's NameNode
   * queues the block itself for deletion of a replica, not a copy of it. An append that follows
   * gives the block another generation stamp, so what is deleted then is the appended replica;
   * where the others were away meanwhile, acknowledged bytes are gone.
   */
  static final String DELETED = "; perhaps stock's deletion by order of an appended replica";

  private static final String DELETION = ": Deleted ";
  private static final int PASSED_OVER_DELETIONS = 64;
  private static final String NOT_SAVED = "LazyWriter failed to async persist RamDisk block ";
  private static final String SNAPSHOTS = "/snapshots/"; // the load's directory with snapshots
  private static final Pattern BLOCK = Pattern.compile("block (\\d+)_(\\d+)");
  private static final Pattern NAMED = Pattern.compile("blk_(-?\\d+)_");
  private static final Pattern FILE = Pattern.compile("block (\\d+) on (\\S+) .*");
  private static final Pattern MISMATCH =
      Pattern.compile("ChecksumException: .*blk_(\\d+)_.* at position (\\d+): .*");
  private static final Pattern RESET =
      Pattern.compile(
          ".*Resetting bytesOnDisk to match blockDataLength \\(=(\\d+)\\) for replica [^,]*, blk_(\\d+)_.*");
  private static final int CHUNK = 512; // bytes of a checksum, by dfs.bytes-per-checksum
  private static final Pattern OWNER = Pattern.compile("Block belongs to: (\\S+)");
  private static final Pattern COUNT = Pattern.compile("No\\. of (\\S+) Replica: (\\d+)");
  private static final Pattern TOO_MANY = Pattern.compile("(\\d+) replicas of (\\d+)");

  private final GameCluster cluster;
  private final DistributedFileSystem fs;
  private final History history;
  private final boolean fullVolumes;

  /**
   * Prepares.
   *
   * @param fullVolumes whether a volume was full in this round
   */
  Proofs(GameCluster cluster, DistributedFileSystem fs, History history, boolean fullVolumes) {
    this.cluster = cluster;
    this.fs = fs;
    this.history = history;
    this.fullVolumes = fullVolumes;
  }

  /** The finding, with the proof when there is one. */
  Finding mark(Finding finding) {
    try {
      return new Finding(
          finding.kind(), finding.path(), finding.place(), finding.reason() + proof(finding));
    } catch (IOException e) {
      return finding; // not proven
    }
  }

  private String proof(Finding finding) throws IOException {
    String path = finding.path();
    if (finding.kind() == Kind.LEFT_OVER) {
      return leftOver(finding);
    } else if (path.isEmpty()) {
      return "";
    } else if (finding.kind() == Kind.MANY_REPLICAS) {
      return tooMany(finding);
    } else if (finding.kind() == Kind.FEW_REPLICAS) {
      Matcher block = BLOCK.matcher(finding.place());
      String counted = block.find() ? cluster.view().fsck(block.group(1)) : "";
      return isOnlyExcess(counted) && isOpenedAgain(history, path) ? ONLY_EXCESS : counts(counted);
    }
    boolean unreadable = finding.kind() == Kind.UNREADABLE;
    if (unreadable && finding.reason().contains(Verification.NOT_CLOSED)) {
      return notClosed(path);
    } else if (unreadable && finding.reason().contains(Verification.FEWER_CHECKSUMS)) {
      Sign refused = refusal("Corrupted block: ReplicaBeingWritten, ");
      return isLogged(
              path,
              block ->
                  isOf(finding, block.getBlock().getBlockId()) ? refused.of(block) : line -> false)
          ? REFUSED
          : "";
    } else if (unreadable && MISMATCH.matcher(finding.reason()).matches()) {
      return stale(finding);
    }
    boolean possible = unreadable || finding.kind() == Kind.LOST_BYTES;
    return possible
            && (history.isFollowed(path, SetReplication.class, Append.class)
                || history.isFollowed(path, Concat.class, Append.class))
            && isLogged(path, Proofs::deletion)
        ? DELETED
        : "";
  }

  private String stale(Finding finding) throws IOException {
    for (DataNodePlace node : cluster.view().dataNodes()) {
      if (finding.place().contains(" on " + node.name() + ":")) {
        try (Stream<String> log = Files.lines(cluster.view().log(node.name()))) {
          return isStale(finding.reason(), log) ? STALE : "";
        } catch (UncheckedIOException e) {
          throw e.getCause();
        }
      }
    }
    return "";
  }

  /**
   * Whether the first checksum of a replica that is wrong is that of the last chunk it had when a
   * recovery took the length of its file.
   */
  static boolean isStale(String reason, Stream<String> dataNodeLog) {
    Matcher mismatch = MISMATCH.matcher(reason);
    if (!mismatch.matches()) {
      return false;
    }
    long position = Long.parseLong(mismatch.group(2));
    return dataNodeLog
        .map(RESET::matcher)
        .filter(Matcher::matches)
        .filter(reset -> reset.group(2).equals(mismatch.group(1)))
        .mapToLong(reset -> Long.parseLong(reset.group(1)))
        .anyMatch(length -> position < length && length <= position + CHUNK);
  }

  /** Whether a finding is of a block; of any where it names none. */
  static boolean isOf(Finding finding, long block) {
    Matcher named = NAMED.matcher(finding.place() + " " + finding.reason());
    return !named.find() || named.group(1).equals(Long.toString(block));
  }

  private String leftOver(Finding finding) throws IOException {
    Matcher file = FILE.matcher(finding.place());
    if (file.matches() && finding.reason().contains(" in lazypersist ")) {
      String deleted = " blk_" + file.group(1) + "_";
      String notSaved = "block Id: " + file.group(1);
      Path log = cluster.view().log(file.group(2));
      return isLogged(log, line -> line.contains(DELETION) && line.contains(deleted))
              && isLogged(log, line -> line.contains(NOT_SAVED) && line.endsWith(notSaved))
          ? SAVED_AFTER_DELETION
          : "";
    }
    if (file.matches() && finding.reason().contains(" in finalized ")) {
      try (Stream<String> log = Files.lines(cluster.view().log(file.group(2)))) {
        return isPassedOver(log, file.group(1)) ? PASSED_OVER : "";
      } catch (UncheckedIOException e) {
        throw e.getCause();
      }
    }
    if (file.matches() && finding.reason().startsWith("a meta file in rbw ")) {
      try (Stream<String> log = Files.lines(cluster.view().log(file.group(2)))) {
        return isHalfDeleted(log, file.group(1)) ? HALF_DELETED : "";
      } catch (UncheckedIOException e) {
        throw e.getCause();
      }
    }
    Matcher block = BLOCK.matcher(finding.place());
    String counted = block.find() ? cluster.view().fsck(block.group(1)) : "";
    Matcher owner = OWNER.matcher(counted);
    return isOnlyExcess(counted) && owner.find() && isOpenedAgain(history, owner.group(1))
        ? ONLY_EXCESS
        : "";
  }

  private String notClosed(String path) throws IOException {
    if (isLogged(path, refusal(" has no enough internal blocks"))) {
      return TOO_FEW_INTERNAL_BLOCKS;
    } else if (fullVolumes && isLogged(path, refusal("Metafile is empty, r="))) {
      return EMPTY_META;
    }
    return fullVolumes
            && history.has(path, Truncate.class)
            && isLogged(path, refusal("Block length mismatch, len="))
        ? HALF_TRUNCATED
        : "";
  }

  /** By what the NameNode itself counts. */
  private String tooMany(Finding finding) throws IOException {
    Matcher block = BLOCK.matcher(finding.place());
    Matcher counts = TOO_MANY.matcher(finding.reason());
    if (!block.find() || !counts.matches()) {
      return "";
    }
    long surplus = Long.parseLong(counts.group(1)) - Long.parseLong(counts.group(2));
    String counted = cluster.view().fsck(block.group(1));
    String path = finding.path();
    if (path.contains(SNAPSHOTS)
        && counted.contains("No. of Expected Replica: " + counts.group(1) + "\n")) {
      return OF_SNAPSHOT;
    }
    return counted.contains("No. of excess Replica: " + surplus + "\n")
            && isOpenedAgain(history, path)
            && wasChanged(block.group(1), block.group(2))
            && !isLogged(path, Proofs::failedDeletion)
        ? EXCESS
        : counts(counted);
  }

  /** For whoever looks into it: what the NameNode takes the replicas for. */
  static String counts(String counted) {
    return COUNT
        .matcher(counted)
        .results()
        .map(count -> count.group(2) + " " + count.group(1))
        .collect(Collectors.joining(", ", "; by fsck ", ""));
  }

  /**
   * Whether a replica of a block was deleted and too few others since, by a DataNode that has not
   * started anew: the directory scanner passes over a block until 64 replicas have been deleted
   * (FsDatasetAsyncDiskService).
   */
  static boolean isPassedOver(Stream<String> dataNodeLog, String id) {
    String name = " blk_" + id + "_";
    int since = PASSED_OVER_DELETIONS;
    for (String line : (Iterable<String>) dataNodeLog::iterator) {
      if (line.contains(name) && line.contains(DELETION)) {
        since = 0;
      } else if (line.contains(DELETION)) {
        since++;
      } else if (line.contains("STARTUP_MSG: Starting DataNode")) {
        since = PASSED_OVER_DELETIONS; // it has forgotten
      }
    }
    return since < PASSED_OVER_DELETIONS;
  }

  /** Whether a DataNode began to delete a replica and started anew before it had done so. */
  static boolean isHalfDeleted(Stream<String> dataNodeLog, String id) {
    String name = " blk_" + id + "_";
    boolean deleting = false;
    for (String line : (Iterable<String>) dataNodeLog::iterator) {
      if (line.contains(": Scheduling" + name)) {
        deleting = true;
      } else if (line.contains(name) && line.contains(DELETION)) {
        deleting = false;
      } else if (deleting && line.contains("STARTUP_MSG: Starting DataNode")) {
        return true;
      }
    }
    return false;
  }

  /** Whether a NameNode that has good replicas of a block takes none of them for one to keep. */
  static boolean isOnlyExcess(String counted) {
    return counted.contains("No. of live Replica: 0\n")
        && counted.contains("No. of excess Replica: ")
        && !counted.contains("No. of excess Replica: 0\n");
  }

  /**
   * Whether a file was opened again once it had been closed: a block has another stamp also where
   * its writer lost a DataNode. Of a file that only a snapshot has it is not known.
   */
  static boolean isOpenedAgain(History history, String path) {
    return path.contains("/.snapshot/")
        || history.has(path, Append.class)
        || history.has(path, Truncate.class);
  }

  private boolean wasChanged(String id, String stamp) throws IOException {
    for (String nameNode : cluster.view().nameNodes()) {
      try (Stream<String> lines = Files.lines(cluster.view().log(nameNode))) {
        if (wasChanged(lines, id, stamp)) {
          return true;
        }
      } catch (UncheckedIOException e) {
        throw e.getCause();
      }
    }
    return false;
  }

  /** Whether a block has another generation stamp than when a NameNode allocated it. */
  static boolean wasChanged(Stream<String> nameNodeLog, String id, String stamp) {
    String allocated = "BLOCK* allocate blk_" + id + "_";
    return nameNodeLog.anyMatch(
        line -> line.contains(allocated) && !line.contains(allocated + stamp + ","));
  }

  private static Sign refusal(String text) {
    return block -> {
      String name = "blk_" + block.getBlock().getBlockId() + "_";
      return line -> line.contains(text) && line.contains(name);
    };
  }

  private static Predicate<String> deletion(LocatedBlock block) {
    String name =
        "blk_" + block.getBlock().getBlockId() + "_" + block.getBlock().getGenerationStamp() + " ";
    return line -> line.contains(DELETION) && line.contains(name);
  }

  /** One that was ordered; not one that an append came before. */
  private static Predicate<String> failedDeletion(LocatedBlock block) {
    String name = "blk_" + block.getBlock().getBlockId() + "_";
    return line ->
        line.contains("Failed to delete replica " + name)
            && !line.contains("GenerationStamp not matched");
  }

  /** What to look for about a block. */
  private interface Sign {
    Predicate<String> of(LocatedBlock block);
  }

  /** Whether a DataNode's log has a line of that kind about a block of the file. */
  private boolean isLogged(String path, Sign sign) throws IOException {
    for (LocatedBlock block : fs.getClient().getLocatedBlocks(path, 0).getLocatedBlocks()) {
      for (DataNodePlace node : cluster.view().dataNodes()) {
        if (isLogged(cluster.view().log(node.name()), sign.of(block))) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean isLogged(Path log, Predicate<String> line) throws IOException {
    try (Stream<String> lines = Files.lines(log)) {
      return lines.anyMatch(line);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }
}
