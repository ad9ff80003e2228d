package io.evenkeel.bench.tera;

import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.RunSettings;
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
    settings.progress().accept("evenkeel: terasort.records: CRC32 alone, ours, stock");
    RecordChecks checks = new RecordChecks(settings.seed());
    if (checks.crc32() != checks.evenkeel()) {
      throw new IllegalStateException("the two sums differ");
    }
    List<Callable<?>> ways = List.of(checks::crc32, checks::evenkeel, checks::stock);
    int rounds = settings.quick() ? QUICK_ROUNDS : ROUNDS;
    double[][] nanos = new double[ways.size()][rounds];
    for (Callable<?> way : ways) {
      for (int i = 0; i < WARM_UP; i++) {
        way.call();
      }
    }
    for (int round = 0; round < rounds; round++) {
      for (int way = 0; way < nanos.length; way++) {
        nanos[way][round] = ofRecord(ways.get(way));
      }
    }
    double[] crc = nanos[0];
    return List.of(
        Comparison.repeated("processor time of a record", "ns", nanos[2], nanos[1]),
        Comparison.repeated("of its CRC32 alone", "ns", crc, crc),
        Comparison.repeated(
            "speed where CRC32 alone is 1", "", over(crc, nanos[2]), over(crc, nanos[1])));
  }

  private static double ofRecord(Callable<?> way) throws Exception {
    double[] passes = new double[PASSES];
    for (int i = 0; i < PASSES; i++) {
      passes[i] = (double) ThreadCpu.nanos(way) / RecordChecks.RECORDS;
    }
    Arrays.sort(passes);
    return passes[PASSES / 2];
  }

  private static double[] over(double[] a, double[] b) {
    double[] ratios = new double[a.length];
    for (int i = 0; i < a.length; i++) {
      ratios[i] = a[i] / b[i];
    }
    return ratios;
  }
}
