package io.evenkeel.cli.doctor.core;

import io.evenkeel.common.json.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What one DataNode said of itself at one time: the numbers of stock's own beans, by the names they
 * have there. A number an older release does not have is not known. Immutable.
 */
public final class Reading {
  private static final String PREFIX = "Hadoop:service=DataNode,name=";

  /** Beans that are read; their names end with addresses or ids of the DataNode. */
  private static final String[] BEANS = {
    "DataNodeActivity", "DataNodeInfo", "FSDatasetState", "JvmMetrics"
  };

  /** What findings go by. A daemon shows ten times as much, and an hour of many is kept. */
  private static final List<String> NUMBERS =
      Arrays.asList(
          "BytesRead",
          "BytesWritten",
          "DataNodeActiveXceiversCount",
          "FlushNanosAvgTime",
          "FlushNanosNumOps",
          "FsyncNanosAvgTime",
          "FsyncNanosNumOps",
          "GcTimeMillis",
          "GcTotalExtraSleepTime",
          "NumFailedVolumes",
          "TotalReadTime",
          "TotalWriteTime",
          "XceiverCount");

  private static final List<String> TEXTS = Arrays.asList("SlowDisks", "SoftwareVersion");

  /** It is kept as volumes. */
  private static final String VOLUMES = "VolumeInfo";

  private final double seconds;
  private final double[] numbers; // in the order of NUMBERS
  private final Map<String, String> texts;
  private final List<Volume> volumes;
  private final double[] counts; // of the volumes in their order, also where these are not kept

  private Reading(
      double seconds,
      double[] numbers,
      Map<String, String> texts,
      List<Volume> volumes,
      double[] counts) {
    this.seconds = seconds;
    this.numbers = numbers;
    this.texts = texts;
    this.volumes = volumes;
    this.counts = counts;
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

    /** What grows with each block: their number; before Hadoop 3.0 what they use. */
    private double count() {
      return Double.isNaN(blocks) ? used : blocks;
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
    double[] numbers = new double[NUMBERS.size()];
    Arrays.fill(numbers, Double.NaN);
    Map<String, String> texts = new HashMap<>();
    List<Volume> volumes = Collections.emptyList();
    for (Map<String, Object> bean : beans) {
      if (isRead(String.valueOf(bean.get("name")))) {
        for (int i = 0; i < numbers.length; i++) {
          double number = number(bean, NUMBERS.get(i));
          numbers[i] = Double.isNaN(number) ? numbers[i] : number;
        }
        for (String name : TEXTS) {
          if (bean.get(name) instanceof String) {
            texts.put(name, (String) bean.get(name));
          }
        }
        if (bean.get(VOLUMES) instanceof String) {
          volumes = volumes((String) bean.get(VOLUMES));
        }
      }
    }
    double[] counts = volumes.stream().mapToDouble(Volume::count).toArray();
    return new Reading(seconds, numbers, texts, Collections.unmodifiableList(volumes), counts);
  }

  private static boolean isRead(String bean) {
    for (String wanted : BEANS) {
      if (bean.startsWith(PREFIX + wanted)) {
        return true;
      }
    }
    return false;
  }

  /**
   * The same, of which only numbers are needed: volumes and texts are those of the ends. Whether a
   * volume had a new block is still known.
   */
  public Reading numbersOnly() {
    return new Reading(seconds, numbers, Collections.emptyMap(), Collections.emptyList(), counts);
  }

  /**
   * Those of the volumes that had no new block from one of the readings to the next. Fewer blocks
   * say nothing: a block that is deleted is taken off the list before its disk is asked.
   */
  static List<Volume> withoutNewBlock(List<Reading> readings, List<Volume> volumes) {
    List<Volume> without = new ArrayList<>();
    for (int i = 0; i < volumes.size(); i++) {
      boolean still = readings.size() > 1;
      for (int t = 0; t < readings.size(); t++) {
        double[] now = readings.get(t).counts;
        double[] before = readings.get(Math.max(0, t - 1)).counts;
        boolean same = now.length == volumes.size() && before.length == volumes.size();
        still &= same && now[i] <= before[i];
      }
      if (still) {
        without.add(volumes.get(i));
      }
    }
    return without;
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
    volumes.sort(Comparator.comparing(Volume::path));
    return volumes;
  }

  /** A JSON object that a bean has as text; empty when it is none. */
  static Map<?, ?> object(String document) {
    Object parsed = parsed(document);
    return parsed instanceof Map ? (Map<?, ?>) parsed : Collections.emptyMap();
  }

  /** A JSON array that a bean has as text; empty when it is none. */
  static List<?> array(String document) {
    Object parsed = parsed(document);
    return parsed instanceof List ? (List<?>) parsed : Collections.emptyList();
  }

  private static Object parsed(String document) {
    try {
      return document == null || document.isEmpty() ? null : Json.parse(document);
    } catch (IllegalArgumentException e) {
      return null;
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

  /**
   * A number; not a number when it is not known.
   *
   * @throws IllegalArgumentException when it is none of those that are kept
   */
  public double number(String name) {
    int at = NUMBERS.indexOf(name);
    if (at < 0) {
      throw new IllegalArgumentException(name + " is not kept");
    }
    return numbers[at];
  }

  /** A text; empty when it is not known. */
  public String text(String name) {
    return texts.getOrDefault(name, "");
  }

  /** Its volumes by their paths; none where only numbers were kept. */
  public List<Volume> volumes() {
    return volumes;
  }
}
