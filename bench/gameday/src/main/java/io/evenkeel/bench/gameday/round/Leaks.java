package io.evenkeel.bench.gameday.round;

import io.evenkeel.bench.gameday.cluster.ClusterView;
import io.evenkeel.bench.gameday.cluster.DataNodeState;
import io.evenkeel.bench.gameday.cluster.DataNodeState.Volume;
import io.evenkeel.bench.gameday.history.Finding;
import io.evenkeel.bench.gameday.history.Finding.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What DataNodes still hold when nobody reads or writes any more. Stateless. */
final class Leaks {
  /** What {@link StockDefects#LOST_REFERENCE} knows them by. */
  static final String OF_RECEIVERS = ", no more than receivers that ended in their constructor";

  /** Parts of names of threads that end with their work. */
  private static final List<String> OF_WORK =
      List.of("DataXceiver for client", "PacketResponder", "BlockRecoveryWorker", "DataTransfer");

  /** So many more threads of any other kind are no leak: pools grow while there is work. */
  private static final long OF_POOLS = 20;

  /** Of a receiver that got no replica, and so no reference to lose. */
  private static final List<String> WITHOUT_REPLICA =
      List.of("Possible disk error", "Out of space", "Insufficient space");

  private Leaks() {}

  /**
   * Compares DataNodes with themselves before the load.
   *
   * @param before by name, with no client at work
   * @param after the same
   * @param receivers how many receivers of blocks ended in their constructor since each began
   */
  static List<Finding> among(
      Map<String, DataNodeState> before,
      Map<String, DataNodeState> after,
      Map<String, Long> receivers) {
    List<Finding> findings = new ArrayList<>();
    after.forEach(
        (name, state) ->
            among(name, before.get(name), state, receivers.getOrDefault(name, 0L), findings));
    return findings;
  }

  /**
   * Receivers of blocks that had a replica and ended in their constructor since a DataNode began,
   * by its log.
   */
  static long receivers(ClusterView view, String dataNode) throws IOException {
    try (Stream<String> log = Files.lines(view.log(dataNode))) { // gigabytes at worst
      return receivers(log);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** The same by the lines of the log. */
  static long receivers(Stream<String> log) {
    long count = 0;
    for (String line : (Iterable<String>) log::iterator) {
      if (line.contains("STARTUP_MSG: Starting DataNode")) {
        count = 0;
      } else if (line.contains("IOException in BlockReceiver constructor")
          && WITHOUT_REPLICA.stream().noneMatch(line::contains)) {
        count++;
      }
    }
    return count;
  }

  /**
   * Volumes that were given up long ago and that somebody still holds; empty when there is none.
   *
   * @param receivers as for {@link #among}
   * @param writers of replicas, alive, by storage id
   */
  static Optional<Finding> ofRemoval(
      String dataNode, DataNodeState state, long receivers, Map<String, Long> writers) {
    List<Volume> removed =
        state.volumes().stream().filter(v -> v.removed() && v.references() > 0).toList();
    if (removed.isEmpty()) {
      return Optional.empty();
    }
    long references = removed.stream().mapToLong(Volume::references).sum();
    String names = String.join(", ", removed.stream().map(Volume::name).toList());
    long alive = removed.stream().mapToLong(v -> writers.getOrDefault(v.storage(), 0L)).sum();
    String why = alive == 0 && references <= receivers ? OF_RECEIVERS : "";
    String reason =
        "a removal does not end: "
            + references
            + " references are not given back, "
            + alive
            + " writers live";
    return Optional.of(new Finding(Kind.LEAK, "", dataNode + " " + names, reason + why));
  }

  private static void among(
      String name,
      DataNodeState before,
      DataNodeState after,
      long receivers,
      List<Finding> findings) {
    Map<String, Long> usual =
        before.volumes().stream()
            .collect(Collectors.toMap(Volume::storage, Volume::references, Long::max));
    long all = after.volumes().stream().mapToLong(volume -> excess(volume, usual)).sum();
    String why = all <= receivers ? OF_RECEIVERS : "";
    for (Volume volume : after.volumes()) {
      String place = name + " " + volume.name() + (volume.removed() ? ", removed" : "");
      long excess = excess(volume, usual);
      if (excess > 0) {
        add(findings, place, excess + " references that nobody gives back" + why);
      }
      if (volume.reservedForReplicas() != 0) {
        add(findings, place, volume.reservedForReplicas() + " bytes are reserved");
      }
    }
    after
        .threads()
        .forEach(
            (kind, threads) -> {
              long usualThreads = before.threads().getOrDefault(kind, 0L);
              if (threads
                  > usualThreads + (OF_WORK.stream().anyMatch(kind::contains) ? 0 : OF_POOLS)) {
                add(findings, name, threads + " threads " + kind);
              }
            });
  }

  private static long excess(Volume volume, Map<String, Long> usual) {
    long expected = volume.removed() ? 0 : usual.getOrDefault(volume.storage(), 0L);
    return Math.max(0, volume.references() - expected);
  }

  private static void add(List<Finding> findings, String place, String reason) {
    findings.add(new Finding(Kind.LEAK, "", place, reason));
  }
}
