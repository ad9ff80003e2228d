package io.evenkeel.bench.cluster;

import io.evenkeel.common.testing.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * Replicas that stock has made corrupt, or calls so. With as many DataNodes as replicas nothing
 * takes their place until the replication is lowered.
 *
 * <ul>
 *   <li>Copies that the NameNode ordered too short ({@code StockNameNodeIT}): the order to copy a
 *       block holds the block object itself, so that an append in between changes what is ordered,
 *       to the length of the append's first hflush.
 *   <li>Replicas that were appended to during a scan of their disk, which stock's dataset of 3.4
 *       then reports as corrupt ({@code ScanOutOfDateIT}). One that ours reports does not count.
 *       Where the other DataNode was down it is the only one, and the file is lost.
 * </ul>
 */
final class ShortCopies {
  private static final Pattern LACKING =
      Pattern.compile("(?m)^(/\\S+):\\s+Under replicated ((BP-\\S+):blk_(\\d+)_\\d+)\\.");
  private static final Pattern LOST =
      Pattern.compile("(?m)^(/\\S+): CORRUPT blockpool \\S+ block (blk_\\d+)");
  private static final Duration LIMIT = Duration.ofMinutes(3);

  /** A report that was triggered before is sent by then. */
  private static final Duration REPORTED = Duration.ofSeconds(5);

  private final DistributedFileSystem fs;
  private final List<ReconfiguredNode> nodes;
  private final EndlessReports reports;

  /**
   * Prepares.
   *
   * @param nodes whose logs tell of copies
   * @param reports theirs, which pause while a replica is replaced
   */
  ShortCopies(DistributedFileSystem fs, List<ReconfiguredNode> nodes, EndlessReports reports) {
    this.reports = reports;
    this.fs = fs;
    this.nodes = nodes;
  }

  /**
   * Has those replaced that keep files from their replication.
   *
   * @param fsck what it says of the namespace
   * @return how many
   */
  int replace(String fsck) {
    int replaced = 0;
    Matcher lacking = LACKING.matcher(fsck);
    try {
      while (lacking.find()) {
        Path file = new Path(lacking.group(1));
        long length = length(file, Long.parseLong(lacking.group(4)));
        String replica = lacking.group(2).substring(lacking.group(3).length() + 1);
        if (ordered(lacking.group(2), length) || reportedByStock(replica + " ")) {
          replace(file, lacking.group(3) + " blk_" + lacking.group(4));
          replaced++;
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return replaced;
  }

  /** Files with a block of which stock has called the only replica corrupt. */
  Set<Path> lost(String fsck) {
    Set<Path> lost = new TreeSet<>();
    Matcher corrupt = LOST.matcher(fsck);
    try {
      while (corrupt.find()) {
        if (reportedByStock(corrupt.group(2) + "_")) {
          lost.add(new Path(corrupt.group(1)));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return lost;
  }

  /**
   * One full report has the corrupt replica deleted. A second one right after it, with the replica
   * that is about to go, would have the good one deleted as well ({@code StockNameNodeIT}).
   */
  private void replace(Path file, String block) throws IOException {
    short wanted = fs.getFileStatus(file).getReplication();
    synchronized (reports) {
      Await.pauseUninterruptibly(REPORTED);
      fs.setReplication(file, (short) 1);
      reports.once();
      Processes.await(LIMIT, () -> replicas(block) == 1);
      fs.setReplication(file, wanted);
    }
  }

  private long replicas(String block) {
    long count = 0;
    try {
      for (ReconfiguredNode node : nodes) {
        count +=
            ReplicaPlaces.onDisk(node.paths()).stream()
                .filter(place -> place.block().equals(block))
                .count();
      }
    } catch (IOException | UncheckedIOException e) {
      return -1; // a file went while we looked
    }
    return count;
  }

  private long length(Path file, long block) throws IOException {
    return fs
        .getClient()
        .getLocatedBlocks(file.toUri().getPath(), 0, Long.MAX_VALUE)
        .getLocatedBlocks()
        .stream()
        .filter(located -> located.getBlock().getBlockId() == block)
        .mapToLong(LocatedBlock::getBlockSize)
        .findFirst()
        .orElse(0);
  }

  /** Whether a DataNode was told to copy less than the block has. */
  private boolean ordered(String block, long length) throws IOException {
    Pattern copied =
        Pattern.compile("Transmitted " + Pattern.quote(block) + " \\(numBytes=(\\d+)\\)");
    for (ReconfiguredNode node : nodes) {
      try (Stream<String> lines = Files.lines(node.log(), StandardCharsets.ISO_8859_1)) {
        if (lines.map(copied::matcher).anyMatch(m -> m.find() && shorter(m, length))) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Whether a DataNode has called one whose name begins so corrupt after a scan while it ran with
   * stock's dataset.
   */
  private boolean reportedByStock(String replica) throws IOException {
    String report = "Reporting the block " + replica;
    for (ReconfiguredNode node : nodes) {
      boolean ours = false;
      try (Stream<String> lines = Files.lines(node.log(), StandardCharsets.ISO_8859_1)) {
        for (String line : (Iterable<String>) lines::iterator) {
          if (line.contains("STARTUP_MSG: Starting DataNode")) {
            ours = false;
          } else if (line.contains("Evenkeel FineGrainedDatasetFactory")) {
            ours |= line.contains("is active");
          } else if (!ours
              && line.contains(report)
              && line.contains("as corrupt due to length mismatch")) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private static boolean shorter(Matcher copied, long length) {
    return Long.parseLong(copied.group(1)) < length;
  }
}
