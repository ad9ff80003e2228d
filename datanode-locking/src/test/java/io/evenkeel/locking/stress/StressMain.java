package io.evenkeel.locking.stress;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;

/** Runs the stress from a command line: {@code StressMain <stock|factory class>}. */
public final class StressMain {
  private StressMain() {}

  public static void main(String[] args) throws Exception {
    Configuration conf = new HdfsConfiguration();
    if (!args[0].equals("stock")) {
      conf.set("dfs.datanode.fsdataset.factory", args[0]);
    }
    long seed = Long.getLong("evenkeel.locking.stress.seed", 1);
    double minutes = Double.parseDouble(System.getProperty("evenkeel.locking.stress.minutes", "1"));
    Path base = Files.createTempDirectory("stress");
    try (StressDataNode node = new StressDataNode(base, conf)) {
      System.out.println(node.dataset().getClass());
      StressRun run =
          new StressRun(node, seed, Boolean.getBoolean("evenkeel.locking.stress.serial"));
      run.run(
          Long.getLong("evenkeel.locking.stress.round", 0),
          Long.getLong("evenkeel.locking.stress.rounds", Long.MAX_VALUE / 2),
          (long) (minutes * TimeUnit.MINUTES.toNanos(1)));
      System.out.println(run.report().substring(0, Math.min(3000, run.report().length())));
      if (Boolean.getBoolean("evenkeel.locking.stress.shrink")) run.shrink();
      System.out.println(run.report());
    }
    System.exit(0);
  }
}
