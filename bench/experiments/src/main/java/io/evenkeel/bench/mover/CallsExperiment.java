package io.evenkeel.bench.mover;

import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.RunSettings;
import java.util.ArrayList;
import java.util.List;

/**
 * What the NameNode is asked while one file is moved, in namespaces of different sizes. The system
 * property {@code evenkeel.bench.mover.namespace} names other sizes, in rising order; the JVM that
 * runs experiments reads {@code JDK_JAVA_OPTIONS}.
 */
public final class CallsExperiment implements Experiment {
  private static final double LIMIT_SECONDS = 180;

  @Override
  public String name() {
    return "mover.calls";
  }

  @Override
  public String description() {
    return "calls of the NameNode to move one file of 30 replicas, by files in the namespace";
  }

  @Override
  public List<Comparison> run(RunSettings settings) throws Exception {
    String sizes = settings.quick() ? "1000" : "1000,10000,50000";
    List<Comparison> rows = new ArrayList<>();
    try (MoverCluster cluster = new MoverCluster(MoverCluster.BOTH)) {
      for (String size : System.getProperty("evenkeel.bench.mover.namespace", sizes).split(",")) {
        settings.say("mover.calls: " + size + " files");
        cluster.fill(Integer.parseInt(size.trim()));
        rows.addAll(rows(cluster, size));
      }
    }
    return rows;
  }

  private static List<Comparison> rows(MoverCluster cluster, String size) throws Exception {
    Run.Goal our = cluster.misplaced(1, LIMIT_SECONDS);
    Calls ours = calls(cluster, our, OurMover.tool(cluster, our.files().get(0)));
    Run.Goal file = cluster.misplaced(1, LIMIT_SECONDS);
    Calls byFile = calls(cluster, file, StockArms.mover(cluster, file.files().get(0)));
    Calls byRoot =
        calls(cluster, cluster.misplaced(1, LIMIT_SECONDS), StockArms.mover(cluster, "/"));
    String label = size + " files, beside mover -p ";
    return List.of(
        Comparison.once(label + "file", "calls", byFile.all(), ours.all()),
        Comparison.once(label + "/", "calls", byRoot.all(), ours.all()),
        Comparison.once(label + "/, listings", "calls", byRoot.listings(), ours.listings()));
  }

  private static Calls calls(MoverCluster cluster, Run.Goal goal, Run.Tool tool) throws Exception {
    return Run.of(cluster, goal, tool).mustComplete().calls();
  }
}
