package io.evenkeel.bench.gameday.schedule;

import io.evenkeel.common.json.Json;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

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

  private static final List<String> KEYS =
      List.of("format", "about", "seed", "acknowledgements", "load", "conf", "steps");

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

  /** A whole number; what is none is refused by the name of its key. */
  static long whole(Map<?, ?> map, String key) {
    if (Objects.requireNonNull(map.get(key), key) instanceof Long number) {
      return number;
    }
    throw new IllegalArgumentException(key + " is no whole number: " + map.get(key));
  }

  /** Refuses a key that nobody reads. */
  static void requireKnown(String what, Map<?, ?> map, Collection<String> known) {
    Set<Object> unknown = new TreeSet<>(map.keySet());
    unknown.removeAll(known);
    if (!unknown.isEmpty()) {
      throw new IllegalArgumentException(what + " has no " + unknown + "; it has " + known);
    }
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
   * Reads what {@link #toJson} wrote; about, load and conf may be missing, also parts of them. Of
   * the file of a round it is the schedule that was played.
   *
   * @throws IllegalArgumentException when the text is none, says what
   */
  public static Schedule fromJson(String text) {
    try {
      Map<?, ?> map = (Map<?, ?>) Json.parse(text);
      if (map.get("schedule") instanceof Map<?, ?> played) {
        map = played;
      }
      requireKnown("a schedule", map, KEYS);
      if (whole(map, "format") != 1) {
        throw new IllegalArgumentException("a schedule of format " + map.get("format"));
      }
      Map<String, String> conf = new TreeMap<>();
      optional(map, "conf").forEach((key, value) -> conf.put(key.toString(), value.toString()));
      List<Step> steps = new ArrayList<>();
      for (Object step : (List<?>) map.get("steps")) {
        steps.addAll(Step.fromJson((Map<?, ?>) step));
      }
      return new Schedule(
          Objects.toString(map.get("about"), ""),
          whole(map, "seed"),
          whole(map, "acknowledgements"),
          Mix.fromJson(optional(map, "load")),
          conf,
          steps);
    } catch (ClassCastException | NullPointerException e) {
      throw new IllegalArgumentException(
          "not a schedule; it has format, seed, acknowledgements, steps with begin, end, fault and"
              + " target, and perhaps about, load and conf, which are objects",
          e);
    }
  }

  private static Map<?, ?> optional(Map<?, ?> map, String key) {
    return map.get(key) == null ? Map.of() : (Map<?, ?>) map.get(key);
  }
}
