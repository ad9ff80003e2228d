package io.evenkeel.cli.doctor.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cli.core.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Dumps as Hadoop prints them, shortened. */
class WaitingThreadsTest {
  private static final String PACKAGE = "org.apache.hadoop.hdfs.server.datanode.";
  private static final String IMPL = PACKAGE + "fsdataset.impl.FsDatasetImpl.";
  private static final String PARK =
      """
          sun.misc.Unsafe.park(Native Method)
          java.util.concurrent.locks.LockSupport.park(LockSupport.java:175)
          java.util.concurrent.locks.AbstractQueuedSynchronizer.acquire(AbstractQueuedSynchronizer.java:1)
      """;

  /** Hadoop 2.7: the monitor of the dataset. */
  private static final String MONITOR = IMPL + "createRbw(FsDatasetImpl.java:1)\n";

  /** Hadoop 3.1: one lock, measured. */
  private static final String INSTRUMENTED =
      PARK
          + "java.util.concurrent.locks.ReentrantLock.lock(ReentrantLock.java:1)\n"
          + "org.apache.hadoop.util.InstrumentedLock.lock(InstrumentedLock.java:1)\n"
          + "org.apache.hadoop.util.AutoCloseableLock.acquire(AutoCloseableLock.java:1)\n"
          + IMPL
          + "createRbw(FsDatasetImpl.java:1)\n";

  /** Hadoop 3.4 on Java 17: locks by block pool and volume. */
  private static final String SPLIT =
      "java.base@17.0.15/jdk.internal.misc.Unsafe.park(Native Method)\n"
          + "java.base@17.0.15/java.util.concurrent.locks.ReentrantReadWriteLock$ReadLock"
          + ".lock(ReentrantReadWriteLock.java:1)\n"
          + "app//org.apache.hadoop.util.InstrumentedLock.lock(InstrumentedLock.java:1)\n"
          + "app//org.apache.hadoop.hdfs.server.common.AutoCloseDataSetLock.lock(A.java:1)\n"
          + "app//org.apache.hadoop.hdfs.server.datanode.DataSetLockManager.readLock(D.java:1)\n"
          + "app//"
          + IMPL
          + "createRbw(FsDatasetImpl.java:1)\n";

  private static final String RENAME =
      "java.base@17.0.15/java.io.UnixFileSystem.rename0(Native Method)\n"
          + "java.base@17.0.15/java.io.File.renameTo(File.java:1)\n"
          + "app//"
          + IMPL
          + "createTemporary(FsDatasetImpl.java:1)\n"
          + "app//"
          + PACKAGE
          + "DataXceiver.run(DataXceiver.java:1)\n";

  private static String thread(int id, String name, String facts, String frames) {
    StringBuilder text = new StringBuilder("Thread " + id + " (" + name + "):\n");
    facts.lines().forEach(line -> text.append("  ").append(line).append('\n'));
    text.append("  Stack:\n");
    frames.lines().forEach(line -> text.append("    ").append(line.trim()).append('\n'));
    return text.toString();
  }

  private static String waiting(int id, int count, String frames) {
    String facts = "State: WAITING\nBlocked count: 0\nWaited count: " + count + "\nWaiting on X@1";
    return thread(id, "DataXceiver " + id, facts, frames);
  }

  private static String running(int id, String frames) {
    return thread(
        id, "DataXceiver " + id, "State: RUNNABLE\nBlocked count: 1\nWaited count: 2", frames);
  }

  private static ThreadDump dump(double seconds, String... threads) {
    ThreadDump.Reader reader = new ThreadDump.Reader();
    reader.line("Process Thread Dump: ");
    reader.line(threads.length + " active threads");
    String.join("", threads).lines().forEach(reader::line);
    return reader.end(seconds);
  }

  /** A volume at one time; {@code reserved} is negative where the release does not say it. */
  private static String volume(String path, int blocks, long used, long reserved) {
    return "\"%s\":{\"storageType\":\"DISK\",\"numBlocks\":%d,\"usedSpace\":%d%s}"
        .formatted(
            path, blocks, used, reserved < 0 ? "" : ",\"reservedSpaceForReplicas\":" + reserved);
  }

  private static Reading reading(double seconds, String... volumes) {
    return Reading.of(
        seconds,
        List.of(
            Map.of(
                "name",
                "Hadoop:service=DataNode,name=DataNodeInfo",
                "SoftwareVersion",
                "3.3.6",
                "VolumeInfo",
                "{" + String.join(",", volumes) + "}")));
  }

