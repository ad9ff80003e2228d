package io.evenkeel.bench.gameday.schedule;

import io.evenkeel.bench.gameday.schedule.Fault.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Draws schedules from seeds: phases of a few faults on one host, with calm between them. The same
 * seed and shape give the same schedule. Stateless.
 */
public final class Schedules {
  /** Faults of one phase, at most. */
  private static final int TOGETHER = 3;

  /** Of a phase, so much is left calm at its end: one part in this many. */
  private static final int CALM_PART = 3;

  /** One step in this many is drawn so that it lasts into the next phase, if the rules allow it. */
  private static final int LONG_ONE_IN = 3;

  private static final int ATTEMPTS = 100;
  private static final int SHORTEST_PHASE = 20;
  private static final long SHORTEST_DELAY_MILLIS = 20;
  private static final int DELAYS_MILLIS = 480;

  private Schedules() {}

  /**
   * Draws a schedule that keeps {@link Shape#violations the rules}.
   *
   * @throws IllegalArgumentException when the shape leaves nothing to draw
   */
  public static Schedule draw(long seed, Shape shape) {
    if (shape.acknowledgements() / shape.steps() < SHORTEST_PHASE) {
      throw new IllegalArgumentException(
          shape.steps() + " steps in only " + shape.acknowledgements() + " acknowledgements");
    }
    Random random = new Random(seed);
    for (int i = 0; i < ATTEMPTS; i++) {
      List<Step> steps = attempt(random, shape);
      if (steps.size() == shape.steps()) {
        return new Schedule(seed, shape.acknowledgements(), steps);
      }
    }
    throw new IllegalArgumentException("there are no " + shape.steps() + " steps for " + shape);
  }

  /** A schedule; steps are missing when there was no place for them. */
  private static List<Step> attempt(Random random, Shape shape) {
    List<List<Kind>> phases = phases(random, shape);
    long length = shape.acknowledgements() / phases.size();
    List<Step> steps = new ArrayList<>();
    for (int i = 0; i < phases.size(); i++) {
      long next = Math.min((i + 2) * length, shape.acknowledgements());
      Phase phase = new Phase(i * length, (i + 1) * length, next);
      List<String> hosts = List.copyOf(shape.dataNodes().keySet());
      String failing = hosts.get(random.nextInt(hosts.size()));
      for (Kind kind : phases.get(i)) {
        for (int j = 0; j < ATTEMPTS; j++) {
          String host = Shape.orderly(kind) ? hosts.get(random.nextInt(hosts.size())) : failing;
          List<Step> with = new ArrayList<>(steps);
          with.add(step(random, shape, phase, fault(random, shape, kind, host)));
          if (shape.violations(with).isEmpty()) {
            steps = with;
            break;
          }
        }
      }
    }
    return steps;
  }

  /** The faults of each phase; that of the NameNode has one for itself. */
  private static List<List<Kind>> phases(Random random, Shape shape) {
    List<Kind> kinds = shape.kinds().stream().sorted().toList();
    List<List<Kind>> phases = new ArrayList<>();
    int together = 0;
    for (int i = 0; i < shape.steps(); i++) {
      Kind kind = kinds.get(random.nextInt(kinds.size()));
      if (together == 0 || kind.ofNameNode()) {
        phases.add(new ArrayList<>());
        together = kind.ofNameNode() ? 1 : 1 + random.nextInt(TOGETHER);
      }
      phases.get(phases.size() - 1).add(kind);
      together--;
    }
    return phases;
  }

  /**
   * A part of the load.
   *
   * @param begin its first acknowledgement
   * @param end where the next one begins
   * @param nextEnd where that one ends
   */
  private record Phase(long begin, long end, long nextEnd) {
    long lastOfFaults() {
      return end - (end - begin) / CALM_PART;
    }
  }

  private static Step step(Random random, Shape shape, Phase phase, Fault fault) {
    long last = phase.lastOfFaults();
    long begin = phase.begin() + 1 + random.nextLong((last - phase.begin()) / 2);
    long end = begin + 1 + random.nextLong(last - begin);
    if (random.nextInt(LONG_ONE_IN) == 0 && Shape.orderly(fault.kind())) {
      end = phase.end() + random.nextLong(Math.max(1, phase.nextEnd() - phase.end()));
    }
    // Without a NameNode there are soon no acknowledgements that could end it.
    boolean atOnce = fault.kind() == Kind.KILL_NAMENODE && !shape.hasTwoNameNodes();
    return new Step("", begin, atOnce ? begin : end, fault);
  }

  private static Fault fault(Random random, Shape shape, Kind kind, String host) {
    List<String> dataNodes = shape.dataNodes().get(host);
    String dataNode = dataNodes.get(random.nextInt(dataNodes.size()));
    List<String> volumes = shape.volumes();
    String volume = kind.ofVolume() ? volumes.get(random.nextInt(volumes.size())) : "";
    long millis =
        kind == Kind.SLOW_VOLUME ? SHORTEST_DELAY_MILLIS + random.nextInt(DELAYS_MILLIS) : 0;
    return switch (kind) {
      case KILL_NAMENODE, ROLLING_UPGRADE, FAILOVER -> new Fault(kind, "nn", "", 0);
      case KILL_HOST -> new Fault(kind, host, "", 0);
      default -> new Fault(kind, dataNode, volume, millis);
    };
  }
}
