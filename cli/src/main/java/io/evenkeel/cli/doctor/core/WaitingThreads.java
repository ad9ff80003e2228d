package io.evenkeel.cli.doctor.core;

import io.evenkeel.cli.core.Figures;
import io.evenkeel.cli.doctor.core.Diagnosis.Certainty;
import io.evenkeel.cli.doctor.core.ThreadDump.Stack;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Finds threads of DataNodes that wait for the lock of the dataset, or for a disk. Stateless. */
final class WaitingThreads {
  /** Fewer threads that wait are nothing unusual at one time. */
  private static final int MANY = 5;

  /** Two dumps that are at least so far apart tell a hang from a slow call. */
  private static final double HUNG_SECONDS = 20;

  private static final double ROUND_SECONDS = 10;

  /** So many threads do not stand at the same place for a minute by chance. */
  private static final int SURELY = 3;

  private static final int SHOWN_FRAMES = 4;

  private WaitingThreads() {}

  /** What the dumps of all DataNodes show. */
  static List<Diagnosis> find(ClusterHistory cluster) {
    List<Diagnosis> found = new ArrayList<>();
    for (DataNodeHistory node : cluster.dataNodes()) {
      lockWait(node, found);
      hungVolume(node, cluster, found);
    }
    return found;
  }

  /** A thread that was the same in dumps one after another. Immutable. */
  private static final class Standstill {
    private final Stack stack;
    private final int dumps;
    private final double from;
    private final double seconds;

    Standstill(Stack stack, int dumps, double from, double seconds) {
      this.stack = stack;
      this.dumps = dumps;
      this.from = from;
      this.seconds = seconds;
    }

    /** A dump is taken just after the round it belongs to. */
    boolean covers(double when) {
      return when >= from - ROUND_SECONDS / 2 && when <= from + seconds;
    }
  }

  private interface Kind {
    boolean is(Stack stack);
  }

  /** The thread of a kind that stood still for the longest; null when none did. */
  private static Standstill longest(List<ThreadDump> dumps, Kind kind) {
    Standstill longest = null;
    for (int from = 0; from < dumps.size(); from++) {
      for (Stack stack : dumps.get(from).stacks().values()) {
        int to = from;
        while (kind.is(stack) && to + 1 < dumps.size() && isStill(dumps.get(to + 1), stack)) {
          to++;
        }
        double seconds = dumps.get(to).seconds() - dumps.get(from).seconds();
        if (to > from && (longest == null || seconds > longest.seconds)) {
          longest = new Standstill(stack, to - from + 1, dumps.get(from).seconds(), seconds);
        }
      }
    }
    return longest;
  }

  private static boolean isStill(ThreadDump later, Stack stack) {
    return stack.isStill(later.stacks().get(stack.id()));
  }

  private static void lockWait(DataNodeHistory node, List<Diagnosis> found) {
    ThreadDump worst = null;
    int most = 0;
    int dumps = 0;
    int crowded = 0;
    for (ThreadDump dump : node.dumps()) {
      int waiting = dump.waiting();
      dumps += waiting > 0 ? 1 : 0;
      crowded += waiting >= MANY ? 1 : 0;
      if (waiting > most) {
        most = waiting;
        worst = dump;
      }
    }
    Standstill still = longest(node.dumps(), Stack::waitsForDataset);
    if (worst == null || (still == null && most < MANY)) {
      return;
    }
    Certainty certainty =
        still != null ? Certainty.CERTAIN : crowded > 1 ? Certainty.LIKELY : Certainty.POSSIBLE;
    String howLong =
        still == null
            ? ""
            : String.format(
                Locale.ROOT,
                "; one of them for at least %.0f s without a break, in %s",
                still.seconds,
                inDataset(still.stack));
    found.add(
        new Diagnosis.Builder(Diagnosis.Kind.LOCK_WAIT, certainty, node.name())
            .evidence(
                String.format(
                    Locale.ROOT,
                    "up to %d threads wait for the lock of the dataset, some in %d of %d thread"
                        + " dumps%s; %s",
                    most,
                    dumps,
                    node.dumps().size(),
                    howLong,
                    holder(worst)))
            .harm("Reads and writes of this DataNode wait for each other, also on healthy volumes.")
            .stock(
                (beforeSplitLock(node)
                        ? "Upgrade to Hadoop 3.4, which locks by volume for most calls. "
                        : "")
                    + "Find what the holder waits for ('jstack PID' while it lasts): where that is a"
                    + " disk, replace it or take it out of dfs.datanode.data.dir.")
            .evenkeel(
                "datanode-locking, on Hadoop 3.4 or 3.5: dfs.datanode.fsdataset.factory ="
                    + " io.evenkeel.locking.FineGrainedDatasetFactory (docs/datanode-locking.md)")
            .build());
  }

  /** Stock of 3.4 has a lock for each volume below the one of the block pool. */
  private static boolean beforeSplitLock(DataNodeHistory node) {
    String version = node.last() == null ? "" : node.last().text("SoftwareVersion");
    return version.startsWith("2.") || version.matches("3\\.[0-3]\\..*");
  }

