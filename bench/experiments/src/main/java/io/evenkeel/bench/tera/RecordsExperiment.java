package io.evenkeel.bench.tera;

import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.RunSettings;
import io.evenkeel.bench.experiment.Runs;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;

/** Processor time of checking a record, against that of its CRC32; in turn in the same JVM. */
public final class RecordsExperiment implements Experiment {
  private static final int ROUNDS = 7;
  private static final int QUICK_ROUNDS = 3;
  private static final int WARM_UP = 40;
  private static final int PASSES = 20;

  @Override
  public String name() {
    return "terasort.records";
  }

  @Override
  public String description() {
    return "processor time to check a record in memory, and how that compares with CRC32 alone";
  }

  @Override
  public List<Comparison> run(RunSettings settings) throws Exception {
    settings.say("terasort.records: CRC32 alone, ours, stock");
    RecordChecks checks = new RecordChecks(settings.seed());
    if (checks.crc32() != checks.evenkeel()) {
      throw new IllegalStateException("the two sums differ");
    }
    Callable<Long> crc32 = checks::crc32;
    Callable<Long> stock = checks::stock;
    Callable<Long> ours = checks::evenkeel;
    for (Callable<Long> way : List.of(crc32, stock, ours)) {
      for (int i = 0; i < WARM_UP; i++) {
        way.call();
      }
    }
    Runs<Round> runs =
        Runs.inTurn(
            settings.quick() ? QUICK_ROUNDS : ROUNDS,
            stock,
            ours,
            (check, i) -> new Round(ofRecord(check), ofRecord(crc32)));
    return List.of(
        runs.mean("processor time of a record", "ns", Round::check),
        runs.mean("of its CRC32 alone, right after", "ns", Round::crc32),
        runs.mean("speed where CRC32 alone is 1", "", round -> round.crc32 / round.check));
  }

  /** Nanoseconds of a record. */
  private record Round(double check, double crc32) {}

  private static double ofRecord(Callable<Long> way) throws Exception {
    double[] passes = new double[PASSES];
    for (int i = 0; i < PASSES; i++) {
      passes[i] = (double) ThreadCpu.nanos(way) / RecordChecks.RECORDS;
    }
    Arrays.sort(passes);
    return passes[PASSES / 2];
  }
}
