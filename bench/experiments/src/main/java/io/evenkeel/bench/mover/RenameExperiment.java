package io.evenkeel.bench.mover;

import static io.evenkeel.bench.mover.MoverCluster.path;

import io.evenkeel.bench.embedded.StockMover;
import io.evenkeel.bench.embedded.StockSatisfier;
import io.evenkeel.bench.experiment.Arms;
import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.Problem;
import io.evenkeel.bench.experiment.RunSettings;
import io.evenkeel.bench.mover.MoverCluster.Written;
import io.evenkeel.mover.FileMover;
import io.evenkeel.mover.follow.FollowMXBean;
import io.evenkeel.mover.follow.Follower;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.IntStream;
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
  private static final String MOVED = "replicas on SSD in the end, by the daemon";

  /** 30 replicas, as a bulk load leaves them. */
  private static final Written FILES = new Written(10, 1, MoverCluster.BLOCK);

  @Override
  public String name() {
    return "mover.rename";
  }

  @Override
  public String description() {
    return "a COLD directory of 30 replicas is renamed below an ALL_SSD one: what moves, and when";
  }

  @Override
  public List<Problem> problems() {
    return List.of(
        Problem.less("From a rename until 30 replicas of 10 files are on SSD, daemon", FOLLOWED));
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
      Map<String, List<Run>> stock = new LinkedHashMap<>();
      if (!StockSatisfier.exists()) {
        stock.put("no satisfier in this Hadoop", List.of());
      } else {
        settings.say("mover.rename: the satisfier, not asked, " + idle + " s");
        try (StockSatisfier unused = StockSatisfier.start(cluster.conf(), 1)) {
          cluster.write("/cold/waiting", FILES);
          stock.put("satisfier, not asked", List.of(plain(cluster, "waiting", idle)));
        }
      }
      for (Map.Entry<String, Integer> arm : StockArms.satisfiers().entrySet()) {
        settings.say("mover.rename: asked for each file: " + arm.getKey());
        stock.put(arm.getKey() + ", each file asked", asked(cluster, arm.getValue(), runs));
      }
      settings.say("mover.rename: hdfs mover after each rename");
      stock.put("hdfs mover, tuned, after each", movedAfter(cluster, runs));
      List<Comparison> rows = new ArrayList<>();
      rows.addAll(new Arms<>(stock, called).mean(CALLED, "s", Run::all));
      rows.addAll(new Arms<>(stock, followed).mean(FOLLOWED, "s", Run::all));
      rows.addAll(new Arms<>(stock, followed).mean(MOVED, "", r -> r.end().onTarget()));
      return rows;
    }
  }

  /** A client that renames and then asks for each file. */
  private static List<Run> asked(MoverCluster cluster, int multiplier, int runs) throws Exception {
    try (StockSatisfier unused = StockSatisfier.start(cluster.conf(), multiplier)) {
      return renamed(
          cluster,
          "asked-" + multiplier + "-",
          runs,
          goal -> {
            for (String file : goal.files()) {
              cluster.fs().satisfyStoragePolicy(path(file));
            }
          });
    }
  }

  /** A client that renames and then runs the mover on the directory, without the start of a JVM. */
  private static List<Run> movedAfter(MoverCluster cluster, int runs) throws Exception {
    return renamed(
        cluster,
        "moved-",
        runs,
        goal -> StockArms.mover(cluster, goal.directory(), StockMover.TUNED).run());
  }

  /** What a client does after a rename. */
  private interface After {
    void run(Run.Goal goal) throws Exception;
  }

  private static List<Run> renamed(MoverCluster cluster, String prefix, int runs, After after)
      throws Exception {
    List<Run> renamed = new ArrayList<>();
    for (int i = 0; i < runs; i++) {
      String name = prefix + i;
      cluster.write("/cold/" + name, FILES);
      Run.Goal goal = goal(name, LIMIT_SECONDS);
      renamed.add(
          Run.of(
              cluster,
              goal,
              View.NOTHING,
              () -> {
                cluster.fs().rename(path("/cold/" + name), path("/fast/" + name));
                after.run(goal);
              }));
    }
    return renamed;
  }

  private static List<Run> called(MoverCluster cluster, int runs) throws Exception {
    List<Run> called = new ArrayList<>();
    for (int i = 0; i < runs; i++) {
      cluster.write("/cold/ours-" + i, FILES);
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
        cluster.write("/cold/followed-" + i, FILES);
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
    Path source = path("/cold/" + name);
    Path target = path("/fast/" + name);
    return Run.of(
        cluster, goal(name, limit), View.NOTHING, () -> cluster.fs().rename(source, target));
  }

  private static Run.Goal goal(String name, double limit) {
    String directory = "/fast/" + name;
    List<String> files =
        IntStream.range(0, FILES.count()).mapToObj(i -> directory + "/file-" + i).toList();
    return new Run.Goal(directory, files, "SSD", limit);
  }
}
