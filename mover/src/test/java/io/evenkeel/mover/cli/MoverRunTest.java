package io.evenkeel.mover.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.FileReport;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.SequenceInputStream;
import java.net.URI;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class MoverRunTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  /** Hadoop's client may take an interrupt for a failed attempt, and connect after all. */
  @Test
  void run_stoppedWhileItOpensAndTheInterruptIsLost_movesNothing() throws Exception {
    PrintStream stream = new PrintStream(out, true);
    FakeMovers movers = new FakeMovers(path -> FileReport.of(path, FileOutcome.MOVED, ""));
    AtomicReference<MoverRun> run = new AtomicReference<>();
    run.set(
        new MoverRun(
            MoverOptions.parse("hdfs://ns1/a"),
            InputStream.nullInputStream(),
            stream,
            stream,
            (conf, namenode) -> {
              assertThat(run.get().stop()).as("reads paths").isFalse();
              return movers.open(conf, namenode);
            }));
    assertThatThrownBy(() -> run.get().run(new Configuration(false)))
        .isInstanceOfSatisfying(
            CommandException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.INTERRUPTED));
    assertThat(movers.requests).isEmpty();
    assertThat(movers.closed).containsExactly(URI.create("hdfs://ns1:8020"));
  }

  @Test
  void run_stoppedBefore_doesNotRead() {
    PrintStream stream = new PrintStream(out, true);
    FakeMovers movers = new FakeMovers(path -> FileReport.of(path, FileOutcome.MOVED, ""));
    InputStream unread =
        new InputStream() {
          @Override
          public int read() {
            throw new AssertionError("it reads");
          }
        };
    MoverRun run = new MoverRun(MoverOptions.parse("-"), unread, stream, stream, movers);
    assertThat(run.stop()).as("reads paths").isFalse();
    assertThatThrownBy(() -> run.run(new Configuration(false))).hasMessage("interrupted");
  }

  /** A read of standard input knows no interrupt. */
  @Test
  void run_stoppedWhileItReads_opensNothing() {
    PrintStream stream = new PrintStream(out, true);
    FakeMovers movers = new FakeMovers(path -> FileReport.of(path, FileOutcome.MOVED, ""));
    AtomicReference<MoverRun> run = new AtomicReference<>();
    InputStream ends =
        new InputStream() {
          @Override
          public int read() {
            assertThat(run.get().stop()).as("reads paths").isTrue();
            return -1;
          }
        };
    run.set(
        new MoverRun(
            MoverOptions.parse("hdfs://ns1/a", "-"),
            new SequenceInputStream(
                new ByteArrayInputStream("hdfs://ns2/b\n".getBytes(UTF_8)), ends),
            stream,
            stream,
            movers));
    assertThatThrownBy(() -> run.get().run(new Configuration(false))).hasMessage("interrupted");
    assertThat(movers.closed).isEmpty();
  }
}
