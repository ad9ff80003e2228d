package io.evenkeel.bench.mover;

import static java.lang.ProcessBuilder.Redirect.DISCARD;

import io.evenkeel.bench.embedded.StockMover;
import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.RunSettings;
import io.evenkeel.bench.runtime.Jvm;
import io.evenkeel.bench.runtime.Trees;
import io.evenkeel.mover.MoverTool;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Two movers on the same files at once; ours are processes of their own. */
public final class TwoExperiment implements Experiment {
  private static final int FILES = 50;
  private static final int QUICK_FILES = 10;
  private static final int SETTLE_SECONDS = 30;

  @Override
  public String name() {
    return "mover.two";
  }

  @Override
  public String description() {
    return "two movers at once on the same 50 files: what is on SSD, replicas of each block";
  }

  /** Ends with 0 when it was satisfied. */
  private interface Mover {
    int move(MoverCluster cluster, String directory) throws Exception;
  }

  /** What two movers left behind. */
  private record Pair(int content, View view) {}

  @Override
  public List<Comparison> run(RunSettings settings) throws Exception {
    int files = settings.quick() ? QUICK_FILES : FILES;
    Mover ours = TwoExperiment::inProcess;
    Mover stock = (cluster, path) -> StockMover.run(cluster.conf(), List.of(path), Map.of());
    List<Comparison> rows = new ArrayList<>();
    for (List<List<String>> nodes : List.of(MoverCluster.BOTH, MoverCluster.APART)) {
      String where = nodes == MoverCluster.BOTH ? "same DataNodes, " : "other DataNodes, ";
      try (MoverCluster cluster = new MoverCluster(nodes)) {
        settings.say("mover.two: " + where + "two of ours");
        Pair twoOfOurs = both(cluster, files, List.of(ours, ours));
        settings.say("mover.two: " + where + "two of stock's");
        Pair twoOfStock = both(cluster, files, List.of(stock, stock));
        settings.say("mover.two: " + where + "one of each");
        Pair mixed = both(cluster, files, List.of(stock, ours));
        rows.addAll(rows(where + "two of a kind: ", twoOfStock, twoOfOurs));
        rows.addAll(rows(where + "one of each, beside two of stock's: ", twoOfStock, mixed));
      }
    }
    return rows;
  }

  private static List<Comparison> rows(String label, Pair stock, Pair ours) {
    return List.of(
        Comparison.once(label + "on SSD", "%", stock.view.percent(), ours.view.percent()),
        Comparison.once(
            label + "fewest replicas of a block", "", stock.view.least(), ours.view.least()),
        Comparison.once(
            label + "most replicas of a block", "", stock.view.most(), ours.view.most()),
        Comparison.once(label + "movers that were content", "", stock.content, ours.content));
  }

  /** Looks once both are back and the NameNode had time to delete what is too much. */
  private static Pair both(MoverCluster cluster, int files, List<Mover> movers) throws Exception {
    Run.Goal goal = cluster.misplaced(files, SETTLE_SECONDS);
    ExecutorService threads = Executors.newFixedThreadPool(movers.size());
    int content = 0;
    try {
      List<Callable<Integer>> calls = new ArrayList<>();
      for (Mover mover : movers) {
        calls.add(() -> mover.move(cluster, goal.directory()));
      }
      for (Future<Integer> code : threads.invokeAll(calls)) {
        content += code.get() == 0 ? 1 : 0;
      }
    } finally {
      threads.shutdownNow();
    }
    TimeUnit.SECONDS.sleep(SETTLE_SECONDS);
    return new Pair(content, cluster.view(goal.files(), goal.type()));
  }

  /** Ours as its command runs it; two in one JVM see to it that they do not move the same file. */
  private static int inProcess(MoverCluster cluster, String directory)
      throws IOException, InterruptedException {
    Path conf = Files.createTempDirectory("mover-conf");
    try {
      try (OutputStream out = Files.newOutputStream(conf.resolve("core-site.xml"))) {
        cluster.conf().writeXml(out);
      }
      List<String> command = new ArrayList<>(List.of(Jvm.java(), "-Xmx256m"));
      ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
          .filter(argument -> argument.startsWith("--add-opens"))
          .forEach(command::add);
      String classes = conf + File.pathSeparator + System.getProperty("java.class.path");
      command.addAll(List.of("-cp", classes, MoverTool.class.getName(), directory));
      Process process =
          new ProcessBuilder(command).redirectOutput(DISCARD).redirectError(DISCARD).start();
      try {
        return process.waitFor();
      } finally {
        process.destroyForcibly();
      }
    } finally {
      Trees.delete(conf);
    }
  }
}
