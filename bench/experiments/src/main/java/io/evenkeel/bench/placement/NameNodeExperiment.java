package io.evenkeel.bench.placement;

import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.RunSettings;
import io.evenkeel.bench.experiment.Runs;
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
            5);

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
    if (!PolicyPair.usable(settings)) {
      return List.of();
    }
    if (VersionInfo.getVersion().startsWith("3.1.")) {
      settings.say(name() + ": needs Hadoop 3.3 or later; left out");
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
        Stream.concat(
                PolicyPair.BOTH.stream().flatMap(pair -> Stream.of(pair.stock(), pair.ours())),
                Candidate.otherStock().stream())
            .toList());
  }

  /** All loads on one NameNode. */
  private static Turn turn(Candidate candidate, Plan plan, int racks, RunSettings settings)
      throws Exception {
    Shape shape = Plan.shape(racks, candidate);
    settings.say("placement.namenode: " + size(shape.size()) + candidate.label());
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
      for (PolicyPair pair : PolicyPair.BOTH) {
        Runs<Turn> runs = runs(turns, pair);
        String policy = label + pair.stock().label() + ": ";
        rows.add(runs.median(policy + "blocks", "1/s", blocks));
        rows.add(runs.pairs(policy + "blocks, median of pairs", blocks));
        rows.add(runs.median(policy + "processor time", "us", processor));
        rows.add(runs.median(policy + "addBlock", "us", addBlock));
      }
      for (Candidate stock : Candidate.otherStock()) {
        Runs<Turn> runs = runs(turns, new PolicyPair(stock, Candidate.OURS_PLAIN));
        rows.add(runs.median(label + stock.label() + ": blocks", "1/s", blocks));
      }
    }
    for (PolicyPair pair : PolicyPair.BOTH) {
      String label = size + pair.stock().label() + ": choosing alone";
      rows.add(runs(turns, pair).median(label, "us", Turn::choosing));
    }
    return rows;
  }

  private static Runs<Turn> runs(Map<Candidate, List<Turn>> turns, PolicyPair pair) {
    return new Runs<>(turns.get(pair.stock()), turns.get(pair.ours()));
  }
}
