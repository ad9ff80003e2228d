package io.evenkeel.cli.core.blocks;

import io.evenkeel.cli.core.topology.StripedSchema;
import io.evenkeel.cli.core.topology.TopologyException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads what {@code hdfs fsck PATH -files -blocks -locations} prints, line by line, also with
 * {@code -racks}, {@code -replicaDetails} and {@code -storagepolicies}; the same since Hadoop 2.8.
 * Blocks of files that are being written are not listed by fsck and a block under construction is
 * left out. Not thread-safe.
 */
public final class FsckReader {
  private static final Pattern FILE =
      Pattern.compile(
          "(/.*) \\d+ bytes, (?:replicated: replication=(\\d+), "
              + "|erasure-coded: policy=([^,]+), )?\\d+ block\\(s\\).*");
  private static final Pattern BLOCK =
      Pattern.compile("\\d+\\. \\S+:blk_-?\\d+_\\d+ len=(\\d+) ?(.*)");
  private static final Pattern LIVE = Pattern.compile("Live_repl=(\\d+)");
  private static final Pattern REPLICA =
      Pattern.compile(
          "(?:(blk_-?\\d+):)?(?:DatanodeInfoWithStorage\\[([^,]+),[^]]*]|([^,()\\[\\] ]+:\\d+))"
              + "(?:\\(ud=[^)]*\\))?(?:\\(([^)]*)\\))?");
  private static final String HOW =
      "; run hdfs fsck / -files -blocks -locations -racks -replicaDetails";

  private final Consumer<ListedBlock> blocks;
  private final StorageTypes storageTypes = new StorageTypes();
  private String path;
  private int replication;
  private StripedSchema schema;
  private long number;
  private long count;
  private boolean ended;
  private int listings;
  private String reason;
  private String failure;
  private boolean absent;

  /** Creates a reader that hands on every block. */
  public FsckReader(Consumer<ListedBlock> blocks) {
    this.blocks = blocks;
  }

  /**
   * Reads the next line.
   *
   * @throws ListingException when it is a block without its file or without locations
   */
  public void line(String line) {
    number++;
    if (line.startsWith("/")) {
      file(line);
    } else if (!line.isEmpty() && Character.isDigit(line.charAt(0))) {
      Matcher block = BLOCK.matcher(line);
      if (block.matches() && !block.group(2).startsWith("Expected_repl=")) {
        block(Long.parseLong(block.group(1)), block.group(2));
      }
    } else if (line.startsWith("FSCK started")) {
      listings++;
      ended = false;
      path = null;
    } else if (line.startsWith("Status:")) {
      ended = true;
    } else {
      end(line);
    }
  }

  /** The reason of a failure stands between the two lines that tell of it. */
  private void end(String line) {
    if (line.startsWith("FSCK ended")) {
      reason = "";
    } else if (line.startsWith("Fsck on path ") && line.endsWith("FAILED")) {
      failure = reason == null || reason.isEmpty() ? line : reason;
    } else if (line.startsWith("Path '") && line.endsWith("does not exist")) {
      absent = true;
    } else if (reason != null && reason.isEmpty()) {
      reason = line.trim();
    } else if (ended) {
      storageTypes.line(line);
    }
  }

  private void file(String line) {
    Matcher file = FILE.matcher(line);
    if (!file.matches()) {
      return;
    }
    path = file.group(1);
    replication = file.group(2) == null ? 0 : Integer.parseInt(file.group(2));
    try {
      schema = file.group(3) == null ? null : StripedSchema.parse(file.group(3));
    } catch (TopologyException e) {
      throw failure("the policy of " + path + " is not understood: " + e.getMessage());
    }
  }

  private void block(long length, String rest) {
    if (path == null) {
      throw failure("a block without its file" + HOW);
    }
    int bracket = rest.indexOf('[');
    boolean missing = rest.contains("MISSING!");
    if (bracket < 0 && !missing) {
      throw failure("a block without locations" + HOW);
    }
    List<ListedBlock.Replica> replicas = bracket < 0 ? new ArrayList<>() : replicas(rest, bracket);
    Matcher live = LIVE.matcher(rest);
    int liveCount = live.find() ? Integer.parseInt(live.group(1)) : replicas.size();
    int wanted = replication == 0 ? replicas.size() : replication;
    count++;
    blocks.accept(
        new ListedBlock.Builder(path, wanted, schema).length(length).build(liveCount, replicas));
  }

  private static List<ListedBlock.Replica> replicas(String rest, int from) {
    List<ListedBlock.Replica> replicas = new ArrayList<>();
    Matcher m = REPLICA.matcher(rest);
    for (boolean found = m.find(from); found; found = m.find()) {
      String location = m.group(2) == null ? m.group(3) : m.group(2);
      String unit = m.group(1) == null ? "" : m.group(1);
      String state = m.group(4) == null ? "" : m.group(4);
      replicas.add(new ListedBlock.Replica(location, unit, state));
    }
    return replicas;
  }

  private ListingException failure(String message) {
    return new ListingException("line " + number + ": " + message);
  }

  /** Blocks read so far. */
  public long blocks() {
    return count;
  }

  /** Whether this was fsck's output at all, and it ended with its summary. */
  public boolean isComplete() {
    return listings > 0 && ended;
  }

  /** What it counted by storage types. */
  public StorageTypes storageTypes() {
    return storageTypes;
  }

  /** Why fsck gave up, as it says itself; null when it did not. */
  public String failure() {
    return failure;
  }

  /** Whether fsck found no such path. */
  public boolean isAbsent() {
    return absent;
  }
}
