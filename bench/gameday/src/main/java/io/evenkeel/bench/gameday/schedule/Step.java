package io.evenkeel.bench.gameday.schedule;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A fault and the events of the load that begin and end it: logical, so that a replay on a slower
 * machine does the same at the same point. Immutable.
 *
 * @param file the file whose acknowledgements count; empty for those of the whole load
 * @param begin begins after this many acknowledgements, at least 0
 * @param end ends after this many, at least {@code begin}; what still lasts when the load is over
 *     ends then
 * @param fault what happens
 */
public record Step(String file, long begin, long end, Fault fault) {

  private static final List<String> KEYS =
      List.of("file", "begin", "end", "fault", "target", "volume", "millis");

  /** Refuses an end before the beginning. */
  public Step {
    if (begin < 0 || end < begin) {
      throw new IllegalArgumentException("a step from " + begin + " to " + end);
    }
    Objects.requireNonNull(file, "file");
    Objects.requireNonNull(fault, "fault");
  }

  Map<String, Object> toJson() {
    Map<String, Object> map = new LinkedHashMap<>();
    if (!file.isEmpty()) {
      map.put("file", file);
    }
    map.put("begin", begin);
    map.put("end", end);
    map.putAll(fault.toJson());
    return map;
  }

  /** One for each target and each volume, of which there may be a list. */
  static List<Step> fromJson(Map<?, ?> map) {
    Schedule.requireKnown("a step", map, KEYS);
    List<Step> steps = new ArrayList<>();
    Map<Object, Object> one = new LinkedHashMap<>(map);
    for (Object target : each(map, "target")) {
      for (Object volume : each(map, "volume")) {
        one.put("target", target);
        one.put("volume", volume);
        steps.add(
            new Step(
                Objects.toString(map.get("file"), ""),
                Schedule.whole(map, "begin"),
                Schedule.whole(map, "end"),
                Fault.fromJson(one)));
      }
    }
    return steps;
  }

  private static List<?> each(Map<?, ?> map, String key) {
    Object value = map.get(key);
    List<?> each = value instanceof List<?> list ? list : Collections.singletonList(value);
    if (each.isEmpty()) {
      throw new IllegalArgumentException("a step whose list of " + key + " is empty");
    }
    if (new HashSet<>(each).size() < each.size()) {
      throw new IllegalArgumentException("a step that names a " + key + " twice: " + each);
    }
    return each;
  }
}
