package io.evenkeel.bench.gameday.schedule;

import io.evenkeel.common.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * What a round does: its load, how long that is, and the faults. Immutable.
 *
 * @param about what it is for, a sentence; empty where it was drawn
 * @param seed of the load
 * @param acknowledgements the load ends after this many, at least 1
 * @param mix what is at work
 * @param conf keys of Hadoop for every process, besides those that a game day sets
 * @param steps in no particular order
 */
public record Schedule(
    String about,
    long seed,
    long acknowledgements,
    Mix mix,
    Map<String, String> conf,
    List<Step> steps) {

  /** Copies the collections. */
  public Schedule {
    Objects.requireNonNull(about, "about");
    Objects.requireNonNull(mix, "mix");
    if (acknowledgements < 1) {
      throw new IllegalArgumentException("a load of " + acknowledgements + " acknowledgements");
    }
    conf = Map.copyOf(conf);
    steps = List.copyOf(steps);
  }

  /** One as rounds have it whose faults are drawn. */
  public Schedule(long seed, long acknowledgements, List<Step> steps) {
    this("", seed, acknowledgements, Mix.DEFAULT, Map.of(), steps);
  }

  /** Whether a volume is full for a while. */
  public boolean fillsVolumes() {
    return steps.stream().anyMatch(step -> step.fault().kind() == Fault.Kind.FULL_VOLUME);
  }

  /** The same load with other faults. */
  public Schedule with(List<Step> others) {
    return new Schedule(about, seed, acknowledgements, mix, conf, others);
  }

  /** As {@code --replay} reads it. */
  public String toJson() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("format", 1);
    if (!about.isEmpty()) {
      map.put("about", about);
    }
    map.put("seed", seed);
    map.put("acknowledgements", acknowledgements);
    if (!mix.equals(Mix.DEFAULT)) {
      map.put("load", mix.toJson());
    }
    if (!conf.isEmpty()) {
      map.put("conf", new TreeMap<>(conf));
    }
    map.put("steps", steps.stream().map(Step::toJson).toList());
    return Json.pretty(map);
  }

  /**
   * Reads what {@link #toJson} wrote; about, load and conf may be missing, also parts of them.
   *
   * @throws IllegalArgumentException when the text is none, says what
   */
  public static Schedule fromJson(String text) {
    try {
      Map<?, ?> map = (Map<?, ?>) Json.parse(text);
      if (((Number) map.get("format")).intValue() != 1) {
        throw new IllegalArgumentException("a schedule of format " + map.get("format"));
      }
      Map<String, String> conf = new TreeMap<>();
      optional(map, "conf").forEach((key, value) -> conf.put(key.toString(), value.toString()));
      List<Step> steps = new ArrayList<>();
      for (Object step : (List<?>) map.get("steps")) {
        steps.add(Step.fromJson((Map<?, ?>) step));
      }
      return new Schedule(
          Objects.toString(map.get("about"), ""),
          ((Number) map.get("seed")).longValue(),
          ((Number) map.get("acknowledgements")).longValue(),
          Mix.fromJson(optional(map, "load")),
          conf,
          steps);
    } catch (ClassCastException | NullPointerException e) {
      throw new IllegalArgumentException(
          "not a schedule; it has format, seed, acknowledgements, and steps with begin, end, fault"
              + " and target",
          e);
    }
  }

  private static Map<?, ?> optional(Map<?, ?> map, String key) {
    return map.get(key) == null ? Map.of() : (Map<?, ?>) map.get(key);
  }
}
