package io.evenkeel.bench.gameday.load;

import io.evenkeel.bench.gameday.history.Content;
import io.evenkeel.bench.gameday.history.Finding;
import io.evenkeel.bench.gameday.history.History;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.BlockReader;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.impl.BlockReaderFactory;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.protocol.SnapshottableDirectoryStatus;
import org.apache.hadoop.hdfs.server.datanode.CachingStrategy;
import org.apache.hadoop.net.NetUtils;

/**
 * Reads everything when the load is over and the cluster is calm: each path as a client does, and
 * each replica of each block from its DataNode. What is wrong is then among the findings of the
 * history. Confined to one thread.
 *
 * <p>Apart from the load, which is over by then.
 */
public final class Verification {
  /** What a DataNode says of a replica with fewer checksums than bytes. */
  public static final String FEWER_CHECKSUMS = " but reached end of file";

  /** What is said of a file whose lease cannot be recovered. */
  public static final String NOT_CLOSED = "not closed in ";

  private static final int BUFFER_BYTES = 64 << 10;
  private static final long CHECK_MILLIS = 200;

  private final DistributedFileSystem fs;
  private final History history;
  private final String root;
  private final Duration patience;
  private final byte[] buffer = new byte[BUFFER_BYTES];

  /** Bytes of each block whose replicas have been read, by its name: snapshots share blocks. */
  private final Map<String, Long> done = new HashMap<>();

  private long files;
  private long replicas;

  /**
   * Takes a client.
   *
   * @param root directory of the load
   * @param patience how long to wait for the recovery of a file that is still open, and for a
   *     replica
   */
  public Verification(DistributedFileSystem fs, History history, String root, Duration patience) {
    this.fs = fs;
    this.history = history;
    this.root = root;
    this.patience = patience;
  }

  /** Files that were read. */
  public long files() {
    return files;
  }

  /** Replicas that were read. */
  public long replicas() {
    return replicas;
  }

  /**
   * Judges every path that has a file or has to have one.
   *
   * @throws IOException when the namespace cannot be listed
   */
  public void run() throws IOException, InterruptedException {
    Set<String> paths = listed();
    paths.addAll(history.present());
    recoverLeases(paths);
    for (String path : paths) {
      try {
        if (closed(path)) {
          // Asked for first: what the client finds corrupt, the NameNode no longer names.
          LocatedBlocks blocks = fs.getClient().getLocatedBlocks(path, 0, Long.MAX_VALUE);
          Recorder.read(fs, path, history.settling(path), buffer);
          files++;
          readReplicas(path, blocks);
        }
      } catch (FileNotFoundException e) {
        history.settling(path).absent();
      } catch (IOException e) {
        unreadable(path, "", e);
      }
    }
  }

  private Set<String> listed() throws IOException {
    Set<String> paths = new TreeSet<>();
    list(new Path(root), paths);
    SnapshottableDirectoryStatus[] directories = fs.getSnapshottableDirListing();
    for (int i = 0; directories != null && i < directories.length; i++) {
      Path directory = directories[i].getFullPath();
      if (directory.toUri().getPath().startsWith(root + "/")) {
        list(new Path(directory, ".snapshot"), paths);
      }
    }
    return paths;
  }

  private void list(Path directory, Set<String> paths) throws IOException {
    RemoteIterator<? extends FileStatus> all = fs.listFiles(directory, true);
    while (all.hasNext()) {
      paths.add(all.next().getPath().toUri().getPath());
    }
  }

