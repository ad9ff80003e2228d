package io.evenkeel.bench.cluster;

import io.evenkeel.common.testing.Await;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * A file of a known content of which it is known how much HDFS has acknowledged. Used by one thread
 * at a time.
 */
final class CrashFile {
  private static final long OPEN_MILLIS = 10;
  private static final int CHUNK = 512; // dfs.bytes-per-checksum

  private final Path path;
  private final int number;
  private long acknowledged;
  private long attempted;
  private boolean unsure; // a write failed, or was never acknowledged to be closed
  private boolean hadOneReplica;
  private boolean deleting;
  private boolean deleted;
  private int cut;

  CrashFile(Path path, int number) {
    this.path = path;
    this.number = number;
  }

  Path path() {
    return path;
  }

  /** Whether it can be appended to. */
  boolean usable() {
    return !unsure && !deleting;
  }

  boolean deleted() {
    return deleted;
  }

  long acknowledged() {
    return acknowledged;
  }

  /** It is written with one replica from now on. */
  void hasOneReplica() {
    hadOneReplica = true;
  }

  /**
   * How often a replica that was the only one came back without its last chunk. {@code
   * BlockReceiver} writes the bytes of a packet and then their checksums, so a kill between the two
   * costs what was acknowledged of the chunk they share, with any dataset.
   */
  int cut() {
    return cut;
  }

  /** Writes on, with a hflush after each chunk, and closes; on failure the file is not usable. */
  void write(FSDataOutputStream out, int[] chunks) throws IOException {
    unsure = true;
    try {
      for (int chunk : chunks) {
        byte[] bytes = content(attempted, chunk);
        attempted += chunk;
        out.write(bytes);
        out.hflush();
        acknowledged = attempted;
        pause();
      }
    } catch (IOException e) {
      closeAfter(out, e);
      throw e;
    }
    out.close();
    unsure = false;
  }

  /** So that a file is open most of the time. */
  private static void pause() {
    try {
      Await.pause(OPEN_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void closeAfter(FSDataOutputStream out, IOException failure) {
    try {
      out.close();
    } catch (IOException e) {
      if (e != failure) { // HDFS throws the one it threw before
        failure.addSuppressed(e);
      }
    }
  }

  void delete(FileSystem fs) throws IOException {
    deleting = true;
    deleted = fs.delete(path, false);
  }

  /** Compares with what HDFS has, and starts anew from there; null when all is well. */
  String mismatch(FileSystem fs) throws IOException {
    boolean exists = fs.exists(path);
    if (deleted) {
      return exists ? path + " was deleted and is back" : null;
    }
    if (!exists) {
      deleted = deleting;
      return deleting ? null : path + " is gone";
    }
    deleting = false;
    byte[] read;
    try (InputStream in = fs.open(path)) {
      read = in.readAllBytes();
    }
    if (isCutAtItsLastChunk(read.length)) {
      cut++;
    } else if (read.length < acknowledged || read.length > attempted) {
      return String.format(
          "%s has %d bytes, acknowledged %d, written %d",
          path, read.length, acknowledged, attempted);
    }
    int at = Arrays.mismatch(read, content(0, read.length));
    acknowledged = read.length;
    attempted = read.length;
    unsure = false;
    return at < 0 ? null : path + " differs at byte " + at;
  }

  private boolean isCutAtItsLastChunk(long length) {
    return hadOneReplica
        && unsure
        && length < acknowledged
        && length == acknowledged / CHUNK * CHUNK;
  }

  private byte[] content(long from, int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      long place = (from + i + 1) * 0x9E3779B97F4A7C15L + number * 0xC2B2AE3D27D4EB4FL;
      bytes[i] = (byte) (place >>> 56);
    }
    return bytes;
  }
}
