package io.evenkeel.bench.sim.disk;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;

/**
 * Runs one scenario with one policy: between two events every rate is constant, so time jumps from
 * event to event. The same scenario, policy and seed give the same result. Confined to one thread.
 */
final class Simulation {
  /** Mean seconds between the choice of a volume and the first byte. */
  static final double SETUP = 0.01;

  private static final double DONE = 1e-6;

  private final Scenario scenario;
  private final Clock clock = new Clock();
  private final Random random;
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final List<Disk> disks = new ArrayList<>();
  private final List<Chooser> choosers = new ArrayList<>();
  private final List<Block> streams = new ArrayList<>();
  private final List<Block> reads = new ArrayList<>();
  private final Deque<Block> newest = new ArrayDeque<>();
  private final Outcome outcome;
  private long scheduled;

  private Simulation(Scenario scenario, Chooser.Factory policy, long seed) {
    this.scenario = scenario;
    this.random = new Random(seed);
    Scenario.Node node = scenario.node();
    double all = node.disks().stream().mapToDouble(DiskSpec::bandwidth).sum();
    for (int n = 0; n < scenario.nodes(); n++) {
      List<Disk> own = new ArrayList<>();
      for (DiskSpec spec : node.disks()) {
        own.add(new Disk(spec, disks.size(), node.cache() * spec.bandwidth() / all));
        disks.add(own.get(own.size() - 1));
      }
      choosers.add(policy.create(node, own, clock, random.nextLong()));
    }
    outcome = new Outcome(scenario, disks);
  }

  /** Runs a scenario. */
  static Outcome run(Scenario scenario, Chooser.Factory policy, long seed) {
    Simulation simulation = new Simulation(scenario, policy, seed);
    simulation.run();
    return simulation.outcome;
  }

