package io.evenkeel.bench.mover;

import io.evenkeel.bench.embedded.StockSatisfier;
import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.RunSettings;
import io.evenkeel.bench.experiment.Runs;
import io.evenkeel.mover.FileMover;
import io.evenkeel.mover.follow.FollowMXBean;
import io.evenkeel.mover.follow.Follower;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/** What happens to the blocks of a directory that is renamed below another storage policy. */
public final class RenameExperiment implements Experiment {
  private static final int IDLE_SECONDS = 60;
  private static final int QUICK_IDLE_SECONDS = 10;
  private static final int RUNS = 3;
  private static final int QUICK_RUNS = 1;
  private static final double LIMIT_SECONDS = 120;
  private static final long LOOK_MILLIS = 10;
  private static final String CALLED = "rename to all on SSD, by FileMover.rename";
  private static final String FOLLOWED = "rename to all on SSD, by the daemon";

  @Override
  public String name() {
    return "mover.rename";
  }

  @Override
  public String description() {
    return "a COLD directory of 30 replicas is renamed below an ALL_SSD one: what moves, and when";
  }

  @Override
  public List<Comparison> run(RunSettings settings) throws Exception {
    int idle = settings.quick() ? QUICK_IDLE_SECONDS : IDLE_SECONDS;
    int runs = settings.quick() ? QUICK_RUNS : RUNS;
    try (MoverCluster cluster = new MoverCluster(MoverCluster.ALL_TIERS)) {
      cluster.directory("/fast", "ALL_SSD");
      cluster.directory("/cold", "COLD");
      settings.say("mover.rename: by FileMover.rename");
      List<Run> called = called(cluster, runs);
      settings.say("mover.rename: by the daemon");
      List<Run> followed = followed(cluster, runs);
      if (!StockSatisfier.exists()) {
        settings.say("mover.rename: this Hadoop has no satisfier");
        return List.of(row(CALLED, List.of(), called), row(FOLLOWED, List.of(), followed));
      }
      settings.say("mover.rename: the satisfier, idle " + idle + " s");
      Run waiting;
      Run asked;
      try (StockSatisfier unused = StockSatisfier.start(cluster.conf(), 1)) {
        cluster.write("/cold/stock", 1);
        waiting = plain(cluster, "stock", idle);
        asked =
            Run.of(
                cluster,
                goal("stock", LIMIT_SECONDS),
                () -> cluster.fs().satisfyStoragePolicy(MoverCluster.path("/fast/stock")));
      }
      String after = "replicas on SSD " + idle + " s after the rename, satisfier running";
      return List.of(
          Comparison.counted(after, "", waiting.end().onTarget(), called.get(0).end().onTarget()),
          row(CALLED, List.of(waiting), called),
          row(FOLLOWED, List.of(waiting), followed),
          row("by FileMover.rename, beside satisfier once it is asked", List.of(asked), called));
    }
  }

  private static List<Run> called(MoverCluster cluster, int runs) throws Exception {
    List<Run> called = new ArrayList<>();
    for (int i = 0; i < runs; i++) {
      cluster.write("/cold/ours-" + i, 1);
      Run.Goal goal = goal("ours-" + i, LIMIT_SECONDS);
      called.add(OurMover.rename(cluster, "/cold/ours-" + i, goal).mustComplete());
    }
    return called;
  }

  /** Plain renames beside the daemon as {@code evenkeel mover --follow} runs it. */
  private static List<Run> followed(MoverCluster cluster, int runs) throws Exception {
    Configuration conf = cluster.conf();
    conf.set("evenkeel.mover.follow.prefixes", "/fast");
    conf.setInt("evenkeel.mover.follow.replicas-per-second", 0); // as fast as it can
    List<Run> followed = new ArrayList<>();
    try (FileMover mover = FileMover.open(conf);
        Follower daemon = Follower.open(conf, mover::move)) {
      daemon.start();
      await(daemon, status -> status.getState().equals("active"));
      for (int i = 0; i < runs; i++) {
        cluster.write("/cold/followed-" + i, 1);
        await(daemon, status -> status.getLagTransactions() == 0 && status.getQueued() == 0);
        followed.add(plain(cluster, "followed-" + i, LIMIT_SECONDS).mustComplete());
      }
    }
    return followed;
  }

  private static void await(Follower daemon, Predicate<FollowMXBean> condition)
      throws InterruptedException {
    long start = System.nanoTime();
    while (!condition.test(daemon.status())) {
      if (System.nanoTime() - start > LIMIT_SECONDS * 1e9) {
        throw new IllegalStateException("the daemon is " + daemon.status().getState());
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
  }

  /** A client's rename, and then what others do about it. */
  private static Run plain(MoverCluster cluster, String name, double limit) throws Exception {
    Path source = MoverCluster.path("/cold/" + name);
    Path target = MoverCluster.path("/fast/" + name);
    return Run.of(
        cluster, goal(name, limit), View.NOTHING, () -> cluster.fs().rename(source, target));
  }

  private static Run.Goal goal(String name, double limit) {
    String directory = "/fast/" + name;
    return new Run.Goal(directory, List.of(directory + "/file-0"), "SSD", limit);
  }

  private static Comparison row(String label, List<Run> stock, List<Run> ours) {
    return new Runs<>(stock, ours).mean(label, "s", Run::all);
  }
}
