package io.evenkeel.mover.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.MoveListener;
import io.evenkeel.mover.request.MoveReport;
import io.evenkeel.mover.request.MoveRequest;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that are found no more during a request, while their paths or replicas still are there. */
@Timeout(120)
@Tag("once") // says nothing about a Hadoop release
class GoneFilesTest {
  private final SimulatedCluster cluster = new SimulatedCluster(1);
  private volatile EngineFaultsTest.Hook hook = call -> {};
  private Engine engine;

  @BeforeEach
  void start() {
    for (int i = 0; i < 6; i++) {
      cluster.node("dn" + i, "DISK", "SSD", "ARCHIVE");
    }
    Namespace namespace = EngineFaultsTest.hooked(cluster, call -> hook.before(call));
    engine =
        new Engine(namespace, cluster, EngineFaultsTest.SETTINGS, (what, e) -> {}, new Clock());
  }

  @AfterEach
  void stop() {
    assertThat(engine.load().held()).isZero();
    engine.close();
    cluster.close();
    assertThat(cluster.violations).isEmpty();
  }

  private MoveReport move(MoveRequest.Builder request) throws Exception {
    return engine.submit(request.build()).get(60, TimeUnit.SECONDS);
  }

  /** As in the next iteration of stock's Mover. */
  @ParameterizedTest
  @CsvSource({"/d/a, DISK, MOVED", "/d, DISK, MOVED", "/d/a, SSD, SATISFIED", "/d, SSD, SATISFIED"})
  void replacedByAnotherFile_thatOneIsMoved(String asked, String type, FileOutcome outcome)
      throws Exception {
    MoveReport report = move(MoveRequest.of(asked).listener(replacing(type)));

    assertThat(cluster.wrong()).isEmpty();
    assertThat(report.files()).isEqualTo(Map.of(outcome, 1L));
  }

  private MoveListener replacing(String type) {
    cluster.file("/d/a", 6, "DISK", "SSD", "SSD", "SSD");
    cluster.moveMillis = 20;
    return afterTwoMoves(
        () -> {
          cluster.delete("/d/a");
          cluster.file("/d/a", 1, type, "SSD", "SSD", "SSD");
        });
  }

  private static MoveListener afterTwoMoves(Runnable change) {
    return atEachMove(
        n -> {
          if (n == 2) {
            change.run();
          }
        });
  }

  private static MoveListener atEachMove(IntConsumer change) {
    AtomicInteger moved = new AtomicInteger();
    return new MoveListener() {
      @Override
      public void replicaMoved(String path, boolean local, long bytes) {
        change.accept(moved.incrementAndGet());
      }
    };
  }

  /** As by an application that writes a file anew each second. */
  @Test
  void replacedAgainAndAgain_theRequestEnds() throws Exception {
    cluster.file("/d/a", 1, "DISK", "SSD", "SSD", "SSD");
    AtomicInteger moved = new AtomicInteger();
    MoveListener replace =
        atEachMove(
            n -> {
              moved.set(n);
              if (n <= 20) {
                cluster.delete("/d/a");
                cluster.file("/d/a", 1, "DISK", "SSD", "SSD", "SSD");
              }
            });

    MoveReport report = move(MoveRequest.of("/d/a").listener(replace));

    assertThat(report.files()).isEqualTo(Map.of(FileOutcome.FAILED, 1L));
    assertThat(report.listed().get(0).reason()).contains("replaced more than once");
    assertThat(moved).hasValueLessThan(20);
  }

  @Test
  void replacedAndThenDeleted_isDeleted() throws Exception {
    cluster.file("/d/a", 1, "DISK", "SSD", "SSD", "SSD");
    MoveListener replace =
        atEachMove(
            n -> {
              cluster.delete("/d/a");
              if (n == 1) {
                cluster.file("/d/a", 1, "DISK", "SSD", "SSD", "SSD");
              }
            });

    MoveReport report = move(MoveRequest.of("/d/a").listener(replace));

    assertThat(report.files()).isEqualTo(Map.of(FileOutcome.DELETED, 1L));
  }

  /** What an inode id names is gone. */
  @Test
  void replaced_askedForByItsInodeId_isDeleted() throws Exception {
    MoveListener replace = replacing("DISK");
    String inode = MoveRequest.inode(cluster.files.get("/d/a").inode);

    assertThat(move(MoveRequest.of(inode).listener(replace)).files())
        .isEqualTo(Map.of(FileOutcome.DELETED, 1L));
  }

  @Test
  void replacedByAFileOfTheSameBatch_eachIsToldOnce() throws Exception {
    cluster.file("/d/a", 6, "DISK", "SSD", "SSD", "SSD");
    cluster.file("/d/b", 6, "DISK", "SSD", "SSD", "SSD");
    cluster.moveMillis = 20;
    MoveListener rename =
        afterTwoMoves(
            () -> {
              cluster.delete("/d/a");
              cluster.rename("/d/b", "/d/a");
            });

    MoveReport report = move(MoveRequest.of("/d").listener(rename));

    assertThat(cluster.wrong()).isEmpty();
    assertThat(report.files()).isEqualTo(Map.of(FileOutcome.MOVED, 1L, FileOutcome.DELETED, 1L));
  }

  /** The call that asks for the path fails first. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void dryRun_replacedByAnotherFile_judgedByThat(boolean right) throws Exception {
    cluster.file("/d/a", 1, "DISK", "SSD", "SSD", "SSD");
    onceAtFirst(
        () -> {
          cluster.delete("/d/a");
          cluster.file("/d/a", 1, right ? "SSD" : "DISK", "SSD", "SSD", "SSD");
        });

    MoveReport report = move(MoveRequest.of("/d").dryRun(true));

    FileOutcome expected = right ? FileOutcome.SATISFIED : FileOutcome.PLANNED;
    assertThat(report.files()).isEqualTo(Map.of(expected, 1L));
  }

  /** Its replicas are where they were, and its new path is not known. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void namedSnapshotIsRenamed_itsFilesAreNotSatisfied(boolean dryRun) throws Exception {
    SimulatedCluster.File file = cluster.file("/d/.snapshot/s/a", 1, "DISK", "SSD", "SSD", "SSD");
    onceAtFirst(() -> cluster.rename("/d/.snapshot/s/a", "/d/.snapshot/t/a"));

    MoveReport report = move(MoveRequest.of("/d/.snapshot/s").dryRun(dryRun));

    assertThat(cluster.isRight(file)).isFalse();
    assertThat(report.files()).isEqualTo(Map.of(FileOutcome.MISSING, 1L));
    assertThat(report.listed().get(0).reason()).contains("snapshot");
  }

  /** As a directory that was found and is gone when it is to be listed. */
  @Test
  void snapshotThatWasFoundIsDeleted_isDeleted() throws Exception {
    cluster.file("/d/.snapshot/s/a", 1, "DISK", "SSD", "SSD", "SSD");
    onceAtFirst(() -> cluster.delete("/d/.snapshot/s/a"));

    assertThat(move(MoveRequest.of("/d").snapshots(true)).files())
        .isEqualTo(Map.of(FileOutcome.DELETED, 1L));
  }

  /** After the files were found, and before the first is planned; what asks again fails once. */
  private void onceAtFirst(Runnable change) {
    AtomicInteger calls = new AtomicInteger();
    AtomicInteger again = new AtomicInteger();
    hook =
        call -> {
          boolean first = call.equals("cluster") && calls.incrementAndGet() == 1;
          if (first) {
            change.run();
          }
          if (first || (call.equals("files") && again.incrementAndGet() == 2)) {
            throw new IOException("reset");
          }
        };
  }
}
