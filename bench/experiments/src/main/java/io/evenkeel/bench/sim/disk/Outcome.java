package io.evenkeel.bench.sim.disk;

import io.evenkeel.volume.VolumeReport;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What a run has shown. Filled by {@link Simulation}; confined to one thread. */
final class Outcome {
  private static final String IN_USE = "in_use";

  private final Scenario scenario;
  private final List<Disk> disks;
  private final List<Block> blocks = new ArrayList<>();
  private final List<Change> changes = new ArrayList<>();
  private final String[] health;
  private final double[] writtenInSecond;
  private double read;
  private double end;
  private long refused;
  private long ejections;

  /** A policy trusts a disk more or less than before. */
  record Change(double time, int disk, String health) {}

  Outcome(Scenario scenario, List<Disk> disks) {
    this.scenario = scenario;
    this.disks = disks;
    this.health = new String[disks.size()];
    Arrays.fill(health, IN_USE);
    this.writtenInSecond = new double[(int) Math.ceil(scenario.load().seconds()) + 1];
  }

  void flowed(double time, double seconds, List<Block> streams, List<Block> reads) {
    double rate = 0;
    for (Block block : streams) {
      rate += block.rate;
    }
    for (Block block : reads) {
      read += block.rate * seconds;
    }
    writtenInSecond[(int) (time + seconds / 2)] += rate * seconds;
  }

  void chose(Block block) {
    blocks.add(block);
  }

  void refused() {
    refused++;
  }

  void saw(double time, int node, List<VolumeReport> reports) {
    int first = node * scenario.node().disks().size();
    for (int i = 0; i < reports.size(); i++) {
      String now = reports.get(i).getHealth();
      if (!now.equals(health[first + i])) {
        health[first + i] = now;
        changes.add(new Change(time, first + i, now));
      }
    }
  }

  void end(double time, List<Chooser> choosers) {
    end = time;
    for (Chooser chooser : choosers) {
      for (VolumeReport report : chooser.volumes()) {
        ejections += report.getEjections();
      }
    }
  }

  /** MB/s that writers wrote between two whole seconds. */
  double throughput(int from, int to) {
    return Arrays.stream(writtenInSecond, from, to).sum() / (to - from);
  }

  /** MB/s that writers wrote. */
  double throughput() {
    return Arrays.stream(writtenInSecond).sum() / end;
  }

  /** MB/s that writers wrote and readers read. */
  double bothWays() {
    return throughput() + read / end;
  }

  /** {@link #throughput()} over what the disks could have done. */
  double share() {
    return throughput() / Ideal.throughput(scenario);
  }

  /** Seconds that fraction of the blocks took at most; one that is not done counts with its age. */
  double seconds(double fraction) {
    double[] sorted = blocks.stream().mapToDouble(b -> b.seconds(end)).sorted().toArray();
    return sorted[Math.min(sorted.length - 1, (int) (fraction * sorted.length))];
  }

  /** Blocks sent to a disk in that time. */
  long blocksTo(int disk, double from, double to) {
    return blocks.stream()
        .filter(b -> b.chosenAt >= from && b.chosenAt < to && b.disks.contains(disks.get(disk)))
        .count();
  }

  /** Fraction of the blocks that a disk got. */
  double shareOf(int disk) {
    return (double) blocksTo(disk, 0, Double.MAX_VALUE) / blocks.size();
  }

  /** Used fraction of the fullest disk less that of the emptiest one. */
  double spread() {
    double[] fills = disks.stream().mapToDouble(Disk::fill).sorted().toArray();
    return fills[fills.length - 1] - fills[0];
  }

  /** Seconds after a moment when the policy first distrusted a disk; infinite for never. */
  double distrustedAfter(int disk, double time) {
    for (Change change : changes) {
      if (change.disk == disk && change.time >= time && !IN_USE.equals(change.health)) {
        return change.time - time;
      }
    }
    return Double.POSITIVE_INFINITY;
  }

  /** Seconds after a moment since when the policy has trusted a disk again; infinite for never. */
  double trustedAfter(int disk, double time) {
    double since = 0;
    boolean trusted = true;
    for (Change change : changes) {
      if (change.disk == disk) {
        trusted = IN_USE.equals(change.health);
        since = Math.max(0, change.time - time);
      }
    }
    return trusted ? since : Double.POSITIVE_INFINITY;
  }

  /** Every change of trust, in order. */
  List<Change> changes() {
    return changes;
  }

  List<Block> blocks() {
    return blocks;
  }

  List<Disk> disks() {
    return disks;
  }

  /** Writers that gave up because a policy found no volume. */
  long refusals() {
    return refused;
  }

  long ejections() {
    return ejections;
  }
}
