package io.evenkeel.mover.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.FileReport;
import io.evenkeel.mover.request.MoveReport;
import io.evenkeel.mover.request.MoveRequest;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How paths of any number reach a request. */
@Timeout(120)
class LaneTest {
  private static final String LINE = "/warehouse/table/part-00000000\n";

  /** Of standard input. */
  private long lines = 100_000;

  private final AtomicLong linesRead = new AtomicLong();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  /** So many lines, made when they are read. */
  private final class Lines extends InputStream {
    private final byte[] line = LINE.getBytes(StandardCharsets.UTF_8);
    private long position;

    @Override
    public int read() {
      if (position == lines * line.length) {
        return -1;
      }
      int b = line[(int) (position++ % line.length)];
      linesRead.set(position / line.length);
      return b;
    }
  }

  private ExitCode run(OpenMovers movers) throws Exception {
    Surroundings surroundings =
        Surroundings.of(
            new Lines(), new PrintStream(out, true), new PrintStream(new ByteArrayOutputStream()));
    return new MoverRun(MoverOptions.parse("-"), movers, surroundings, null).run();
  }

  private static OpenMovers movers(Movers.Mover mover) {
    Configuration conf = new Configuration(false);
    conf.set("fs.defaultFS", "hdfs://ns1");
    return new OpenMovers(uri -> mover, conf);
  }

  @Test
  @Tag("slow")
  void millionPathsOfStandardInput_areReadAsTheyAreTaken() throws Exception {
    lines = 1_000_000;
    pathsOfStandardInput_areReadAsTheyAreTaken();
  }

  @Test
  void pathsOfStandardInput_areReadAsTheyAreTaken() throws Exception {
    AtomicLong furthestAhead = new AtomicLong();
    OpenMovers movers =
        movers(
            mover(
                request -> {
                  MoveReport.Builder report = new MoveReport.Builder();
                  long taken = 0;
                  for (String path : request.paths()) {
                    taken++;
                    long ahead = linesRead.get() - taken;
                    furthestAhead.accumulateAndGet(ahead, Math::max);
                    report.add(FileReport.of(path, FileOutcome.SATISFIED, ""));
                  }
                  return report.build();
                }));
    assertThat(run(movers)).isEqualTo(ExitCode.OK);
    assertThat(out.toString(StandardCharsets.UTF_8))
        .startsWith("files: " + lines + " already satisfied\n");
    // beside the lane only what a stream decoder and a reader have in their buffers
    assertThat(furthestAhead.get()).isLessThan(Lane.MOST_WAITING + 3 * 8192 / LINE.length());
  }

  @Test
  void requestEndsBeforeItsPaths_theOthersAreNotReached() throws Exception {
    OpenMovers movers =
        movers(
            mover(
                request -> {
                  String first = request.paths().iterator().next();
                  return new MoveReport.Builder()
                      .add(FileReport.of(first, FileOutcome.MOVED, ""))
                      .build();
                }));
    assertThat(run(movers)).isEqualTo(ExitCode.FINDING);
    assertThat(out.toString(StandardCharsets.UTF_8))
        .startsWith("files: 1 moved, 99999 cancelled\n");
  }

  private interface Work {
    MoveReport of(MoveRequest request);
  }

  private static Movers.Mover mover(Work work) {
    return new Movers.Mover() {
      @Override
      public CompletableFuture<MoveReport> move(MoveRequest request) {
        return CompletableFuture.supplyAsync(() -> work.of(request));
      }

      @Override
      public void close() {}
    };
  }
}
