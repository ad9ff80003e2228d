package io.evenkeel.bench.gameday.round;

import io.evenkeel.common.json.Json;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What {@code evenkeel gameday} was asked for.
 *
 * @param seed of the first round; each further round has the next number
 * @param minutes no round begins after this many; 0 for one round
 * @param nameNodes 1 or 2
 * @param plugins whether our plugins are on
 * @param jars directory of the plugin jars; null for those of this installation
 * @param hadoop release to run
 * @param replay file or name of a schedule to run once instead of drawing some; null for none
 * @param shrink whether a schedule with a finding is made smaller
 * @param out directory of rounds, findings and report
 */
public record GameDayOptions(
    long seed,
    long minutes,
    int nameNodes,
    boolean plugins,
    Path jars,
    String hadoop,
    Path replay,
    boolean shrink,
    Path out) {

  /** What the names of the files of such rounds end with. */
  String suffix() {
    return (plugins ? "-on" : "-off") + (nameNodes == 1 ? "" : "-ha");
  }

  /** For the JVM that runs the rounds. */
  public String toJson() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("seed", seed);
    map.put("minutes", minutes);
    map.put("namenodes", nameNodes);
    map.put("plugins", plugins);
    map.put("jars", jars == null ? "" : jars.toAbsolutePath().toString());
    map.put("hadoop", hadoop);
    map.put("replay", replay == null ? "" : replay.toString());
    map.put("shrink", shrink);
    map.put("out", out.toAbsolutePath().toString());
    return Json.compact(map);
  }

  /** Reads what {@link #toJson} wrote. */
  public static GameDayOptions fromJson(String text) {
    Map<?, ?> map = (Map<?, ?>) Json.parse(text);
    return new GameDayOptions(
        ((Number) map.get("seed")).longValue(),
        ((Number) map.get("minutes")).longValue(),
        ((Number) map.get("namenodes")).intValue(),
        Boolean.TRUE.equals(map.get("plugins")),
        path(map, "jars"),
        map.get("hadoop").toString(),
        path(map, "replay"),
        Boolean.TRUE.equals(map.get("shrink")),
        path(map, "out"));
  }

  private static Path path(Map<?, ?> map, String key) {
    String text = map.get(key).toString();
    return text.isEmpty() ? null : Path.of(text);
  }
}
