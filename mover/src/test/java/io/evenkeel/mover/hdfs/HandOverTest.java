package io.evenkeel.mover.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.evenkeel.common.testing.Await;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.FileReport;
import io.evenkeel.mover.request.MoveListener;
import io.evenkeel.mover.request.MoveReport;
import io.evenkeel.mover.request.MoveRequest;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Dry runs, which are denied without a call to the NameNode: none is there. */
@Timeout(60)
class HandOverTest {
  private static final Duration NEVER = Duration.ofDays(400_000_000L);

  private final List<String> told = new CopyOnWriteArrayList<>();
  private final BlockingQueue<String> paths = new LinkedBlockingQueue<>();
  private HdfsConnection connection;
  private HandOver handOver;

  @BeforeEach
  void open() throws IOException {
    connection = HdfsConnection.open(new Configuration(), URI.create("hdfs://localhost:1"));
    handOver = new HandOver(connection, "not the superuser");
  }

  @AfterEach
  void close() {
    connection.close();
  }

  private CompletableFuture<MoveReport> submit(MoveRequest.Builder request) {
    MoveListener listener =
        new MoveListener() {
          @Override
          public void fileDone(FileReport file) {
            told.add(file.path());
          }
        };
    return handOver.submit(request.dryRun(true).listener(listener).build());
  }

  private MoveRequest.Builder endless() {
    return MoveRequest.of().stream(
        Stream.generate(
                () -> {
                  try {
                    return paths.take();
                  } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                  }
                })
            .iterator());
  }

  @Test
  void delayAndDeadline_longEnough_changeNothing() throws Exception {
    MoveReport report =
        submit(MoveRequest.of("/a", "/b").delay(Duration.ofMillis(1)).deadline(NEVER))
            .get(30, TimeUnit.SECONDS);
    assertThat(report.files(FileOutcome.DENIED)).isEqualTo(2);
    assertThat(told).containsExactly("/a", "/b");
  }

  @Test
  void deadline_beforeTheDelayEnds_nothingIsAskedFor() throws Exception {
    MoveReport report =
        submit(MoveRequest.of("/a").delay(NEVER).deadline(Duration.ofMillis(10)))
            .get(30, TimeUnit.SECONDS);
    assertThat(report.listed())
        .singleElement()
        .matches(file -> file.outcome() == FileOutcome.CANCELLED)
        .matches(file -> file.reason().equals("deadline passed: not begun"));
    assertThat(told).isEmpty();
  }

  @Test
  void deadline_whileAPathIsWaitedFor_endsWithWhatWasAskedFor() throws Exception {
    paths.add("/a");
    MoveReport report = submit(endless().deadline(Duration.ofSeconds(2))).get(30, TimeUnit.SECONDS);
    assertThat(report.files(FileOutcome.DENIED)).isEqualTo(1);
    assertThat(report.files(FileOutcome.CANCELLED)).isEqualTo(1);
    assertThat(told).containsExactly("/a");
  }

  @Test
  void cancel_whileItWaits_nothingIsAskedFor() {
    CompletableFuture<MoveReport> future = submit(MoveRequest.of("/a").delay(NEVER));
    assertThat(future).isNotDone();
    assertThat(future.cancel(false)).isTrue();
    assertThat(told).isEmpty();
  }

  @Test
  void close_requestsThatWaitOrRead_endAsCancelledWithWhatWasAskedFor() throws Exception {
    paths.add("/a");
    CompletableFuture<MoveReport> reading = submit(endless());
    CompletableFuture<MoveReport> waiting = submit(MoveRequest.of("/b").delay(NEVER));
    Await.until("the first path is asked for", () -> !told.isEmpty());

    handOver.close();
    paths.add("/c");

    assertThat(waiting.get(30, TimeUnit.SECONDS).listed())
        .singleElement()
        .matches(file -> file.outcome() == FileOutcome.CANCELLED)
        .matches(file -> file.reason().equals("the mover was closed: not begun"));
    MoveReport report = reading.get(30, TimeUnit.SECONDS);
    assertThat(report.files(FileOutcome.DENIED)).isEqualTo(1);
    assertThat(report.files(FileOutcome.CANCELLED)).isEqualTo(1);
    assertThat(told).containsExactly("/a");
  }

  @Test
  void close_aListenerThatDoesNotReturn_isNotWaitedFor() throws Exception {
    CountDownLatch inListener = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    MoveListener slow =
        new MoveListener() {
          @Override
          public void fileDone(FileReport file) {
            inListener.countDown();
            try {
              closed.await();
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
          }
        };
    MoveRequest request = MoveRequest.of("/a", "/b").dryRun(true).listener(slow).build();
    CompletableFuture<MoveReport> future = handOver.submit(request);
    inListener.await();

    handOver.close();

    assertThat(future).isDone();
    assertThat(future.join().files(FileOutcome.DENIED)).isEqualTo(1);
    closed.countDown();
  }

  @Test
  void submit_afterClose_isRefused() {
    handOver.close();

    assertThatIllegalStateException()
        .isThrownBy(() -> submit(MoveRequest.of("/a")))
        .withMessage("this mover is closed");
  }

  @Test
  void listenerThrows_theOthersAreAskedForAllTheSame() throws Exception {
    MoveListener bad =
        new MoveListener() {
          @Override
          public void fileDone(FileReport file) {
            throw new IllegalStateException("of the listener");
          }
        };
    MoveRequest request = MoveRequest.of("/a", "/b").dryRun(true).listener(bad).build();
    MoveReport report = handOver.submit(request).get(30, TimeUnit.SECONDS);
    assertThat(report.files(FileOutcome.DENIED)).isEqualTo(2);
  }
}
