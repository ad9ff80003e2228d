package io.evenkeel.cli.doctor.core;

import io.evenkeel.common.json.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What one DataNode said of itself at one time: the numbers of stock's own beans, by the names they
 * have there. A number an older release does not have is not known. Immutable.
 */
public final class Reading {
  private static final String PREFIX = "Hadoop:service=DataNode,name=";

  /** Beans whose numbers are read; their names end with addresses or ids of the DataNode. */
  private static final String[] BEANS = {
    "DataNodeActivity", "DataNodeInfo", "FSDatasetState", "JvmMetrics"
  };

  /** It is kept as volumes. */
  private static final String VOLUMES = "VolumeInfo";

  private final double seconds;

  /** Sorted; many readings share it, as a thousand DataNodes of an hour are many. */
  private final String[] names;

  private final double[] numbers;
  private final Map<String, String> texts;
  private final List<Volume> volumes;

  private Reading(
      double seconds,
      String[] names,
      double[] numbers,
      Map<String, String> texts,
      List<Volume> volumes) {
    this.seconds = seconds;
    this.names = names;
    this.numbers = numbers;
    this.texts = texts;
    this.volumes = volumes;
  }

  /** One volume at one time. Immutable. */
  public static final class Volume {
    private final String path;
    private final String type;
    private final double used;
    private final double free;
    private final double blocks;

    Volume(String path, String type, double used, double free, double blocks) {
      this.path = path;
      this.type = type;
      this.used = used;
      this.free = free;
      this.blocks = blocks;
    }

    /** Its directory. */
    public String path() {
      return path;
    }

    /** Its storage type; empty before Hadoop 3.0. */
    public String type() {
      return type;
    }

    /** Bytes of blocks. */
    public double used() {
      return used;
    }

    /** Bytes that blocks may still take. */
    public double free() {
      return free;
    }

    /** Blocks on it; not a number before Hadoop 3.0. */
    public double blocks() {
      return blocks;
    }
  }

  /**
   * Reads it.
   *
   * @param seconds since the first round
   * @param beans of {@code Hadoop:service=DataNode,*}
   */
  public static Reading of(double seconds, List<Map<String, Object>> beans) {
    Map<String, Double> numbers = new TreeMap<>();
    Map<String, String> texts = new HashMap<>();
    for (Map<String, Object> bean : beans) {
      String name = String.valueOf(bean.get("name"));
      for (String wanted : BEANS) {
        if (name.startsWith(PREFIX + wanted)) {
          bean.forEach((key, value) -> keep(key, value, numbers, texts));
        }
      }
    }
    List<Volume> volumes = volumes(texts.remove(VOLUMES));
    return new Reading(
        seconds,
        numbers.keySet().toArray(new String[0]),
        numbers.values().stream().mapToDouble(Double::doubleValue).toArray(),
        texts,
        Collections.unmodifiableList(volumes));
  }

  /**
   * The same; what is equal in an earlier reading is kept once only.
   *
   * @param earlier null when there is none
   */
  public Reading sharing(Reading earlier) {
    if (earlier == null) {
      return this;
    }
    Map<String, String> shared = new HashMap<>();
    texts.forEach(
        (name, text) -> {
          String before = earlier.texts.get(name);
          shared.put(name, text.equals(before) ? before : text);
        });
    return new Reading(
        seconds,
        Arrays.equals(names, earlier.names) ? earlier.names : names,
        numbers,
        shared.equals(earlier.texts) ? earlier.texts : shared,
        volumes);
  }

  private static void keep(
      String key, Object value, Map<String, Double> numbers, Map<String, String> texts) {
    if (value instanceof Number) {
      numbers.put(key, ((Number) value).doubleValue());
    } else if (value instanceof String) {
      texts.put(key, (String) value);
    }
  }

  private static List<Volume> volumes(String document) {
    List<Volume> volumes = new ArrayList<>();
    object(document)
        .forEach(
            (path, value) -> {
              if (value instanceof Map) {
                Map<?, ?> volume = (Map<?, ?>) value;
                Object type = volume.get("storageType");
                volumes.add(
                    new Volume(
                        String.valueOf(path),
                        type == null ? "" : type.toString(),
                        number(volume, "usedSpace"),
                        number(volume, "freeSpace"),
                        number(volume, "numBlocks")));
              }
            });
    return volumes;
  }

  /** A JSON object that a bean has as text; empty when it is none. */
  static Map<?, ?> object(String document) {
    if (document == null || document.isEmpty()) {
      return Collections.emptyMap();
    }
    try {
      Object parsed = Json.parse(document);
      return parsed instanceof Map ? (Map<?, ?>) parsed : Collections.emptyMap();
    } catch (IllegalArgumentException e) {
      return Collections.emptyMap();
    }
  }

  static double number(Map<?, ?> object, String member) {
    Object value = object.get(member);
    return value instanceof Number ? ((Number) value).doubleValue() : Double.NaN;
  }

  /** Seconds since the first round. */
  public double seconds() {
    return seconds;
  }

  /** A number; not a number when it is not known. */
  public double number(String name) {
    int at = Arrays.binarySearch(names, name);
    return at < 0 ? Double.NaN : numbers[at];
  }

  /** A text; empty when it is not known. */
  public String text(String name) {
    return texts.getOrDefault(name, "");
  }

  /** Its volumes, in the order it names them. */
  public List<Volume> volumes() {
    return volumes;
  }
}
