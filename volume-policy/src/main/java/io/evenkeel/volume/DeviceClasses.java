package io.evenkeel.volume;

import io.evenkeel.common.config.ConfigException;
import io.evenkeel.common.config.OneLine;
import io.evenkeel.common.config.Settings;
import io.evenkeel.volume.core.VolumeTraits;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The device classes an operator has formed of the data directories. Immutable.
 *
 * <p>A class lives inside one storage type at a time: the policy compares its volumes with those of
 * the list it is called with.
 */
final class DeviceClasses {
  static final String DATA_DIRS = "dfs.datanode.data.dir";

  /** As Hadoop's StorageLocation: an optional storage type in brackets, then a path or URI. */
  private static final Pattern LOCATION = Pattern.compile("^\\[(\\w*)\\](.+)$");

  private final Map<Path, VolumeTraits> byDirectory;

  private DeviceClasses(Map<Path, VolumeTraits> byDirectory) {
    this.byDirectory = byDirectory;
  }

  /**
   * Reads and checks the classes.
   *
   * @param dataDirs value of {@code dfs.datanode.data.dir}; null or empty when it is not known
   * @throws ConfigException naming key, value and what is allowed
   */
  static DeviceClasses read(Settings settings, String dataDirs) {
    Map<String, String> dirs = settings.matching(VolumeKeys.CLASS_DIRS);
    Map<String, Double> weights = settings.matching(VolumeKeys.CLASS_WEIGHT);
    Map<String, Long> ceilings = settings.matching(VolumeKeys.CLASS_MAX_USED);
    TreeSet<String> names = new TreeSet<>(weights.keySet());
    names.addAll(ceilings.keySet());
    names.removeAll(dirs.keySet());
    if (!names.isEmpty()) {
      throw new ConfigException(
          "device class '"
              + names.first()
              + "' has no directories; set evenkeel.volume.class."
              + names.first()
              + ".dirs, or remove the other keys of the class");
    }
    List<Path> known = paths(dataDirs == null ? "" : dataDirs, DATA_DIRS);
    Map<Path, VolumeTraits> byDirectory = new HashMap<>();
    dirs.forEach(
        (name, value) -> {
          VolumeTraits traits =
              new VolumeTraits(
                  name, weights.getOrDefault(name, 1.0), ceilings.getOrDefault(name, 100L) / 100.0);
          addAll(byDirectory, known, traits, value);
        });
    return new DeviceClasses(byDirectory);
  }

  private static void addAll(
      Map<Path, VolumeTraits> byDirectory, List<Path> known, VolumeTraits traits, String value) {
    String key = "evenkeel.volume.class." + traits.deviceClass() + ".dirs";
    List<Path> directories = paths(value, key);
    if (directories.isEmpty()) {
      throw bad(key, value, "it names none");
    }
    for (Path directory : directories) {
      if (!known.isEmpty() && !known.contains(directory)) {
        throw bad(key, value, directory + " is not in " + DATA_DIRS + ": " + known);
      }
      VolumeTraits other = byDirectory.put(directory, traits);
      if (other != null) {
        boolean twice = other == traits;
        String where = twice ? "named twice" : "already in class '" + other.deviceClass() + "'";
        throw bad(key, value, directory + " is " + where);
      }
    }
  }

  private static ConfigException bad(String key, String value, String why) {
    String range = VolumeKeys.CLASS_DIRS.range();
    return new ConfigException(
        OneLine.of(key + " = '" + value + "' is not allowed; use " + range + " (" + why + ")"));
  }

  private static List<Path> paths(String value, String key) {
    List<Path> found = new ArrayList<>();
    for (String part : value.split(",")) {
      String text = part.trim();
      Matcher typed = LOCATION.matcher(text);
      text = typed.matches() ? typed.group(2).trim() : text;
      if (text.isEmpty()) {
        continue;
      }
      try {
        found.add(path(text));
      } catch (IllegalArgumentException e) {
        throw bad(key, value, "'" + text + "' is not a path");
      }
    }
    return found;
  }

  /** As Hadoop reads a data directory: a path, or a file URI whose percent signs are literal. */
  private static Path path(String text) {
    String local = new org.apache.hadoop.fs.Path(text).toUri().getPath();
    return Paths.get(local).toAbsolutePath().normalize();
  }

  /** What was said of a volume in that directory. */
  VolumeTraits of(String directory) {
    if (byDirectory.isEmpty()) {
      return VolumeTraits.NONE;
    }
    try {
      return byDirectory.getOrDefault(path(directory), VolumeTraits.NONE);
    } catch (IllegalArgumentException e) {
      return VolumeTraits.NONE;
    }
  }
}
