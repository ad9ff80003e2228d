package io.evenkeel.bench.placement;

import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.RunSettings;
import io.evenkeel.bench.placement.NameNodeLoad.Clients;
import io.evenkeel.bench.placement.NameNodeLoad.Pace;
import io.evenkeel.bench.sim.placement.Candidate;
import io.evenkeel.bench.sim.placement.Shape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.apache.hadoop.util.VersionInfo;

/**
 * How many blocks a whole NameNode adds in a second with each policy. The policies take turns, each
 * with a NameNode of its own; who goes first in one round goes last in the next.
 */
public final class NameNodeExperiment implements Experiment {
  /**
   * How much is measured.
   *
   * @param racks numbers of racks, of 40 DataNodes each: 4 on a host where hosts are node groups
   * @param disks of each DataNode
   * @param clients one load after the other
   * @param blocks that clients write in each load
   * @param choices that are made without a client
   */
  record Plan(
      List<Integer> racks, int disks, List<Clients> clients, int blocks, int choices, int rounds) {
    private static final Plan QUICK =
        new Plan(
            List.of(25),
            12,
            List.of(new Clients(1, true), new Clients(16, true), new Clients(16, false)),
            1_000,
            1_000,
            1);
    private static final Plan FULL =
        new Plan(
            List.of(25, 250),
            12,
            List.of(
                new Clients(1, true),
                new Clients(4, true),
                new Clients(16, true),
                new Clients(64, true),
                new Clients(16, false)),
            6_400,
            5_000,
            Integer.getInteger("evenkeel.bench.namenode.rounds", 5));

    static Shape shape(int racks, Candidate candidate) {
      return candidate.nodeGroups() ? Shape.of(racks, 10, 4) : Shape.of(racks, 40, 1);
    }
  }

  /** What one candidate did in one round. */
  private record Turn(Map<Clients, Pace> paces, double choosing) {}

  @Override
  public String name() {
    return "placement.namenode";
  }

  @Override
  public String description() {
    return "blocks a second of a whole NameNode, 1,000 and 10,000 DataNodes, 1 to 64 threads";
  }

  @Override
  public List<Comparison> run(RunSettings settings) throws Exception {
    if (!Pairs.usable(settings)) {
      return List.of();
    }
    if (VersionInfo.getVersion().startsWith("3.1.")) {
      settings.progress().accept("evenkeel: " + name() + ": needs Hadoop 3.3 or later; left out");
      return List.of();
    }
    return run(settings.quick() ? Plan.QUICK : Plan.FULL, settings);
  }

  /** Runs it with these numbers. */
  static List<Comparison> run(Plan plan, RunSettings settings) throws Exception {
    List<Comparison> rows = new ArrayList<>();
    for (int racks : plan.racks) {
      Map<Candidate, List<Turn>> turns = new HashMap<>();
      List<Candidate> order = candidates();
      for (int round = 0; round < plan.rounds; round++) {
        for (Candidate candidate : order) {
          turns
              .computeIfAbsent(candidate, c -> new ArrayList<>())
              .add(turn(candidate, plan, racks, settings));
        }
        Collections.reverse(order);
      }
      rows.addAll(rows(plan, racks, turns));
    }
    return rows;
  }

  /** Each pair side by side. */
  private static List<Candidate> candidates() {
    return new ArrayList<>(
        Stream.of(Pairs.NODE_GROUPS, Pairs.PLAIN, Candidate.otherStock())
            .flatMap(List::stream)
            .filter(Candidate::present)
            .toList());
  }

  /** All loads on one NameNode. */
  private static Turn turn(Candidate candidate, Plan plan, int racks, RunSettings settings)
      throws Exception {
    Shape shape = Plan.shape(racks, candidate);
    settings
        .progress()
        .accept("evenkeel: placement.namenode: " + size(shape.size()) + candidate.label());
    try (NameNodeLoad load =
        NameNodeLoad.start(candidate, shape.places(), plan.disks, settings.seed())) {
      load.write(plan.clients.get(0), plan.blocks); // warms up
      Map<Clients, Pace> paces = new HashMap<>();
      for (Clients clients : plan.clients) {
        paces.put(clients, load.write(clients, plan.blocks));
      }
      return new Turn(paces, load.choose(plan.choices));
    }
  }

  private static String size(int dataNodes) {
    return String.format(Locale.ROOT, "%,d DNs, ", dataNodes);
  }

  private static List<Comparison> rows(Plan plan, int racks, Map<Candidate, List<Turn>> turns) {
    List<Comparison> rows = new ArrayList<>();
    String size = size(Plan.shape(racks, Candidate.STOCK_PLAIN).size());
    for (Clients clients : plan.clients) {
      String label = size + clients.label() + ", ";
      ToDoubleFunction<Turn> blocks = turn -> turn.paces.get(clients).blocks();
      ToDoubleFunction<Turn> processor = turn -> turn.paces.get(clients).processor();
      ToDoubleFunction<Turn> addBlock = turn -> turn.paces.get(clients).addBlock();
      for (List<Candidate> pair : List.of(Pairs.NODE_GROUPS, Pairs.PLAIN)) {
        double[] stock = values(turns, pair.get(0), blocks);
        double[] ours = values(turns, pair.get(1), blocks);
        String policy = label + pair.get(0).label() + ": ";
        rows.add(Comparison.medians(policy + "blocks", "1/s", stock, ours));
        rows.add(Comparison.pairs(policy + "blocks, median of pairs", stock, ours));
        rows.add(row(policy + "processor time", "us", processor, pair, turns));
        rows.add(row(policy + "addBlock", "us", addBlock, pair, turns));
      }
      for (Candidate stock : Candidate.otherStock()) {
        List<Candidate> pair = List.of(stock, Candidate.OURS_PLAIN);
        rows.add(row(label + stock.label() + ": blocks", "1/s", blocks, pair, turns));
      }
    }
    for (List<Candidate> pair : List.of(Pairs.NODE_GROUPS, Pairs.PLAIN)) {
      String label = size + pair.get(0).label() + ": choosing alone";
      rows.add(row(label, "us", Turn::choosing, pair, turns));
    }
    return rows;
  }

  private static Comparison row(
      String label,
      String unit,
      ToDoubleFunction<Turn> value,
      List<Candidate> pair,
      Map<Candidate, List<Turn>> turns) {
    return Comparison.medians(
        label, unit, values(turns, pair.get(0), value), values(turns, pair.get(1), value));
  }

  private static double[] values(
      Map<Candidate, List<Turn>> turns, Candidate candidate, ToDoubleFunction<Turn> value) {
    return turns.getOrDefault(candidate, List.of()).stream().mapToDouble(value).toArray();
  }
}
