package io.evenkeel.locking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.evenkeel.common.testing.Await;
import io.evenkeel.locking.HungBlock.Where;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.shortcircuit.ShortCircuitShm.Slot;
import org.apache.hadoop.io.nativeio.NativeIO;
import org.apache.hadoop.net.unix.DomainSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Clients that open the files of replicas themselves (HDFS-347). Needs Hadoop's native library,
 * which the profile {@code native} of this module has for 3.4.3, and from which {@code
 * src/test/native} makes one for 3.5; skipped without it.
 */
@Tag("slow")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ShortCircuitIT {
  private static final int BLOCK = 1 << 20;
  private static final org.apache.hadoop.fs.Path FILE = new org.apache.hadoop.fs.Path("/f");

  @TempDir private Path dir;
  private Path sockets; // not below dir: the path of a socket may have about a hundred characters
  private byte[] content;

  @BeforeEach
  void needNativeLibrary() throws IOException {
    // on 3.5.0 the library of 3.4.3 by itself is loaded and then crashes the JVM
    assumeTrue(NativeIO.isAvailable(), "no native library of this release");
    DomainSocket.disableBindPathValidation();
    sockets = Files.createTempDirectory(Path.of("/tmp"), "ek");
    content = new byte[3 * BLOCK];
    new Random(9668).nextBytes(content);
  }

  @AfterEach
  void removeSockets() throws IOException {
    if (sockets != null) {
      Files.deleteIfExists(sockets.resolve("dn"));
      Files.deleteIfExists(sockets);
    }
  }

  private OneDataNode start(boolean ours) throws IOException {
    Configuration conf = OneDataNode.conf(ours);
    conf.setBoolean("dfs.client.read.shortcircuit", true);
    conf.set("dfs.domain.socket.path", sockets.resolve("dn").toString());
    conf.set("dfs.client.context", String.valueOf(ours) + System.nanoTime()); // a cache of its own
    conf.setInt("dfs.heartbeat.interval", 1);
    return OneDataNode.startWithNameNode(dir.resolve(String.valueOf(ours)), conf);
  }

  private void write(OneDataNode one) throws IOException {
    try (FSDataOutputStream out = one.fileSystem().create(FILE, (short) 1)) {
      out.write(content);
    }
  }

  /** Reads all of it; fails unless every byte came from the client's own reads of the files. */
  private void readItself(FSDataInputStream in) throws IOException {
    byte[] read = new byte[content.length];
    in.readFully(0, read);
    assertThat(Arrays.equals(read, content)).isTrue();
    long itself = ((HdfsDataInputStream) in).getReadStatistics().getTotalShortCircuitBytesRead();
    assertThat(itself).isEqualTo(content.length);
  }

  private void readItself(OneDataNode one) throws IOException {
    try (FSDataInputStream in = one.fileSystem().open(FILE)) {
      readItself(in);
    }
  }

  /** Slots of shared memory by which the DataNode lets clients know that replicas are as before. */
  private static int validSlots(OneDataNode one) {
    AtomicInteger valid = new AtomicInteger();
    one.node()
        .getShortCircuitRegistry()
        .visit(
            (segments, slots) -> {
              valid.addAndGet((int) slots.values().stream().filter(Slot::isValid).count());
              return true;
            });
    return valid.get();
  }

  @Test
  void deleted_whileAClientHasItOpen_itsSlotsAreInvalid() throws Exception {
    try (OneDataNode one = start(true)) {
      write(one);
      try (FSDataInputStream in = one.fileSystem().open(FILE)) {
        readItself(in);
        assertThat(validSlots(one)).isEqualTo(3);
        one.fileSystem().delete(FILE, false);
        Await.until("the DataNode is told", () -> validSlots(one) == 0);
      }
      assertThat(one.operations().liveLocks()).isZero();
      assertThat(one.locks().operations().lastBrokenRule()).isEmpty();
    }
  }

  @Test
  void appendedAndTruncated_isReadByTheClientItself() throws Exception {
    try (OneDataNode one = start(true)) {
      write(one);
      readItself(one);
      DistributedFileSystem fs = one.fileSystem();
      try (FSDataOutputStream out = fs.append(FILE)) {
        out.write(content, 0, 1000);
      }
      byte[] longer = Arrays.copyOf(content, content.length + 1000);
      System.arraycopy(content, 0, longer, content.length, 1000);
      content = longer;
      readItself(one);
      content = Arrays.copyOf(content, BLOCK + 77);
      fs.truncate(FILE, content.length);
      Await.until("the file is cut short", () -> fs.isFileClosed(FILE));
      readItself(one);
      assertThat(one.locks().operations().lastBrokenRule()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void open_whileAnotherBlocksCreationHangs_waitsWithStockOnly(boolean ours) throws Exception {
    try (OneDataNode one = start(ours)) {
      write(one);
      DatasetCalls calls = new DatasetCalls(one);
      Step.Action copyComesIn = Background.REPLICATION.prepare(calls);
      ParkedIo io = ParkedIo.of(one.node());
      Step slow = HungBlock.hang(calls, io, Where.CREATE);
      Step background = Step.start("background", copyComesIn);
      background.waitsForLock();
      Step read = Step.start("read", () -> readItself(one));
      boolean waits = untilItEndsOrOpeningWaits(read);
      io.close();
      read.end();
      slow.end();
      background.end();
      assertThat(waits).isEqualTo(!ours);
    }
  }

  /**
   * True when the DataNode's thread that is to open the files is found waiting, again and again.
   */
  private static boolean untilItEndsOrOpeningWaits(Step read) throws InterruptedException {
    int seen = 0;
    while (read.isAlive() && seen < 100) {
      seen = openingWaits() ? seen + 1 : 0;
      Await.pause(10); // between two looks
    }
    return read.isAlive();
  }

  private static boolean openingWaits() {
    return Thread.getAllStackTraces().entrySet().stream()
        .filter(e -> e.getKey().getState() != Thread.State.RUNNABLE)
        .flatMap(e -> Arrays.stream(e.getValue()))
        .anyMatch(frame -> frame.getMethodName().equals("requestShortCircuitFdsForRead"));
  }
}
