package io.evenkeel.bench.gameday.round;

import io.evenkeel.bench.gameday.history.Finding;
import io.evenkeel.bench.gameday.history.Timeline;
import io.evenkeel.bench.gameday.schedule.Schedule;
import io.evenkeel.common.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What came of one round. Immutable.
 *
 * @param plugins whether our plugins were on
 * @param findings what is wrong, in the order in which it was found
 * @param stockDefects what is wrong and known of stock as well
 * @param calm how long after the last fault all was replicated as it should be
 * @param pauses longest pause of each writer
 * @param refusals of writers while no fault lasted, and of all
 * @param perSecond acknowledgements in each second of the load that had any
 * @param faults when each began and ended
 * @param read files and replicas that were read at the end
 */
record RoundResult(
    Schedule schedule,
    boolean plugins,
    List<Finding> findings,
    List<Finding> stockDefects,
    Duration calm,
    SortedMap<String, Duration> pauses,
    Refusals refusals,
    SortedMap<Long, Long> perSecond,
    List<Steps.FaultTime> faults,
    Read read) {

  /**
   * Operations of writers that ended with an exception.
   *
   * @param all during the load
   * @param calm while no fault lasted, or had lasted in the ten seconds before
   */
  record Refusals(long all, long calm) {
    private static final Duration AFTERWARDS = Duration.ofSeconds(10);

    static Refusals of(List<Timeline.Refusal> refusals, List<Steps.FaultTime> faults) {
      long calm =
          refusals.stream()
              .filter(
                  refusal ->
                      faults.stream()
                          .noneMatch(
                              fault ->
                                  refusal.at().compareTo(fault.begin()) >= 0
                                      && refusal.at().compareTo(fault.end().plus(AFTERWARDS)) <= 0))
              .count();
      return new Refusals(refusals.size(), calm);
    }
  }

  /** Files and replicas. */
  record Read(long files, long replicas) {}

  /** Copies the collections. */
  RoundResult {
    findings = List.copyOf(findings);
    stockDefects = List.copyOf(stockDefects);
    pauses = new TreeMap<>(pauses);
    perSecond = new TreeMap<>(perSecond);
    faults = List.copyOf(faults);
  }

  Duration longestPause() {
    return pauses.values().stream().max(Duration::compareTo).orElse(Duration.ZERO);
  }

  /** All of it, for a file. */
  String toJson() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("format", 1);
    map.put("plugins", plugins);
    map.put("schedule", Json.parse(schedule.toJson()));
    map.put("findings", findings.stream().map(RoundResult::json).toList());
    map.put("stockDefects", stockDefects.stream().map(RoundResult::json).toList());
    map.put("secondsToFullReplication", calm.toMillis() / 1000.0);
    Map<String, Object> longest = new LinkedHashMap<>();
    pauses.forEach((writer, pause) -> longest.put(writer, pause.toMillis() / 1000.0));
    map.put("longestPauseSeconds", longest);
    map.put("refusals", refusals.all());
    map.put("refusalsInCalm", refusals.calm());
    Map<String, Object> rate = new LinkedHashMap<>();
    perSecond.forEach((second, count) -> rate.put(Long.toString(second), count));
    map.put("acknowledgementsPerSecond", rate);
    List<Object> times = new ArrayList<>();
    for (Steps.FaultTime fault : faults) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("fault", fault.fault().toString());
      one.put("begin", fault.begin().toMillis() / 1000.0);
      one.put("end", fault.end().toMillis() / 1000.0);
      one.put("note", fault.note());
      times.add(one);
    }
    map.put("faults", times);
    map.put("filesRead", read.files());
    map.put("replicasRead", read.replicas());
    return Json.pretty(map);
  }

  private static Map<String, Object> json(Finding finding) {
    Map<String, Object> one = new LinkedHashMap<>();
    one.put("kind", finding.kind().name());
    one.put("path", finding.path());
    one.put("place", finding.place());
    one.put("reason", finding.reason());
    return one;
  }
}