  /** Something that happens at a time; of two at the same time the one planned first. */
  private record Event(double time, long number, Runnable action) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int order = Double.compare(time, other.time);
      return order != 0 ? order : Long.compare(number, other.number);
    }
  }

  private void at(double time, Runnable action) {
    events.add(new Event(time, scheduled++, action));
  }

  private void run() {
    double end = scenario.load().seconds();
    for (Fault fault : scenario.faults()) {
      at(fault.from(), this::breakOrMend);
      at(fault.to(), this::breakOrMend);
    }
    tick(); // what follows a fault at the same moment sees it
    for (int w = 0; w < scenario.load().writers(); w++) {
      double request = w < scenario.load().small() ? Scenario.Load.SMALL : Disk.REQUEST;
      at(0, () -> write(request));
    }
    for (int r = 0; r < scenario.load().readers().count(); r++) {
      at(0, this::read);
    }
    while (clock.seconds() < end) {
      share();
      double next = Math.min(end, events.peek().time);
      double jump = Math.min(next - clock.seconds(), untilChange());
      boolean event = jump >= next - clock.seconds();
      disks.forEach(disk -> disk.advance(jump));
      streams.forEach(block -> block.remaining -= block.rate * jump);
      reads.forEach(block -> block.remaining -= block.rate * jump);
      outcome.flowed(clock.seconds(), jump, streams, reads);
      clock.set(event ? next : clock.seconds() + jump);
      finish();
      while (clock.seconds() < end && events.peek().time <= clock.seconds()) {
        events.poll().action.run();
      }
    }
    outcome.end(clock.seconds(), choosers);
  }

  /** Once per second: noise, then the policies take their samples. */
  private void tick() {
    double noise = scenario.noise();
    disks.forEach(disk -> disk.noise = 1 + noise * (2 * random.nextDouble() - 1));
    choosers.forEach(Chooser::sample);
    for (int n = 0; n < choosers.size(); n++) {
      outcome.saw(clock.seconds(), n, choosers.get(n).volumes());
    }
    at(clock.seconds() + 1, this::tick);
  }

  private void breakOrMend() {
    int perNode = scenario.node().disks().size();
    for (Disk disk : disks) {
      disk.factor =
          scenario.factor(
              disk.index / perNode, Fault.Part.DISK, disk.index % perNode, clock.seconds());
    }
  }

  private void share() {
    int perNode = scenario.node().disks().size();
    List<Double> nominal = scenario.node().controllers();
    for (int n = 0; n < scenario.nodes(); n++) {
      double[] controllers = new double[nominal.size()];
      for (int c = 0; c < controllers.length; c++) {
        double factor = scenario.factor(n, Fault.Part.CONTROLLER, c, clock.seconds());
        controllers[c] = factor * nominal.get(c);
      }
      FairShare.grant(
          disks.subList(n * perNode, (n + 1) * perNode), controllers, scenario.node().network());
    }
    FairShare.assign(disks, scenario.node().network());
  }

  private double untilChange() {
    double least = Math.min(untilDone(streams), untilDone(reads));
    for (Disk disk : disks) {
      least = Math.min(least, disk.nextChange());
    }
    return Math.max(0, least);
  }

  private static double untilDone(List<Block> blocks) {
    double least = Double.POSITIVE_INFINITY;
    for (Block block : blocks) {
      if (block.rate > 0) {
        least = Math.min(least, block.remaining / block.rate);
      }
    }
    return least;
  }

  private void finish() {
    for (int i = reads.size() - 1; i >= 0; i--) {
      Block block = reads.get(i);
      if (block.remaining <= DONE) {
        block.disks.forEach(disk -> disk.done(block));
        reads.remove(i);
        read();
      }
    }
    for (int i = streams.size() - 1; i >= 0; i--) {
      Block block = streams.get(i);
      if (block.remaining <= DONE) {
        block.doneAt = clock.seconds();
        block.disks.forEach(disk -> disk.done(block));
        streams.remove(i);
        newest.addLast(block);
        if (newest.size() > scenario.load().readers().newest()) {
          newest.removeFirst();
        }
        write(block.request);
      }
    }
  }

  /** A writer asks for its next block; one that gets no volume gives up. */
  private void write(double request) {
    List<Disk> chosen = new ArrayList<>();
    double size = scenario.load().block();
    try {
      for (Chooser chooser : pipeline()) {
        chosen.add(chooser.choose(size));
      }
    } catch (IOException e) {
      outcome.refused();
      return;
    }
    Block block = new Block(chosen, size, request, clock.seconds());
    chosen.forEach(disk -> disk.place(block));
    outcome.chose(block);
    double jitter = scenario.load().jitter() * (2 * random.nextDouble() - 1);
    at(clock.seconds() + SETUP * (1 + jitter), () -> stream(block));
  }

  /** A reader asks for its next block; while there is none, or between bursts, it waits. */
  private void read() {
    double wait = scenario.load().readers().wait(clock.seconds());
    if (wait > 0 || newest.isEmpty()) {
      at(clock.seconds() + Math.max(wait, SETUP), this::read);
      return;
    }
    Block written = List.copyOf(newest).get(random.nextInt(newest.size()));
    Disk disk = written.disks.get(random.nextInt(written.disks.size()));
    Block block = new Block(List.of(disk), scenario.load().block(), Disk.REQUEST, clock.seconds());
    reads.add(block);
    disk.reads.add(block);
  }

  private void stream(Block block) {
    streams.add(block);
    block.disks.forEach(disk -> disk.streams.add(block));
  }

  /** DataNodes for one block, drawn evenly. */
  private List<Chooser> pipeline() {
    if (choosers.size() == 1) {
      return choosers;
    }
    List<Chooser> left = new ArrayList<>(choosers);
    List<Chooser> drawn = new ArrayList<>();
    for (int r = 0; r < scenario.load().replicas(); r++) {
      drawn.add(left.remove(random.nextInt(left.size())));
    }
    return drawn;
  }
}
