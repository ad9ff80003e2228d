package io.evenkeel.bench.tera;

import io.evenkeel.bench.experiment.RunSettings;
import io.evenkeel.bench.jmh.JmhRun;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Checking sorted records that are in memory. Stock's arm is TeraValidate's own record reader and
 * mapper, run as a task runs them; ours is the scanner alone, which is all our map does per record.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RecordCheckBenchmark {
  /** Whose check. */
  @Param({JmhRun.STOCK, JmhRun.EVENKEEL})
  public String arm;

  private RecordChecks checks;

  /** Makes the records. */
  @Setup
  public void prepare() {
    checks = new RecordChecks(RunSettings.DEFAULT_SEED);
  }

  /** Checks all records; the result is of one of them. */
  @Benchmark
  @OperationsPerInvocation(RecordChecks.RECORDS)
  public long check() throws IOException, InterruptedException {
    return arm.equals(JmhRun.STOCK) ? checks.stock() : checks.evenkeel();
  }
}