  private static String holder(ThreadDump dump) {
    for (Stack each : dump.stacks().values()) {
      Stack holder = each.waitsForDataset() ? dump.stacks().get(each.blockedBy()) : null;
      if (holder != null && !holder.waitsForDataset()) {
        return "it is held by " + shown(holder);
      }
    }
    for (Stack each : dump.stacks().values()) {
      if (each.doesFileIo() && each.isInDataset()) {
        return "it is probably held by " + shown(each);
      }
    }
    return "the dump does not say by whom it is held";
  }

  private static String shown(Stack stack) {
    return "thread '" + stack.name() + "' at " + top(stack.frames());
  }

  private static String top(List<String> frames) {
    return frames.stream()
        .limit(SHOWN_FRAMES)
        .map(frame -> frame.replaceAll("\\(.*", "").replaceAll("([a-z0-9_]+\\.)+(?=[A-Z])", ""))
        .collect(Collectors.joining(" < "));
  }

  private static String inDataset(Stack stack) {
    return stack.frames().stream()
        .filter(frame -> frame.startsWith(ThreadDump.DATASET))
        .findFirst()
        .map(frame -> top(Collections.singletonList(frame)))
        .orElseGet(() -> top(stack.frames()));
  }

  private static void hungVolume(
      DataNodeHistory node, ClusterHistory cluster, List<Diagnosis> found) {
    Standstill still = longest(node.dumps(), Stack::doesFileIo);
    List<Reading> rounds = during(still, node);
    List<Reading.Volume> idle = withoutFinalized(rounds, node);
    if (still == null || still.seconds < HUNG_SECONDS || idle.isEmpty()) {
      return; // volumes that all work do not hang
    }
    List<Reading.Volume> written = new ArrayList<>(idle);
    written.retainAll(Reading.writtenTo(rounds, node.last().volumes()));
    boolean othersMove = cluster.dataNodes().stream().anyMatch(each -> hasMoved(each, still));
    Certainty certainty = still.dumps > 2 && othersMove ? Certainty.LIKELY : Certainty.POSSIBLE;
    int stuck = stuck(node.dumps(), still);
    certainty = stuck >= SURELY && othersMove && still.dumps > 2 ? Certainty.CERTAIN : certainty;
    found.add(
        new Diagnosis.Builder(Diagnosis.Kind.HUNG_VOLUME, certainty, node.name())
            .evidence(
                String.format(
                    Locale.ROOT,
                    "%s at the same place in %d thread dumps over %.0f s, one of them %s; a dump"
                        + " does not name the volume, but on these no replica was finalized%s,"
                        + " %s: %s",
                    stuck == 1 ? "1 thread" : stuck + " threads",
                    still.dumps,
                    still.seconds,
                    shown(still.stack),
                    othersMove ? " while it was on others" : "",
                    written.isEmpty()
                        ? "which is so of idle ones, too"
                        : "and replicas were being written to them",
                    (written.isEmpty() ? idle : written)
                        .stream().map(WaitingThreads::described).collect(Collectors.joining(", "))))
            .harm("Reads and writes of blocks there wait, and may hold a lock meanwhile.")
            .stock(
                "Look for errors of the disks in the kernel's log ('dmesg'). While one hangs, stop"
                    + " the DataNode: clients go elsewhere. Then replace the disk, or take its"
                    + " directory out of dfs.datanode.data.dir, and start it.")
            .evenkeel(
                "volume-policy gives no new blocks to a volume that hangs:"
                    + " dfs.datanode.fsdataset.volume.choosing.policy ="
                    + " io.evenkeel.volume.LatencyAwareVolumeChoosingPolicy"
                    + " (docs/volume-policy.md)")
            .build());
  }

  /**
   * Threads that stood still in the same calls of files from the first of these dumps to the last.
   */
  private static int stuck(List<ThreadDump> dumps, Standstill during) {
    int from = 0;
    while (dumps.get(from).seconds() < during.from) {
      from++;
    }
    int stuck = 0;
    for (Stack each : dumps.get(from).stacks().values()) {
      boolean still = each.doesFileIo();
      for (int i = from + 1; i < from + during.dumps; i++) {
        still = still && isStill(dumps.get(i), each);
      }
      stuck += still ? 1 : 0;
    }
    return stuck;
  }

  private static boolean hasMoved(DataNodeHistory node, Standstill during) {
    return node.last() != null
        && withoutFinalized(during(during, node), node).size() < node.last().volumes().size();
  }

  private static List<Reading> during(Standstill still, DataNodeHistory node) {
    List<Reading> rounds = new ArrayList<>();
    for (Reading each : node.rounds()) {
      if (each != null && still != null && still.covers(each.seconds())) {
        rounds.add(each);
      }
    }
    return rounds;
  }

  private static List<Reading.Volume> withoutFinalized(List<Reading> rounds, DataNodeHistory node) {
    return node.last() == null
        ? new ArrayList<>()
        : Reading.withoutFinalized(rounds, node.last().volumes());
  }

  private static String described(Reading.Volume volume) {
    List<String> known = new ArrayList<>();
    if (!volume.type().isEmpty()) {
      known.add(volume.type());
    }
    if (volume.blocks() >= 0) {
      known.add(Figures.count(volume.blocks(), "block", "blocks"));
    }
    return volume.path() + (known.isEmpty() ? "" : " (" + String.join(", ", known) + ")");
  }
}