  private static List<Diagnosis> find(boolean moving, ThreadDump... dumps) {
    List<Reading> rounds = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      String one = volume("/one", moving ? i : 0, moving ? 100 * i : 0, -1);
      String two = volume("/two", 9 - i, 900 - 100 * i, -1); // some are deleted
      Reading reading = reading(10 * i, one, two);
      boolean whole = i == 0 || i == 6; // as the sampler keeps them
      rounds.add(i == 3 ? null : whole ? reading : reading.numbersOnly());
    }
    return find(rounds, dumps);
  }

  private static List<Diagnosis> find(List<Reading> rounds, ThreadDump... dumps) {
    DataNodeHistory node =
        new DataNodeHistory("dn1:9864", "h", "/r", true, rounds).with(List.of(dumps));
    return WaitingThreads.find(
        new ClusterHistory(
            List.of(node),
            List.of(NameNodeReading.of(0, List.of())),
            Map.of(),
            "",
            new Topology(List.of(), Topology.Layers.AUTO),
            null));
  }

  @Test
  void find_oneThreadWaitsThroughout_isCertain() {
    for (String frames : List.of(INSTRUMENTED, SPLIT)) {
      List<Diagnosis> found =
          find(
              true,
              dump(0, waiting(5, 1, frames), running(6, RENAME)),
              dump(31, waiting(5, 1, frames), waiting(7, 3, frames), running(6, RENAME)));
      Diagnosis lock = found.get(0);
      assertThat(lock.kind()).isEqualTo(Diagnosis.Kind.LOCK_WAIT);
      assertThat(lock.certainty()).isEqualTo(Diagnosis.Certainty.CERTAIN);
      assertThat(lock.subject()).isEqualTo("dn1:9864");
      assertThat(lock.evidence())
          .isEqualTo(
              "up to 2 threads wait for the lock of the dataset, some in 2 of 2 thread dumps; one"
                  + " of them for at least 31 s without a break, in FsDatasetImpl.createRbw; it is"
                  + " probably held by thread 'DataXceiver 6' at UnixFileSystem.rename0 <"
                  + " File.renameTo < FsDatasetImpl.createTemporary < DataXceiver.run");
      assertThat(lock.stock()).startsWith("Upgrade to Hadoop 3.4");
      assertThat(lock.evenkeel()).contains("io.evenkeel.locking.FineGrainedDatasetFactory");
    }
  }

  @Test
  void find_blockedOnTheMonitor_namesItsHolder() {
    String facts =
        "State: BLOCKED\nBlocked count: 9\nWaited count: 0\n"
            + "Blocked on "
            + IMPL.substring(0, IMPL.length() - 1)
            + "@1f\nBlocked by 6 (DataXceiver (1))";
    String blocked = thread(5, "DataXceiver (2)", facts, MONITOR);
    String holder = "java.net.SocketInputStream.socketRead0(Native Method)\n" + MONITOR;
    List<Diagnosis> found =
        find(true, dump(0, running(6, holder), blocked), dump(30, running(6, holder), blocked));
    assertThat(found).hasSize(1);
    assertThat(found.get(0).evidence())
        .contains("; it is held by thread 'DataXceiver 6' at SocketInputStream.socketRead0 < Fs");
  }

  @Test
  void find_otherWaitsOfTheSameThread_areNoStandstill() {
    List<Diagnosis> found =
        find(true, dump(0, waiting(5, 1, SPLIT)), dump(31, waiting(5, 2, SPLIT)));
    assertThat(found).isEmpty();
  }

  @Test
  void find_manyAtOneTime_isPossible() {
    String[] many = new String[5];
    for (int i = 0; i < many.length; i++) {
      many[i] = waiting(i, 1, INSTRUMENTED);
    }
    List<Diagnosis> found = find(true, dump(0), dump(31, many), dump(62));
    assertThat(found).hasSize(1);
    assertThat(found.get(0).certainty()).isEqualTo(Diagnosis.Certainty.POSSIBLE);
    assertThat(found.get(0).evidence())
        .isEqualTo(
            "up to 5 threads wait for the lock of the dataset, some in 1 of 3 thread dumps; the"
                + " dump does not say by whom it is held");
  }

  @Test
  void find_otherLocksAndQueues_areNotMeant() {
    String queue =
        PARK
            + "java.util.concurrent.LinkedBlockingQueue.take(LinkedBlockingQueue.java:1)\n"
            + PACKAGE
            + "BPServiceActor.run(BPServiceActor.java:1)\n";
    String other =
        PARK
            + "java.util.concurrent.locks.ReentrantLock.lock(ReentrantLock.java:1)\n"
            + "org.apache.hadoop.ipc.Server.run(Server.java:1)\n"
            + IMPL
            + "x(F.java:1)\n";
    String threads = waiting(1, 1, queue) + waiting(2, 1, other);
    assertThat(find(true, dump(0, threads), dump(31, threads))).isEmpty();
  }

  @Test
  void find_sameFileCallThroughout_namesTheVolumesThatDoNotMove() {
    ThreadDump[] dumps = new ThreadDump[3];
    for (int i = 0; i < dumps.length; i++) {
      dumps[i] = dump(31 * i, running(6, RENAME));
    }
    List<Diagnosis> found = find(true, dumps);
    assertThat(found).hasSize(1);
    assertThat(found.get(0).kind()).isEqualTo(Diagnosis.Kind.HUNG_VOLUME);
    assertThat(found.get(0).certainty()).isEqualTo(Diagnosis.Certainty.LIKELY);
    assertThat(found.get(0).evidence())
        .startsWith("1 thread at the same place in 3 thread dumps over 62 s, one of them thread")
        .endsWith(
            "on these no replica was finalized while it was on others, which is so of idle ones,"
                + " too: /two (DISK, 3 blocks)")
        .doesNotContain("/one");
    assertThat(find(false, dumps).get(0).certainty()).isEqualTo(Diagnosis.Certainty.POSSIBLE);
    assertThat(find(false, dumps).get(0).evidence())
        .endsWith(
            "no replica was finalized, which is so of idle ones, too: /one (DISK, 0 blocks), /two (DISK, 3 blocks)");
  }

  /** As seen on 3.4.3: a replica counts from when its file is created; the SSD had none at all. */
  @Test
  void find_replicasBeingWritten_idleVolumesAreNotMeant() {
    List<Reading> rounds = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      rounds.add(
          reading(
              10 * i,
              volume("/healthy", 5, 100 * i, 17),
              volume("/hung", i < 3 ? 3 : 4, i < 2 ? 900 : 100, i < 3 ? 17 : 34),
              volume("/idle", 0, 24, 0)));
    }
    ThreadDump[] dumps = new ThreadDump[3];
    for (int i = 0; i < dumps.length; i++) {
      dumps[i] = dump(31 * i, running(6, RENAME));
    }
    assertThat(find(rounds, dumps))
        .extracting(Diagnosis::evidence)
        .asString()
        .contains("and replicas were being written to them: /hung (DISK, 4 blocks)]");
  }

  @Test
  void find_socketsPipesAndOtherCalls_areNoHungVolume() {
    String of = PACKAGE + "DataXceiver.run(DataXceiver.java:1)\n";
    List<String> calls =
        List.of(
            "sun.nio.ch.FileDispatcherImpl.read0(Native Method)\n"
                + "sun.nio.ch.SocketDispatcher.read(SocketDispatcher.java:1)\n",
            "sun.nio.ch.FileChannelImpl.transferTo0(Native Method)\n",
            "java.io.FileInputStream.readBytes(Native Method)\n"
                + "org.apache.hadoop.util.Shell.run(Shell.java:1)\n",
            "java.io.File.renameTo(File.java:1)\n");
    for (String call : calls) {
      String thread = running(6, call + of);
      assertThat(find(true, dump(0, thread), dump(31, thread))).as(call).isEmpty();
    }
    String elsewhere = running(6, "java.io.UnixFileSystem.list0(Native Method)\nx.Y.z(Y.java:1)\n");
    assertThat(find(true, dump(0, elsewhere), dump(31, elsewhere))).isEmpty();
    String other = running(7, RENAME);
    assertThat(find(true, dump(0, running(6, RENAME)), dump(31, other))).isEmpty();
  }

  @Test
  void dump_anotherPage_isNone() {
    ThreadDump.Reader reader = new ThreadDump.Reader();
    reader.line("<html>Unauthorized</html>");
    assertThat(reader.end(0)).isNull();
  }

  @Test
  void find_manyOnceAndOneLater_isPossible() {
    String[] many = new String[5];
    for (int i = 0; i < many.length; i++) {
      many[i] = waiting(i, 1, INSTRUMENTED);
    }
    assertThat(find(true, dump(0, many), dump(31), dump(62, waiting(9, 1, INSTRUMENTED))))
        .extracting(Diagnosis::certainty)
        .containsExactly(Diagnosis.Certainty.POSSIBLE);
  }
}
