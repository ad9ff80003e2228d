package io.evenkeel.bench.mover;

import io.evenkeel.bench.embedded.StockMover;
import io.evenkeel.bench.embedded.StockSatisfier;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What stock has to move files with, by default and tuned. Stateless. */
final class StockArms {
  private StockArms() {}

  /** Moves what is misplaced. */
  interface Arm {
    Run run(MoverCluster cluster, Run.Goal goal) throws Exception;
  }

  /** Makes an arm of a tool that must come back when all is done. */
  static Arm of(Run.Mover mover) {
    return (cluster, goal) -> Run.of(cluster, goal, mover.tool(cluster, goal.directory()));
  }

  /**
   * {@code hdfs mover} of what is at a path.
   *
   * @throws IllegalStateException when it ends with another code than 0
   */
  static Run.Tool mover(MoverCluster cluster, String path) {
    return mover(cluster, path, Map.of());
  }

  /** The same with keys of its own. */
  static Run.Tool mover(MoverCluster cluster, String path, Map<String, String> keys) {
    return () -> {
      int code = StockMover.run(cluster.conf(), List.of(path), keys);
      if (code != 0) {
        throw new IllegalStateException("hdfs mover ended with " + code);
      }
    };
  }

  /** {@code hdfs mover}. */
  static Map<String, Arm> movers() {
    Map<String, Arm> arms = new LinkedHashMap<>();
    arms.put("hdfs mover", of(StockArms::mover));
    arms.put("hdfs mover, tuned", of((cluster, path) -> mover(cluster, path, StockMover.TUNED)));
    return arms;
  }

  /** The same and the satisfier, which is asked for the whole directory. */
  static Map<String, Arm> all() {
    Map<String, Arm> arms = movers();
    satisfiers()
        .forEach(
            (name, multiplier) ->
                arms.put(
                    name,
                    (cluster, goal) -> {
                      try (StockSatisfier unused =
                          StockSatisfier.start(cluster.conf(), multiplier)) {
                        return Run.of(
                            cluster,
                            goal,
                            () ->
                                cluster
                                    .fs()
                                    .satisfyStoragePolicy(MoverCluster.path(goal.directory())));
                      }
                    }));
    return arms;
  }

  /** Multipliers by name; none where this Hadoop has no satisfier. */
  static Map<String, Integer> satisfiers() {
    Map<String, Integer> multipliers = new LinkedHashMap<>();
    if (StockSatisfier.exists()) {
      multipliers.put("satisfier", 1);
      multipliers.put("satisfier, tuned", StockSatisfier.TUNED);
    }
    return multipliers;
  }
}
