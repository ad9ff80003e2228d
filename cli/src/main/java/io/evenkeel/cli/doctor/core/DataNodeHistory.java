package io.evenkeel.cli.doctor.core;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.ToDoubleBiFunction;

/** One DataNode over all rounds. Immutable. */
public final class DataNodeHistory {
  private final String name;
  private final String registered;
  private final String host;
  private final String rack;
  private final boolean inService;
  private final List<Reading> rounds;
  private final List<ThreadDump> dumps;
  private final double clock;
  private final boolean refuses;

  /**
   * Creates it.
   *
   * @param name what an operator calls it, such as {@code dn1:9864}
   * @param host key of the physical host; DataNodes of equal keys share it
   * @param rack key of the rack
   * @param inService whether it is given blocks: not leaving, left or in maintenance
   * @param rounds what it said in each round; null where it did not answer
   */
  public DataNodeHistory(
      String name, String host, String rack, boolean inService, List<Reading> rounds) {
    this.name = Objects.requireNonNull(name);
    this.host = Objects.requireNonNull(host);
    this.rack = Objects.requireNonNull(rack);
    this.inService = inService;
    this.rounds = Collections.unmodifiableList(new ArrayList<>(rounds));
    this.registered = name;
    this.dumps = Collections.emptyList();
    this.clock = Double.NaN;
    this.refuses = false;
  }

  private DataNodeHistory(
      DataNodeHistory same,
      String registered,
      List<ThreadDump> dumps,
      double clock,
      boolean refuses) {
    this.name = same.name;
    this.host = same.host;
    this.rack = same.rack;
    this.inService = same.inService;
    this.rounds = same.rounds;
    this.registered = Objects.requireNonNull(registered);
    this.dumps = Collections.unmodifiableList(new ArrayList<>(dumps));
    this.clock = clock;
    this.refuses = refuses;
  }

  /** The same with dumps of its threads, the earliest first. */
  public DataNodeHistory with(List<ThreadDump> threads) {
    return new DataNodeHistory(this, registered, threads, clock, refuses);
  }

  /** The same with its clock: seconds ahead of the one that all are compared with. */
  public DataNodeHistory withClock(double seconds) {
    return new DataNodeHistory(this, registered, dumps, seconds, refuses);
  }

  /** Seconds by which its clock is ahead; not a number when it is not known. */
  double clock() {
    return clock;
  }

  /** The same by the name that the NameNode has for it, which ends with another port. */
  public DataNodeHistory registeredAs(String other) {
    return new DataNodeHistory(this, other, dumps, clock, refuses);
  }

  /** The same; whether its web server answers, but not us. */
  public DataNodeHistory refusing(boolean now) {
    return new DataNodeHistory(this, registered, dumps, clock, now);
  }

  /** Whether its web server answers, but not us: that it is silent then says nothing of it. */
  boolean refuses() {
    return refuses;
  }

  /** The name that the NameNode has for it. */
  String registered() {
    return registered;
  }

  /** Dumps of its threads, the earliest first; empty when it showed none. */
  public List<ThreadDump> dumps() {
    return dumps;
  }

  /** What an operator calls it. */
  public String name() {
    return name;
  }

  /** Key of its physical host. */
  public String host() {
    return host;
  }

  /** Key of its rack. */
  public String rack() {
    return rack;
  }

  /** Whether it is given blocks. */
  public boolean inService() {
    return inService;
  }

  /** What it said in each round; null where it did not answer. */
  public List<Reading> rounds() {
    return rounds;
  }

  /** The first thing it said; null when it never answered. */
  public Reading first() {
    return rounds.stream().filter(Objects::nonNull).findFirst().orElse(null);
  }

  /** The last thing it said; null when it never answered. */
  public Reading last() {
    return rounds.stream().filter(Objects::nonNull).reduce((a, b) -> b).orElse(null);
  }

  /** The storage types of its volumes: DataNodes of one role have the same. */
  public String types() {
    TreeSet<String> types = new TreeSet<>();
    if (last() != null) {
      last().volumes().forEach(volume -> types.add(volume.type()));
    }
    return String.join("+", types);
  }

  /** A value of each interval between two rounds; not a number where one of them is missing. */
  public double[] series(ToDoubleBiFunction<Reading, Reading> value) {
    double[] series = new double[Math.max(0, rounds.size() - 1)];
    for (int i = 0; i < series.length; i++) {
      Reading before = rounds.get(i);
      Reading after = rounds.get(i + 1);
      series[i] = before == null || after == null ? Double.NaN : value.applyAsDouble(before, after);
    }
    return series;
  }
}
