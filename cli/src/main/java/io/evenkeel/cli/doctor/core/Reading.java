package io.evenkeel.cli.doctor.core;

import io.evenkeel.common.json.Json;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What one DataNode said of itself at one time: the numbers of stock's own beans, by the names they
 * have there. A number an older release does not have is not known. Immutable.
 */
public final class Reading {
  private static final String PREFIX = "Hadoop:service=DataNode,name=";

  /** Beans whose numbers are read; their names end with addresses or ids of the DataNode. */
  private static final String[] BEANS = {"DataNodeActivity", "DataNodeInfo", "FSDatasetState"};

  private final double seconds;
  private final Map<String, Double> numbers;
  private final Map<String, String> texts;
  private final List<Volume> volumes;

  private Reading(
      double seconds, Map<String, Double> numbers, Map<String, String> texts, List<Volume> all) {
    this.seconds = seconds;
    this.numbers = numbers;
    this.texts = texts;
    this.volumes = Collections.unmodifiableList(all);
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
    Map<String, Double> numbers = new HashMap<>();
    Map<String, String> texts = new HashMap<>();
    for (Map<String, Object> bean : beans) {
      String name = String.valueOf(bean.get("name"));
      for (String wanted : BEANS) {
        if (name.startsWith(PREFIX + wanted)) {
          bean.forEach((key, value) -> keep(key, value, numbers, texts));
        }
      }
    }
    return new Reading(seconds, numbers, texts, volumes(texts.get("VolumeInfo")));
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
    return numbers.getOrDefault(name, Double.NaN);
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
