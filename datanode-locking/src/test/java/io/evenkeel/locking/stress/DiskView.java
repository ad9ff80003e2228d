package io.evenkeel.locking.stress;

import io.evenkeel.locking.stress.State.Kind;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.datanode.BlockMetadataHeader;
import org.apache.hadoop.hdfs.server.datanode.DatanodeUtil;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInPipeline;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;

/**
 * One block as it is when nothing moves: its entry in the map, and all its files on all volumes.
 */
final class DiskView {
  private final long id;
  private final long blockId;
  private final ReplicaInfo entry;
  private final int volume;
  private final List<File> data = new ArrayList<>();
  private final List<File> metas = new ArrayList<>();
  private final List<File> copies = new ArrayList<>();

  /** Looks at block {@code id} of a quiet DataNode. */
  DiskView(StressDataNode node, long id) {
    this.id = id;
    this.blockId = node.blockId(id);
    this.entry = node.replica(id);
    this.volume = entry == null ? -1 : node.indexOf(entry.getVolume());
    for (int v = 0; v < node.volumes(); v++) {
      File pool = node.poolDirectory(v, id);
      for (String dir : new String[] {"tmp", "current/rbw", "current/finalized"}) {
        File root = new File(pool, dir);
        find(root);
        File inner = DatanodeUtil.idToBlockDir(root, blockId);
        if (dir.equals("tmp")) {
          copies.addAll(filesIn(inner)); // a move in progress
        } else {
          find(inner);
        }
      }
    }
  }

  private void find(File dir) {
    for (File file : filesIn(dir)) {
      (file.getName().endsWith(Block.METADATA_EXTENSION) ? metas : data).add(file);
    }
  }

  private List<File> filesIn(File dir) {
    String name = Block.BLOCK_FILE_PREFIX + blockId;
    File[] files = dir.listFiles((d, n) -> n.equals(name) || n.startsWith(name + "_"));
    return files == null ? List.of() : List.of(files);
  }

  /** Whether nothing is left of the block. */
  boolean gone() {
    return entry == null && data.isEmpty() && metas.isEmpty() && copies.isEmpty();
  }

  /** The entry, null if there is none. */
  ReplicaInfo entry() {
    return entry;
  }

  /** Deletes all files, so that later rounds start clean. */
  void deleteFiles() {
    for (List<File> files : List.of(data, metas, copies)) {
      for (File file : files) {
        file.delete();
      }
    }
  }

  /** The state the map shows. */
  State state() {
    if (entry == null) {
      return State.ABSENT;
    }
    Kind kind = Kind.valueOf(entry.getState().name());
    long length = entry.getNumBytes();
    long acked = length;
    if (entry instanceof ReplicaInPipeline) {
      acked = ((ReplicaInPipeline) entry).getBytesAcked();
    }
    long recovery = kind == Kind.RUR ? entry.getRecoveryID() : 0;
    long gs = entry.getGenerationStamp();
    return new State(kind, gs, length, acked, volume, -1, !metas.isEmpty(), recovery);
  }

  /** What is wrong between map and disk, one line each: the first word names the kind. */
  List<String> faults() throws IOException {
    List<String> faults = new ArrayList<>();
    if (data.size() > 1 || metas.size() > 1) {
      faults.add("DUPLICATE files " + data + " " + metas);
    } else if (entry == null && !(data.isEmpty() && metas.isEmpty())) {
      faults.add("ORPHAN files without an entry " + data + " " + metas);
    }
    if (entry != null) {
      againstEntry(faults);
    }
    if (!copies.isEmpty()) {
      faults.add("LEFT_COPY of a move that ended " + copies);
    }
    return faults;
  }

  private void againstEntry(List<String> faults) throws IOException {
    File file = new File(entry.getBlockURI());
    File meta = new File(entry.getMetadataURI());
    if (volume < 0) {
      faults.add("GONE_VOLUME entry on a volume that is not there: " + entry.getVolume());
    }
    if (!data.contains(file)) {
      faults.add("MISSING data file " + file + ", there is " + data);
      return;
    }
    if (!metas.contains(meta)) {
      boolean young = entry.getBytesOnDisk() == 0 && metas.isEmpty() && state().inPipeline();
      if (!young) {
        faults.add("WRONG_META " + meta + " expected, there is " + metas);
      }
      return;
    }
    long length = file.length();
    if (length != entry.getBytesOnDisk() || length != entry.getNumBytes()) {
      faults.add(
          "WRONG_LENGTH file "
              + length
              + ", on disk "
              + entry.getBytesOnDisk()
              + ", entry "
              + entry.getNumBytes());
    }
    content(file, meta, faults);
  }

  private void content(File file, File meta, List<String> faults) throws IOException {
    byte[] bytes = Files.readAllBytes(file.toPath());
    if (!Arrays.equals(bytes, Content.bytes(id, 0, bytes.length))) {
      faults.add("CORRUPT data, length " + bytes.length);
    }
    byte[] all = Files.readAllBytes(meta.toPath());
    int header = BlockMetadataHeader.getHeaderSize();
    byte[] sums = Content.checksums(id, 0, bytes.length);
    // An emptied block keeps one checksum of nothing (LocalReplica.truncateBlock).
    boolean length =
        all.length == header + sums.length || (bytes.length == 0 && all.length == header + 4);
    if (!length || !Arrays.equals(sums, Arrays.copyOfRange(all, header, header + sums.length))) {
      faults.add("CORRUPT checksums, " + all.length + " bytes for " + bytes.length + " of data");
    }
  }

  @Override
  public String toString() {
    return "entry " + state() + " data " + data + " meta " + metas + " copies " + copies;
  }
}
