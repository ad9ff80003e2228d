package io.evenkeel.bench.gameday.schedule;

import io.evenkeel.common.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a round does: the seed of its load, how long that is, and the faults. Immutable.
 *
 * @param seed of the load
 * @param acknowledgements the load ends after this many, at least 1
 * @param steps in no particular order
 */
public record Schedule(long seed, long acknowledgements, List<Step> steps) {

  /** Copies the steps. */
  public Schedule {
    if (acknowledgements < 1) {
      throw new IllegalArgumentException("a load of " + acknowledgements + " acknowledgements");
    }
    steps = List.copyOf(steps);
  }

  /** The same load with other faults. */
  public Schedule with(List<Step> others) {
    return new Schedule(seed, acknowledgements, others);
  }

  /** As {@code --replay} reads it. */
  public String toJson() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("format", 1);
    map.put("seed", seed);
    map.put("acknowledgements", acknowledgements);
    map.put("steps", steps.stream().map(Step::toJson).toList());
    return Json.pretty(map);
  }

  /**
   * Reads what {@link #toJson} wrote.
   *
   * @throws IllegalArgumentException when the text is none, says what
   */
  public static Schedule fromJson(String text) {
    try {
      Map<?, ?> map = (Map<?, ?>) Json.parse(text);
      if (((Number) map.get("format")).intValue() != 1) {
        throw new IllegalArgumentException("a schedule of format " + map.get("format"));
      }
      List<Step> steps = new ArrayList<>();
      for (Object step : (List<?>) map.get("steps")) {
        steps.add(Step.fromJson((Map<?, ?>) step));
      }
      return new Schedule(
          ((Number) map.get("seed")).longValue(),
          ((Number) map.get("acknowledgements")).longValue(),
          steps);
    } catch (ClassCastException | NullPointerException e) {
      throw new IllegalArgumentException(
          "not a schedule; it has format, seed, acknowledgements, and steps with begin, end, fault"
              + " and target",
          e);
    }
  }
}
