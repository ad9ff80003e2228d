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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;

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

  /** What is done about one rename. */
  private interface Arm {
    /** Renames the directory of this name and looks until its replicas are where they should be. */
    Run rename(MoverCluster cluster, String name) throws Exception;
  }

  /** What a client does after a rename. */
  private interface After {
    void run(MoverCluster cluster, Run.Goal goal) throws Exception;
  }

  @Override
  public List<Comparison> run(RunSettings settings) throws Exception {
    int idle = settings.quick() ? QUICK_IDLE_SECONDS : IDLE_SECONDS;
    Map<String, Arm> arms = new LinkedHashMap<>();
    if (StockSatisfier.exists()) {
      arms.put("satisfier, not asked", (cluster, name) -> notAsked(cluster, name, idle));
    }
    StockArms.satisfiers()
        .forEach(
            (arm, multiplier) ->
                arms.put(
                    arm + ", each file asked",
                    (cluster, name) -> asked(cluster, name, multiplier)));
    arms.put("hdfs mover, tuned, after each", RenameExperiment::movedAfter);
    arms.put(CALLED, RenameExperiment::called);
    try (MoverCluster cluster = new MoverCluster(MoverCluster.ALL_TIERS)) {
      cluster.directory("/fast", "ALL_SSD");
      cluster.directory("/cold", "COLD");
      settings.say("mover.rename: each in turn");
      AtomicInteger written = new AtomicInteger();
      Arms<Run> turns =
          Arms.inTurn(
              settings.quick() ? QUICK_RUNS : RUNS,
              arms,
              RenameExperiment::followed,
              (arm, round) -> {
                String name = "files-" + written.incrementAndGet();
                cluster.write("/cold/" + name, FILES);
                return arm.rename(cluster, name);
              });
      Map<String, List<Run>> stock = new LinkedHashMap<>(turns.stock());
      List<Run> called = stock.remove(CALLED);
      Arms<Run> followed = new Arms<>(stock, turns.evenkeel());
      List<Comparison> rows = new ArrayList<>();
      rows.addAll(new Arms<>(stock, called).mean(CALLED, "s", Run::all));
      rows.addAll(followed.mean(FOLLOWED, "s", Run::all));
      rows.addAll(followed.mean(MOVED, "", r -> r.end().onTarget()));
      return rows;
    }
  }

  /** The satisfier runs, and nobody asks it. */
  private static Run notAsked(MoverCluster cluster, String name, int idle) throws Exception {
    try (StockSatisfier unused = StockSatisfier.start(cluster.conf(), 1)) {
      return plain(cluster, name, idle, (c, goal) -> {});
    }
  }

  /** A client that renames and then asks for each file. */
  private static Run asked(MoverCluster cluster, String name, int multiplier) throws Exception {
    try (StockSatisfier unused = StockSatisfier.start(cluster.conf(), multiplier)) {
      return plain(
          cluster,
          name,
          LIMIT_SECONDS,
          (c, goal) -> {
            for (String file : goal.files()) {
              c.fs().satisfyStoragePolicy(path(file));
            }
          });
    }
  }

  /** A client that renames and then runs the mover on the directory, without the start of a JVM. */
  private static Run movedAfter(MoverCluster cluster, String name) throws Exception {
    return plain(
        cluster,
        name,
        LIMIT_SECONDS,
        (c, goal) -> StockArms.mover(c, goal.directory(), StockMover.TUNED).run());
  }

  private static Run called(MoverCluster cluster, String name) throws Exception {
    return OurMover.rename(cluster, "/cold/" + name, goal(name, LIMIT_SECONDS)).mustComplete();
  }

  /** A plain rename beside the daemon as {@code evenkeel mover --follow} runs it. */
  private static Run followed(MoverCluster cluster, String name) throws Exception {
    Configuration conf = cluster.conf();
    conf.set("evenkeel.mover.follow.prefixes", "/fast");
    conf.setInt("evenkeel.mover.follow.replicas-per-second", 0); // as fast as it can
    try (FileMover mover = FileMover.open(conf);
        Follower daemon = Follower.open(conf, mover::move)) {
      daemon.start();
      await(daemon, status -> status.getState().equals("active"));
      await(daemon, status -> status.getLagTransactions() == 0 && status.getQueued() == 0);
      return plain(cluster, name, LIMIT_SECONDS, (c, goal) -> {}).mustComplete();
    }
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

  /** A client's rename, and then what it or others do about it. */
  private static Run plain(MoverCluster cluster, String name, double limit, After after)
      throws Exception {
    Run.Goal goal = goal(name, limit);
    return Run.of(
        cluster,
        goal,
        View.NOTHING,
        () -> {
          cluster.fs().rename(path("/cold/" + name), path("/fast/" + name));
          after.run(cluster, goal);
        });
  }

  private static Run.Goal goal(String name, double limit) {
    String directory = "/fast/" + name;
    List<String> files =
        IntStream.range(0, FILES.count()).mapToObj(i -> directory + "/file-" + i).toList();
    return new Run.Goal(directory, files, "SSD", limit);
  }
}
