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
  private final List<Space> spaces; // of the volumes in their order, also where these are not kept

  private Reading(
      double seconds,
      double[] numbers,
      Map<String, String> texts,
      List<Volume> volumes,
      List<Space> spaces) {
    this.seconds = seconds;
    this.numbers = numbers;
    this.texts = texts;
    this.volumes = volumes;
    this.spaces = spaces;
  }

  /** What tells whether a volume works: kept of every round. Immutable. */
  private static final class Space {
    private final double used; // grows when a replica is finalized
    private final double reserved; // for replicas being written

    Space(double used, double reserved) {
      this.used = used;
      this.reserved = reserved;
    }
  }

  /** One volume at one time. Immutable. */
  public static final class Volume {
    private final String path;
    private final String type;
    private final double used;
    private final double free;
    private final double reserved;
    private final double blocks;

    Volume(String path, String type, double used, double free, double reserved, double blocks) {
      this.path = path;
      this.type = type;
      this.used = used;
      this.free = free;
      this.reserved = reserved;
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
    List<Space> spaces = new ArrayList<>();
    volumes.forEach(volume -> spaces.add(new Space(volume.used, volume.reserved)));
    return new Reading(seconds, numbers, texts, Collections.unmodifiableList(volumes), spaces);
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
   * volume worked is still known.
   */
  public Reading numbersOnly() {
    return new Reading(seconds, numbers, Collections.emptyMap(), Collections.emptyList(), spaces);
  }

  /**
   * Those of the volumes on which no replica was finalized from the first of the readings to the
   * last: their used space did not grow. The number of blocks says less, as a replica is counted
   * when its file is created, and no more when its deletion is ordered.
   */
  static List<Volume> withoutFinalized(List<Reading> readings, List<Volume> volumes) {
    List<Volume> without = new ArrayList<>();
    for (int i = 0; i < volumes.size(); i++) {
      boolean none = readings.size() > 1;
      for (int t = 0; t < readings.size() && none; t++) {
        Space now = readings.get(t).space(i, volumes.size());
        Space before = readings.get(Math.max(0, t - 1)).space(i, volumes.size());
        none = now != null && before != null && now.used <= before.used;
      }
      if (none) {
        without.add(volumes.get(i));
      }
    }
    return without;
  }

  /** Those of the volumes to which replicas were being written in each of the readings. */
  static List<Volume> writtenTo(List<Reading> readings, List<Volume> volumes) {
    List<Volume> written = new ArrayList<>();
    for (int i = 0; i < volumes.size(); i++) {
      boolean always = !readings.isEmpty();
      for (Reading each : readings) {
        Space space = each.space(i, volumes.size());
        always &= space != null && space.reserved > 0;
      }
      if (always) {
        written.add(volumes.get(i));
      }
    }
    return written;
  }

  private Space space(int volume, int volumesInAll) {
    return spaces.size() == volumesInAll ? spaces.get(volume) : null;
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
                        number(volume, "reservedSpaceForReplicas"),
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
