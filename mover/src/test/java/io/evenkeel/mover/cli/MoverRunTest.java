package io.evenkeel.mover.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.FileReport;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
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
    Surroundings surroundings =
        new Surroundings(new ByteArrayInputStream(new byte[0]), stream, stream);
    FakeMovers movers = new FakeMovers(path -> FileReport.of(path, FileOutcome.MOVED, ""));
    AtomicReference<MoverRun> run = new AtomicReference<>();
    run.set(
        new MoverRun(
            MoverOptions.parse(new String[] {"hdfs://ns1/a"}),
            new Configuration(false),
            surroundings,
            null));
    Movers opens =
        namenode -> {
          run.get().stop();
          return movers.open(namenode);
        };
    assertThatThrownBy(() -> run.get().run(opens))
        .isInstanceOfSatisfying(
            CommandException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.INTERRUPTED));
    assertThat(movers.requests).isEmpty();
    assertThat(movers.closed).containsExactly(URI.create("hdfs://ns1:8020"));
  }
}
