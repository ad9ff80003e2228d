package io.evenkeel.locking.stress;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.locking.FineGrainedDatasetFactory;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The stress over stock's dataset and over ours.
 *
 * <p>{@code -Devenkeel.locking.stress.seed=N} makes the calls of a failure again ({@code .round=R}
 * begins at one round); how threads meet differs from run to run. {@code
 * -Devenkeel.locking.stress.minutes=M} with {@code -Pslow} runs as long as wanted:
 *
 * <pre>./mvnw verify -Pslow -pl common,datanode-locking -Dit.test=DatasetStressIT ...</pre>
 */
class DatasetStressIT {
  private static final String PREFIX = "evenkeel.locking.stress.";
  private static final long UNLIMITED = Long.MAX_VALUE / 2;

  /** Of the quick run, eight of them without a volume. */
  private static final long ROUNDS = 200;

  /** Only a machine that is very busy needs as long for {@link #ROUNDS}. */
  private static final double LIMIT_MINUTES = 3;

  @TempDir Path dir;

  private StressRun run(String factory, boolean serial, long rounds, double minutes)
      throws Exception {
    Configuration conf = new HdfsConfiguration();
    if (factory != null) {
      conf.set("dfs.datanode.fsdataset.factory", factory);
    }
    try (StressDataNode node = new StressDataNode(dir, conf)) {
      StressRun run = new StressRun(node, Long.getLong(PREFIX + "seed", 1), serial);
      long nanos = (long) (minutes * TimeUnit.MINUTES.toNanos(1));
      run.run(Long.getLong(PREFIX + "round", 0), rounds, nanos);
      if (run.faultyBlocks() > 0 && Boolean.getBoolean(PREFIX + "shrink")) {
        run.shrink();
      }
      return run;
    }
  }

  /** Each call of stock by itself: this tests the model, which must know all stock does. */
  @Test
  @Tag("slow") // neither stock nor the model changes often
  void serial_stock_isWhatTheModelSays() throws Exception {
    StressRun run = run(null, true, UNLIMITED, 0.15);
    assertThat(run.kinds()).as(run.report()).isEmpty();
    assertThat(run.coverage())
        .containsKeys("APPEND OK", "RECOVER_RBW OK", "RECOVER_CLOSE OK", "UPDATE OK", "CONVERT OK")
        .containsKeys("UPDATE_COPY OK", "MOVE_VOLUME OK", "MOVE_STORAGE OK", "DELETE OK")
        .containsKeys("CREATE_RBW EXISTS", "CREATE_RBW INJECTED", "FINALIZE INTERRUPTED");
  }

  /** Stock lets two creations of one block succeed: the stress must see it. */
  @Test
  @Tag("slow") // runs no code of ours
  void concurrent_stock_leavesTwoReplicasOfABlock() throws Exception {
    assertThat(run(null, false, UNLIMITED, 0.1).kinds()).containsKey("DUPLICATE");
  }

  /**
   * Of faults planted by leaving out the lock of one kind of call, that of createRbw or
   * createTemporary was seen within 20 rounds, of recoverRbw within 60, of finalizeBlock within
   * 120.
   */
  @Test
  void concurrent_ours_mapDiskAndModelAgree() throws Exception {
    assertAgrees(ROUNDS, LIMIT_MINUTES);
  }

  @Test
  @Tag("slow")
  void concurrent_oursForLong_mapDiskAndModelAgree() throws Exception {
    assertAgrees(UNLIMITED, Double.parseDouble(System.getProperty(PREFIX + "minutes", "3")));
  }

  /**
   * A GAP is no fault: a creation that replaces is a deletion and a creation with stock too, and
   * who asks the map in between, without a lock, is told that there is no such block, as after any
   * deletion.
   */
  private void assertAgrees(long rounds, double minutes) throws Exception {
    StressRun run = run(FineGrainedDatasetFactory.class.getName(), false, rounds, minutes);
    Map<String, Integer> kinds = new HashMap<>(run.kinds());
    kinds.remove("GAP");
    assertThat(run.rounds()).isPositive();
    assertThat(kinds).as(run.report()).isEmpty();
  }
}