  /** Begins with all at once, and waits for all as long as for one. */
  private void recoverLeases(Set<String> paths) throws InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    Set<String> open = new TreeSet<>(paths);
    while (true) {
      for (String path : List.copyOf(open)) {
        try {
          if (closed(path)) {
            open.remove(path);
          }
        } catch (IOException e) {
          open.remove(path); // said when it is read
        }
      }
      if (open.isEmpty() || System.nanoTime() > deadline) {
        break;
      }
      Thread.sleep(CHECK_MILLIS);
    }
    for (String path : open) {
      unreadable(path, "", new IOException(NOT_CLOSED + patience.toSeconds() + " s"));
    }
  }

  /** Recovers the lease of a file that nobody writes any more. */
  private boolean closed(String path) throws IOException {
    return path.contains(Recorder.SNAPSHOTS) || fs.recoverLease(new Path(path));
  }

  private void unreadable(String path, String place, IOException e) {
    String message = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    String reason = e.getClass().getSimpleName() + ": " + message;
    history.add(new Finding(Finding.Kind.UNREADABLE, path, place, reason));
  }

  private void readReplicas(String path, LocatedBlocks blocks)
      throws IOException, InterruptedException {
    if (history.doubtful().contains(path) || !history.present().contains(path)) {
      return; // a finding already
    }
    Content content = history.content(path);
    for (LocatedBlock block : blocks.getLocatedBlocks()) {
      String name = block.getBlock().toString();
      if (done.getOrDefault(name, 0L) >= bytes(content, block)) {
        continue;
      }
      done.put(name, bytes(content, block));
      if (block instanceof LocatedStripedBlock group) {
        readGroup(path, content, group, blocks.getErasureCodingPolicy());
        continue;
      }
      for (DatanodeInfo location : block.getLocations()) {
        Expected expected =
            (position, length) ->
                content.matching(block.getStartOffset() + position, buffer, 0, length);
        long start = block.getStartOffset();
        awaitReplica(
            new Read(path, start, block, location, bytes(content, block), "the replica", expected));
      }
    }
  }

  private void readGroup(
      String path, Content content, LocatedStripedBlock block, ErasureCodingPolicy policy)
      throws IOException, InterruptedException {
    if (bytes(content, block) < block.getBlockSize()) {
      return; // then it is not known what parity is of
    }
    BlockGroup group = new BlockGroup(block, policy, content);
    LocatedBlock[] internal = group.located();
    for (int i = 0; i < internal.length; i++) {
      if (internal[i] != null && group.length(i) > 0) { // one that is nowhere is told by others
        int unit = i;
        Expected expected =
            (position, length) -> group.matching(unit, (int) position, buffer, length);
        DatanodeInfo location = internal[i].getLocations()[0];
        long start = block.getStartOffset();
        awaitReplica(
            new Read(path, start, internal[i], location, group.length(i), group.name(i), expected));
      }
    }
  }

  /** How many bytes of the buffer are those that have to be at a position. */
  private interface Expected {
    int matching(long position, int length);
  }

  /**
   * A replica to be read.
   *
   * @param start where the file has its block or block group
   * @param block as its DataNode knows it
   * @param bytes that it has to have at least
   * @param what it is, for a finding
   */
  private record Read(
      String path,
      long start,
      LocatedBlock block,
      DatanodeInfo location,
      long bytes,
      String what,
      Expected expected) {
    String place() {
      return block.getBlock() + " on " + location.getHostName() + ":" + location.getXferPort();
    }
  }

  /** Reads a replica; one that the NameNode has just given up may be gone before it says so. */
  private void awaitReplica(Read read) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    while (true) {
      try {
        readReplica(read);
        replicas++;
        return;
      } catch (IOException e) {
        if (isBroken(e) || System.nanoTime() > deadline) {
          unreadable(read.path(), read.place(), e);
          return;
        }
        Thread.sleep(CHECK_MILLIS);
        if (!isListed(read)) {
          return;
        }
      }
    }
  }

  /** Whether another attempt would end like this one. */
  private static boolean isBroken(IOException e) {
    return e instanceof ChecksumException
        || String.valueOf(e.getMessage()).contains(FEWER_CHECKSUMS);
  }

  private boolean isListed(Read read) throws IOException {
    LocatedBlocks now = fs.getClient().getLocatedBlocks(read.path(), read.start(), 1);
    return List.of(now.get(0).getLocations()).contains(read.location());
  }

  private void readReplica(Read read) throws IOException {
    long bytes = read.bytes();
    long position = 0;
    try (BlockReader reader = reader(read.block(), read.location())) {
      while (position < bytes) {
        int n = reader.read(buffer, 0, (int) Math.min(buffer.length, bytes - position));
        if (n <= 0) {
          wrong(read, Finding.Kind.LOST_BYTES, " has " + position + " of " + bytes + " bytes");
          return;
        }
        int matching = read.expected().matching(position, n);
        if (matching < n) {
          String where = ", from offset " + (position + matching) + " on, has other bytes";
          wrong(read, Finding.Kind.WRONG_BYTE, where);
          return;
        }
        position += n;
      }
    }
  }

  private void wrong(Read read, Finding.Kind kind, String how) {
    history.add(new Finding(kind, read.path(), read.place(), read.what() + how));
  }

  /** How many bytes of a block are the file's: after a snapshot, others may be appended to it. */
  private static long bytes(Content content, LocatedBlock block) {
    return Math.min(block.getBlockSize(), content.length() - block.getStartOffset());
  }

  /** A reader of one replica; it checks checksums as well. */
  private BlockReader reader(LocatedBlock block, DatanodeInfo location) throws IOException {
    DFSClient client = fs.getClient();
    InetSocketAddress address =
        NetUtils.createSocketAddr(
            location.getXferAddr(client.getConf().isConnectToDnViaHostname()));
    return new BlockReaderFactory(client.getConf())
        .setFileName(block.getBlock().toString())
        .setBlock(block.getBlock())
        .setBlockToken(block.getBlockToken())
        .setStartOffset(0)
        .setLength(block.getBlockSize())
        .setVerifyChecksum(true)
        .setClientName(client.getClientName())
        .setDatanodeInfo(location)
        .setInetSocketAddress(address)
        .setCachingStrategy(CachingStrategy.newDefaultStrategy())
        .setClientCacheContext(client.getClientContext())
        .setConfiguration(fs.getConf())
        .setRemotePeerFactory(client)
        .build();
  }
}
