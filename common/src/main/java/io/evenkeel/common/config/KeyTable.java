package io.evenkeel.common.config;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * All keys of one module, which share a prefix such as {@code evenkeel.volume.}.
 *
 * <p>Reading checks only that prefix, so jars of different modules may serve one hdfs-site.xml. An
 * unknown key under the prefix is an error that names the nearest known one, unless {@code
 * <prefix>unknown-keys} is {@code warn}: that is for rolling upgrades, where one file serves old
 * and new jars. Immutable and thread-safe.
 */
public final class KeyTable {
  private final String prefix;
  private final Key<String> unknownKeys;
  private final Map<String, Key<?>> keys = new LinkedHashMap<>();

  private KeyTable(String prefix, List<Key<?>> declared) {
    this.prefix = prefix;
    this.unknownKeys =
        Key.choice(
            prefix + "unknown-keys",
            "Whether an unknown key under this prefix stops the start (fail) or gives one warning"
                + " (warn, for rolling upgrades, where one file serves old and new jars).",
            "fail",
            "warn");
    for (Key<?> key : declared) {
      add(key);
    }
    add(unknownKeys);
  }

  /**
   * Declares a table.
   *
   * @param prefix with its final dot
   * @param declared the module's keys in the order of its documentation
   */
  public static KeyTable of(String prefix, Key<?>... declared) {
    return new KeyTable(prefix, Arrays.asList(declared));
  }

  private void add(Key<?> key) {
    if (!key.name().startsWith(prefix) || keys.put(key.name(), key) != null) {
      throw new IllegalArgumentException(key + " is twice in the table or not under " + prefix);
    }
  }

  /** The shared prefix, with its final dot. */
  public String prefix() {
    return prefix;
  }

  /** All keys in documentation order. */
  public List<Key<?>> keys() {
    return Collections.unmodifiableList(new ArrayList<>(keys.values()));
  }

  /**
   * Reads and checks a daemon's configuration.
   *
   * @param entries all entries (a Hadoop {@code Configuration} is such an iterable); only their
   *     names are used
   * @param get looks a name up with substitution done ({@code conf::get})
   * @param warn told about unknown keys when those only warn
   * @throws ConfigException listing every bad value and unknown key
   */
  public Settings readOrFail(
      Iterable<Map.Entry<String, String>> entries,
      Function<String, String> get,
      Consumer<String> warn) {
    return read(entries, get, warn, false);
  }

  /**
   * The same for client-side classes, which never fail a job: a bad value warns and its default is
   * used, an unknown key warns.
   */
  public Settings readOrWarn(
      Iterable<Map.Entry<String, String>> entries,
      Function<String, String> get,
      Consumer<String> warn) {
    return read(entries, get, warn, true);
  }

  private Settings read(
      Iterable<Map.Entry<String, String>> entries,
      Function<String, String> get,
      Consumer<String> warn,
      boolean lenient) {
    Reading reading = new Reading();
    for (Key<?> key : keys.values()) {
      if (!key.isPattern()) {
        String given = reading.lookUp(get, key, key.name());
        reading.take(key, key.name(), given == null ? key.defaultText() : given);
      }
    }
    List<String> unknown = new ArrayList<>();
    for (String name : ownNames(entries)) {
      Key<?> exact = keys.get(name);
      Key<?> pattern = exact == null ? patternFor(name) : null;
      if (pattern != null) {
        String given = reading.lookUp(get, pattern, name);
        if (given != null) {
          reading.take(pattern, name, given);
        }
      } else if (exact == null) {
        unknown.add(
            "unknown key "
                + OneLine.of(name)
                + "; nearest known key: "
                + Nearest.of(name, keys.keySet()));
      } else if (exact.isPattern()) {
        unknown.add("key " + name + " needs a name in place of *");
      }
    }
    if (lenient || "warn".equals(reading.values.get(unknownKeys.name()))) {
      unknown.forEach(each -> warn.accept(each + "; ignored"));
    } else if (!unknown.isEmpty()) {
      reading.problems.addAll(unknown);
      String which = unknown.size() == 1 ? "it" : "them";
      reading.problems.add("correct or remove " + which + ", or set " + unknownKeys + " = warn");
    }
    if (!lenient && !reading.problems.isEmpty()) {
      throw new ConfigException(String.join("; ", reading.problems));
    }
    reading.warnings.forEach(warn);
    Map<String, String> defaults = new LinkedHashMap<>();
    keys.forEach((name, key) -> defaults.put(name, key.defaultText()));
    return new Settings(reading.values, reading.texts, defaults, reading.byPattern);
  }

  private TreeSet<String> ownNames(Iterable<Map.Entry<String, String>> entries) {
    TreeSet<String> names = new TreeSet<>();
    for (Map.Entry<String, String> entry : entries) {
      if (entry.getKey().startsWith(prefix)) {
        names.add(entry.getKey());
      }
    }
    return names;
  }

  private Key<?> patternFor(String name) {
    for (Key<?> key : keys.values()) {
      if (key.isPattern() && key.wildcard(name) != null) {
        return key;
      }
    }
    return null;
  }

  /** The values, their texts and the problems found while one configuration is read. */
  private static final class Reading {
    final Map<String, Object> values = new LinkedHashMap<>();
    final Map<String, String> texts = new LinkedHashMap<>();
    final Map<String, Map<String, Object>> byPattern = new LinkedHashMap<>();
    final List<String> problems = new ArrayList<>();

    /** The same with what is done where they only warn. */
    final List<String> warnings = new ArrayList<>();

    /** The value set, null when there is none or it cannot be substituted (then a problem). */
    String lookUp(Function<String, String> get, Key<?> key, String name) {
      try {
        return get.apply(name);
      } catch (IllegalStateException e) {
        // Hadoop gives up on variables nested too deeply
        add(name + " cannot be read: " + OneLine.of(e.getMessage()), key);
        return null;
      }
    }

    private void add(String problem, Key<?> key) {
      boolean hasDefault = !key.isPattern() && !key.defaultText().isEmpty();
      problems.add(problem);
      warnings.add(
          problem + (hasDefault ? "; the default " + key.defaultText() + " is used" : "; ignored"));
    }

    void take(Key<?> key, String name, String text) {
      String used = text;
      Object value = null;
      try {
        value = key.parse(name, text);
      } catch (ConfigException e) {
        add(e.getMessage(), key);
        if (!key.isPattern()) {
          used = key.defaultText();
          value = key.parse(used);
        }
      }
      if (value != null) {
        texts.put(name, used.trim());
        if (key.isPattern()) {
          byPattern
              .computeIfAbsent(key.name(), k -> new LinkedHashMap<>())
              .put(key.wildcard(name), value);
        } else {
          values.put(name, value);
        }
      }
    }
  }
}
