package io.evenkeel.bench.sim.placement;

import io.evenkeel.bench.sim.placement.PlacementScenario.Missing;
import io.evenkeel.bench.sim.placement.PlacementScenario.Order;
import io.evenkeel.bench.sim.placement.PlacementScenario.Writers;
import io.evenkeel.bench.sim.placement.Shape.Place;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.net.Node;

/**
 * Writes the blocks of a scenario through one policy. Each writer has one block in flight, from its
 * allocation until the same writer's next one. One thread.
 */
public final class PlacementRun {
  private final Candidate candidate;
  private final PlacementScenario scenario;
  private final Random random;
  private final List<Place> places;
  private final BitSet unusable = new BitSet();
  private final List<Integer> writers = new ArrayList<>();
  private final List<RealCluster> nameNodes = new ArrayList<>();
  private final PlacementTally tally;
  private final InFlight inFlight;
  private final Block[] current;
  private int present;
  private final int warmUp;

  /** A block in flight. */
  private record Block(RealCluster nameNode, DatanodeStorageInfo[] storages, int[] dataNodes) {}

  private PlacementRun(PlacementScenario scenario, Candidate candidate, long seed)
      throws ClassNotFoundException {
    this.candidate = candidate;
    this.scenario = scenario;
    random = new Random(seed);
    places = scenario.places();
    present = places.size() - scenario.change().joining();
    tally = new PlacementTally(places);
    inFlight = new InFlight(places.size());
    current = new Block[places.size()];
    takeAway(scenario.change().missing());
    addWriters(0, present);
    // In random order the last writer starts late; after four rounds 98 % have.
    warmUp = writers.size() * (scenario.load().order() == Order.ROUND_ROBIN ? 1 : 4);
    startNameNodes();
  }

  /**
   * Runs it.
   *
   * @param seed of what the harness draws; a stock policy draws from elsewhere
   * @throws ClassNotFoundException when the policy is not on the class path
   */
  public static PlacementResult run(PlacementScenario scenario, Candidate candidate, long seed)
      throws ClassNotFoundException {
    PlacementRun run = new PlacementRun(scenario, candidate, seed);
    for (int block = 0; block < scenario.load().blocks(); block++) {
      run.change(block);
      run.write(block);
    }
    return run.tally.result(run.unusable, run.inFlight);
  }

  private void takeAway(Missing missing) {
    if (missing.every() == 0) {
      return;
    }
    for (int i = 0; i < places.size(); i += missing.every()) {
      unusable.set(missing.drawn() ? anotherUsable() : i);
    }
  }

  private int anotherUsable() {
    int dataNode = random.nextInt(places.size());
    while (unusable.get(dataNode)) {
      dataNode = random.nextInt(places.size());
    }
    return dataNode;
  }

  private void addWriters(int from, int to) {
    for (int i = from; i < to; i++) {
      if (!unusable.get(i)) {
        writers.add(i);
      }
    }
  }

  private void startNameNodes() throws ClassNotFoundException {
    nameNodes.clear();
    for (int i = 0; i < scenario.change().nameNodes(); i++) {
      RealCluster nameNode =
          new RealCluster(candidate, places.subList(0, present), scenario.load().storagePolicy());
      if (scenario.change().missing().decommissioning()) {
        unusable.stream().forEach(d -> nameNode.dataNode(d).startDecommission());
      }
      nameNodes.add(nameNode);
    }
  }

  private void change(int block) throws ClassNotFoundException {
    int reset = scenario.change().resetEvery();
    if (reset > 0 && block > 0 && block % reset == 0) {
      startNameNodes();
    }
    if (present < places.size() && block >= scenario.load().blocks() / 2) {
      for (Place place : places.subList(present, places.size())) {
        nameNodes.forEach(n -> n.join(place));
      }
      addWriters(present, places.size());
      present = places.size();
    }
    if (reportsBefore(block)) {
      nameNodes.forEach(n -> n.heartbeats(inFlight.snapshot(), tally.replicas()));
    }
  }

  /** So often in a round, in equal steps as far as the number of writers allows. */
  private boolean reportsBefore(int block) {
    long reports = scenario.change().reports();
    int inRound = block % writers.size();
    return inRound * reports / writers.size() != (inRound - 1) * reports / writers.size()
        || inRound == 0 && reports > 0;
  }

  private void write(int block) {
    boolean inTurn = scenario.load().order() == Order.ROUND_ROBIN;
    int writer = writers.get(inTurn ? block % writers.size() : random.nextInt(writers.size()));
    complete(writer);
    RealCluster nameNode = nameNodes.get((block + block / writers.size()) % nameNodes.size());
    boolean local = scenario.load().writers() == Writers.LOCAL;
    int wanted = scenario.load().replication();
    DatanodeStorageInfo[] storages =
        nameNode.choose(local ? nameNode.dataNode(writer) : null, wanted, excluded(nameNode));
    nameNode.scheduled(storages);
    Block written = new Block(nameNode, storages, nameNode.indexes(storages));
    tally.add(written.dataNodes, wanted);
    for (int dataNode : written.dataNodes) {
      inFlight.start(dataNode);
    }
    current[writer] = written;
    if (block >= warmUp) {
      inFlight.sample(present - unusable.cardinality());
    }
  }

  private void complete(int writer) {
    Block done = current[writer];
    if (done == null) {
      return;
    }
    done.nameNode.received(done.storages);
    for (int dataNode : done.dataNodes) {
      inFlight.end(dataNode);
    }
  }

  private Set<Node> excluded(RealCluster nameNode) {
    Missing missing = scenario.change().missing();
    if (missing.every() == 0 || missing.decommissioning()) {
      return null;
    }
    Set<Node> nodes = new HashSet<>();
    unusable.stream().forEach(d -> nodes.add(nameNode.dataNode(d)));
    return nodes;
  }
}
