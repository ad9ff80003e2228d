package io.evenkeel.mover.follow;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import io.evenkeel.mover.core.follow.Journal;
import io.evenkeel.mover.core.follow.MemoryStore;
import io.evenkeel.mover.core.follow.Prefixes;
import io.evenkeel.mover.core.follow.RequestKind;
import io.evenkeel.mover.core.follow.RetryRule;
import io.evenkeel.mover.core.follow.SpoolText;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.FileReport;
import io.evenkeel.mover.request.MoveReport;
import io.evenkeel.mover.request.MoveRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("once") // says nothing about a Hadoop release
@Timeout(60)
class HandOutWorkTest {
  private static final int RETRIES = 3;

  private final FollowCounters counters = new FollowCounters("a");
  private final AtomicInteger asked = new AtomicInteger();

  /** Works on one request until it has its end. */
  private void work(RequestKind kind, String text, MoverFunction mover) throws Exception {
    Journal journal =
        Journal.open(
            new MemoryStore(new MemoryStore.Disk()), 1 << 20, 1 << 20, Ticks.now(), List.of());
    Session session = new Session(journal, counters);
    RetryRule rule = new RetryRule(RETRIES, 2, 2);
    HandOutWork.Follows follows =
        new HandOutWork.Follows(Prefixes.parse("/d", "/own"), (request, report) -> {}, 8);
    session.add(kind, text, 0);
    session.sync();
    session.start("requests", new HandOutWork(session, mover, rule, follows));
    Await.until("every request has its end", () -> journal.size() == 0);
    session.stop();
  }

  private CompletableFuture<MoveReport> onePinnedOneWithoutATarget(MoveRequest request) {
    asked.incrementAndGet();
    return CompletableFuture.completedFuture(
        new MoveReport.Builder()
            .add(FileReport.of("/d/pinned", FileOutcome.PINNED, ""))
            .add(FileReport.of("/d/full", FileOutcome.NO_TARGET, ""))
            .build());
  }

  @Test
  void run_requestTriedAgainAsAWhole_eachFileThatFailedCountsOnce() throws Exception {
    SpoolText text = new SpoolText("r", "alice", Map.of("/d/pinned", "", "/d/full", ""));
    work(RequestKind.SPOOL, text.format(), this::onePinnedOneWithoutATarget);
    assertThat(asked).hasValue(1 + RETRIES);
    assertThat(counters.getFilesFailed()).isEqualTo(2);
  }

  @Test
  void run_filesTriedAgainAlone_eachFileThatFailedCountsOnce() throws Exception {
    work(
        RequestKind.EVENT,
        "/d",
        request -> {
          List<String> paths = new ArrayList<>();
          request.paths().forEach(paths::add);
          return paths.contains("/d")
              ? onePinnedOneWithoutATarget(request)
              : CompletableFuture.completedFuture(
                  new MoveReport.Builder()
                      .add(FileReport.of(paths.get(0), FileOutcome.NO_TARGET, ""))
                      .build());
        });
    assertThat(counters.getFilesFailed()).isEqualTo(2);
  }

  /** Each pass over a tree is a located listing of all its files. */
  @Test
  void run_manyFilesOfATreeHaveNoTarget_theTreeIsReadOnce() throws Exception {
    AtomicInteger passes = new AtomicInteger();
    work(
        RequestKind.SCAN,
        "/d",
        request -> {
          String path = request.paths().iterator().next();
          MoveReport.Builder report = new MoveReport.Builder();
          if (path.equals("/d")) {
            passes.incrementAndGet();
            for (int i = 0; i < 1_000; i++) {
              FileOutcome outcome = i < 101 ? FileOutcome.NO_TARGET : FileOutcome.SATISFIED;
              report.add(new FileReport("/d/" + i, 1_000 + i, outcome, "", List.of()));
            }
          } else {
            asked.incrementAndGet();
            report.add(new FileReport(path, 1, FileOutcome.NO_TARGET, "", List.of()));
          }
          return CompletableFuture.completedFuture(report.build());
        });
    assertThat(passes).hasValue(1);
    assertThat(asked).hasValue(101 * RETRIES);
    assertThat(counters.getFilesFailed()).isEqualTo(101);
    assertThat(counters.getLastError()).startsWith("/d/");
  }

  @Test
  void run_moverFails_theRequestCountsOnce() throws Exception {
    work(
        RequestKind.EVENT,
        "/d",
        request -> {
          asked.incrementAndGet();
          return CompletableFuture.failedFuture(new IOException("down"));
        });
    assertThat(asked).hasValue(1 + RETRIES);
    assertThat(counters.getFilesFailed()).isEqualTo(1);
    assertThat(counters.getLastError()).contains("down");
  }
}
