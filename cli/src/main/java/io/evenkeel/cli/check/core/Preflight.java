package io.evenkeel.cli.check.core;

import io.evenkeel.cli.core.Finding;
import io.evenkeel.common.config.Nearest;
import io.evenkeel.common.plugin.Fit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Compares a configuration with the class path it meets, before a daemon is restarted: {@code hdfs
 * --daemon start} ends with 0 while the daemon dies. Used once.
 */
public final class Preflight {
  /** What kinds there are; the names in lower case with hyphens are API. */
  private enum Kind {
    /** A key names a class that is in no jar. */
    CLASS_MISSING,
    /** A key names a class of ours that is not for it. */
    WRONG_CLASS,
    /** A class or module of ours is on the class path twice. */
    JAR_TWICE,
    /** Jars of ours have several versions. */
    MIXED_VERSION,
    /** Jars of the launcher are where daemons load them. */
    LAUNCHER_JAR,
    /** A key nobody reads. */
    UNKNOWN_KEY,
    /** A value or key with which a daemon or command does not start. */
    BAD_KEY,
    /** Keys that belong together and contradict each other. */
    KEYS_APART,
    /** Keys of a module that is not switched on. */
    NO_EFFECT,
    /** Keys whose jar is nowhere. */
    NOT_JUDGED,
    /** The jar does not know this Hadoop. */
    OTHER_HADOOP
  }

  private static final String OURS = "evenkeel.";
  private static final String NODE_GROUPS = "org.apache.hadoop.net.NetworkTopologyWithNodeGroup";
  private static final String USE_DFS_TOPOLOGY = "dfs.use.dfs.network.topology";
  private static final String EMIT = "evenkeel.placement.mapping.emit";
  private static final String HOST_KEY = "evenkeel.placement.host-key";
  private static final String OBSERVED = "evenkeel.placement.observed-policy";
  private static final String WRAPPED = "evenkeel.placement.mapping.wrapped";
  private static final String SCRIPT_MAPPING = "org.apache.hadoop.net.ScriptBasedMapping";
  private static final String REJECT = "dfs.namenode.reject-unresolved-dn-topology-mapping";

  private final Set<String> names;
  private final Function<String, String> get;
  private final Installed installed;
  private final List<Finding> findings = new ArrayList<>();

  private Preflight(Set<String> names, Function<String, String> get, Installed installed) {
    this.names = new TreeSet<>(names);
    this.get = get;
    this.installed = installed;
  }

  /**
   * Everything that is wrong.
   *
   * @param names of all properties that are set
   * @param get looks one up; the empty string when it is not set
   */
  public static List<Finding> check(
      Set<String> names, Function<String, String> get, Installed installed) {
    Preflight preflight = new Preflight(names, get, installed);
    preflight.classes();
    preflight.unknownKeys();
    preflight.mistypedKeys();
    preflight.keysTogether();
    preflight.modules();
    return preflight.findings;
  }

  /**
   * What is wrong with the keys of Evenkeel themselves, for files that no daemon of HDFS reads.
   *
   * @see #check
   */
  public static List<Finding> keys(
      Set<String> names, Function<String, String> get, Installed installed) {
    Preflight preflight = new Preflight(names, get, installed);
    preflight.unknownKeys();
    for (Module module : Module.values()) {
      preflight.values(module, false);
    }
    return preflight.findings;
  }

  /** The classes that keys of Hadoop name and that are not stock's, by key. */
  public static Map<StockKey, String> named(Function<String, String> get) {
    Map<StockKey, String> named = new LinkedHashMap<>();
    for (StockKey key : StockKey.values()) {
      String value = get.apply(key.key());
      if (!value.isEmpty()) {
        named.put(key, value);
      }
    }
    return named;
  }

  private void find(Kind kind, String message, String... write) {
    findings.add(new Finding(kind, message, Arrays.asList(write)));
  }

  private static String line(String key, String value) {
    return "<property><name>" + key + "</name><value>" + value + "</value></property>";
  }

  private static String in(StockKey key, String value) {
    return key.file() + ": " + line(key.key(), value);
  }

  private static String inHdfs(String key, String value) {
    return "hdfs-site.xml: " + line(key, value);
  }

  /** As Hadoop reads it; {@code value} where it is neither true nor false. */
  private boolean bool(String key, boolean value) {
    String text = get.apply(key);
    return value ? !"false".equalsIgnoreCase(text) : "true".equalsIgnoreCase(text);
  }

  private boolean isSet(StockKey key, String value) {
    return value.equals(get.apply(key.key()));
  }

  /** Whether the key names a class of ours that fits. */
  private boolean isOurs(StockKey key) {
    return key.ours().contains(get.apply(key.key()));
  }

  // Classes ----------------------------------------------------------------------------------

  private void classes() {
    named(get).forEach(this::classOf);
    List<String> ours = new ArrayList<>();
    for (StockKey key : StockKey.values()) {
      if (get.apply(key.key()).startsWith("io." + OURS)) {
        ours.add(get.apply(key.key()));
      }
    }
    if (!installed.isKnown() && !ours.isEmpty()) {
      find(
          Kind.NOT_JUDGED,
          "the class path is not known, and so not whether there is "
              + String.join(", ", ours)
              + ": give --hadoop-home or --classpath");
    }
    for (StockKey key : StockKey.values()) {
      if (names.contains(key.key()) && get.apply(key.key()).isEmpty()) {
        find(
            Kind.CLASS_MISSING,
            key.key()
                + " is blank, which is a class without a name: remove it. On this host "
                + key.daemons()
                + " will not start");
      }
    }
    Map<String, Set<String>> files = new LinkedHashMap<>();
    Set<String> versions = new LinkedHashSet<>();
    installed
        .ourJars()
        .forEach(
            (file, version) -> {
              String name = file.substring(file.lastIndexOf('/') + 1);
              if (name.startsWith("evenkeel-cli") || name.startsWith("picocli")) {
                find(
                    Kind.LAUNCHER_JAR,
                    file + " is on the class path of daemons; it belongs to the launcher only");
                return;
              }
              String artifact = name.replaceFirst("-[0-9].*", "");
              files.computeIfAbsent(artifact, a -> new LinkedHashSet<>()).add(file);
              if (!isUnreadable(version)) {
                versions.add(version);
              }
            });
    files.forEach(
        (artifact, all) -> {
          if (all.size() > 1) {
            find(
                Kind.JAR_TWICE,
                artifact
                    + " is there "
                    + all.size()
                    + " times and the first is used: "
                    + String.join(", ", all));
          }
        });
    if (versions.size() > 1) {
      find(
          Kind.MIXED_VERSION,
          "jars of Evenkeel have several versions: " + String.join(", ", versions));
    }
  }

  private static boolean isUnreadable(String version) {
    return version.startsWith("unreadable");
  }

  /** The jar of that artifact which is there and cannot be read; empty where there is none. */
  private Optional<String> unreadable(String artifact) {
    return installed.ourJars().entrySet().stream()
        .filter(jar -> isUnreadable(jar.getValue()))
        .map(Map.Entry::getKey)
        .filter(file -> file.substring(file.lastIndexOf('/') + 1).startsWith(artifact + "-"))
        .findFirst();
  }

  /** Whether a class of it that is named is in no jar that can be read: that was said already. */
  private boolean isMissing(Module module) {
    return installed.isKnown()
        && unreadable(module.artifact()).isPresent()
        && module.switches().stream()
            .filter(this::isOurs)
            .anyMatch(key -> installed.having(get.apply(key.key())).isEmpty());
  }

  private void classOf(StockKey key, String value) {
    Set<String> all = new LinkedHashSet<>();
    for (StockKey each : StockKey.values()) {
      all.addAll(each.ours());
    }
    boolean there = !installed.having(value).isEmpty();
    if (!key.ours().contains(value)
        && (all.contains(value) || (there && value.startsWith("io." + OURS)))) {
      find(
          Kind.WRONG_CLASS,
          key.key() + " names " + value + ", which is not for this key",
          key.ours().isEmpty() ? new String[0] : new String[] {in(key, key.ours().get(0))});
      return;
    }
    boolean ours = key.ours().contains(value);
    if (!installed.isKnown() || there) {
      return;
    }
    Optional<String> meant = Nearest.mistyped(value, key.ours());
    String artifact = artifactOf(key);
    String why =
        unreadable(artifact)
            .map(file -> "; " + file + " cannot be read by this user")
            .orElse("; " + artifact + "-VERSION.jar is not there: add it, or take the key out");
    find(
        Kind.CLASS_MISSING,
        key.key()
            + " names "
            + value
            + ", which is in no jar of the class path"
            + (ours ? why : "")
            + ". On this host "
            + key.daemons()
            + " will not start",
        meant.isPresent() && !ours ? new String[] {in(key, meant.get())} : new String[0]);
  }

  private static String artifactOf(StockKey key) {
    for (Module module : Module.values()) {
      if (module.switches().contains(key)) {
        return module.artifact();
      }
    }
    return Module.PLACEMENT.artifact(); // a mapping switches no module on
  }

  // Keys -------------------------------------------------------------------------------------

  private void unknownKeys() {
    List<String> prefixes = new ArrayList<>();
    for (Module module : Module.values()) {
      prefixes.add(module.prefix());
    }
    for (String name : names) {
      boolean known = prefixes.stream().anyMatch(name::startsWith);
      if (!known && looksLikeOurs(name)) {
        String prefix = Nearest.of(head(name), prefixes);
        find(
            Kind.UNKNOWN_KEY,
            "nobody reads "
                + name
                + ": keys of Evenkeel begin with "
                + String.join(", ", prefixes)
                + ". Perhaps "
                + prefix
                + name.substring(head(name).length())
                + " is meant");
      }
    }
  }

  /** A key of HDFS with a slip in it is no error for HDFS: nobody asks for it. */
  private void mistypedKeys() {
    List<String> stock = new ArrayList<>();
    for (StockKey key : StockKey.values()) {
      stock.add(key.key());
    }
    for (String name : names) {
      String value = get.apply(name);
      boolean slip = !stock.contains(name) && Nearest.mistyped(name, stock).isPresent();
      if (slip && !name.startsWith(OURS) && value.startsWith("io." + OURS)) {
        List<String> write = new ArrayList<>();
        for (StockKey key : StockKey.values()) {
          if (key.ours().contains(value)) {
            write.add(in(key, value));
          }
        }
        find(
            Kind.UNKNOWN_KEY,
            "nobody reads " + name + ", which names " + value,
            write.toArray(new String[0]));
      }
    }
  }

  /** {@code evenkeel.} and what is likely to be that mistyped. */
  private static boolean looksLikeOurs(String name) {
    int dot = name.indexOf('.');
    String first = dot < 0 ? name : name.substring(0, dot);
    List<String> ours = Arrays.asList(OURS.substring(0, OURS.length() - 1));
    return Nearest.mistyped(first, ours).isPresent();
  }

  /** The first two parts of a name, with the dot behind them. */
  private static String head(String name) {
    int first = name.indexOf('.');
    int second = name.indexOf('.', first + 1);
    return second < 0 ? name : name.substring(0, second + 1);
  }

  private void modules() {
    for (Module module : Module.values()) {
      Set<String> own = own(module);
      boolean on = module.switches().stream().anyMatch(this::isOurs);
      if (!own.isEmpty() && !on && !module.switches().isEmpty()) {
        List<String> write = new ArrayList<>();
        for (StockKey key : module.switches()) {
          write.add(in(key, key.ours().get(0)));
        }
        find(
            Kind.NO_EFFECT,
            "no key of Hadoop names a class of "
                + module.artifact()
                + ": without effect are "
                + String.join(", ", own),
            write.toArray(new String[0]));
      }
      values(module, on);
      String allow = module.prefix() + "allow-untested";
      Fit proved = on && !isMissing(module) ? installed.prove(module) : null;
      boolean allowed = bool(allow, false);
      if (proved != null
          && !proved.problems().isEmpty()
          && (!allowed || proved.kind() == Fit.Kind.NOT_IMPLEMENTED)) {
        find(
            Kind.OTHER_HADOOP,
            module.artifact()
                + ": "
                + proved.explain()
                + consequence(module, proved)
                + proved.advice()
                + (proved.isToBeTried() ? "; the last resort is " + allow + "=true" : ""));
      }
    }
  }

  /** Keys of the module that are set, but for the one that only says how others are read. */
  private Set<String> own(Module module) {
    Set<String> own = new TreeSet<>();
    for (String name : names) {
      if (name.startsWith(module.prefix()) && !name.endsWith(".unknown-keys")) {
        own.add(name);
      }
    }
    return own;
  }

  private void values(Module module, boolean on) {
    Set<String> own = own(module);
    if (own.isEmpty() && !on) {
      return;
    }
    if (!own.isEmpty() && !installed.judges(module)) {
      find(
          Kind.NOT_JUDGED,
          "there is no jar of " + module.artifact() + " to judge " + String.join(", ", own));
      return;
    }
    installed
        .problems(module, names, get)
        .forEach(problem -> find(Kind.BAD_KEY, problem + ". With it " + starter(module)));
  }

  private static String starter(Module module) {
    switch (module) {
      case PLACEMENT:
        return "the NameNode or ResourceManager that reads it does not start";
      case VOLUME:
      case LOCKING:
        return "the DataNode that reads it does not start";
      case MOVER:
        return "'evenkeel mover' does not start";
      default:
        return "'evenkeel teravalidate' does not start, and jobs use the default";
    }
  }

  private static String consequence(Module module, Fit proved) {
    if (proved.kind() == Fit.Kind.NOT_IMPLEMENTED) {
      return ": " + module.otherwise(proved);
    }
    return module == Module.PLACEMENT
        ? ": the NameNode does not start"
        : ": stock decides, with a WARN at start";
  }

  // Keys that belong together ----------------------------------------------------------------

  private void keysTogether() {
    boolean replicated = isOurs(StockKey.REPLICATED);
    boolean striped = isOurs(StockKey.STRIPED);
    StockKey missing = replicated ? StockKey.STRIPED : StockKey.REPLICATED;
    boolean mistyped = // a finding of its own
        installed.isKnown() && get.apply(missing.key()).startsWith("io." + OURS);
    if (replicated != striped && !mistyped) {
      find(
          Kind.KEYS_APART,
          "stock places "
              + (replicated ? "erasure-coded" : "replicated")
              + " blocks: "
              + missing.key()
              + " does not name a class of Evenkeel",
          in(missing, missing.ours().get(0)));
    }
    boolean nodeGroups = isSet(StockKey.TOPOLOGY, NODE_GROUPS);
    boolean dfsTopology = bool(USE_DFS_TOPOLOGY, true);
    if (nodeGroups && dfsTopology) {
      find(
          Kind.KEYS_APART,
          StockKey.TOPOLOGY.key()
              + " has no effect while "
              + USE_DFS_TOPOLOGY
              + " is true, its default: node groups count as racks"
              + (replicated || striped ? ", and the NameNode does not start" : ""),
          inHdfs(USE_DFS_TOPOLOGY, "false"));
    } else if (nodeGroups && get.apply(StockKey.REPLICATED.key()).isEmpty()) {
      find(
          Kind.KEYS_APART,
          "stock's default policy does not know node groups: replicas of a block will share hosts",
          in(StockKey.REPLICATED, StockKey.REPLICATED.ours().get(0)),
          in(StockKey.STRIPED, StockKey.STRIPED.ours().get(0)));
    }
    if (replicated || striped) {
      policy(nodeGroups && !dfsTopology);
    }
    if (isOurs(StockKey.MAPPING)) {
      mapping(nodeGroups && !dfsTopology, replicated || striped);
    }
    if ("on".equals(get.apply("evenkeel.mover.follow.satisfier"))
        && !"external".equals(get.apply("dfs.storage.policy.satisfier.mode"))) {
      find(
          Kind.KEYS_APART,
          "evenkeel.mover.follow.satisfier=on needs the NameNode's queue",
          inHdfs("dfs.storage.policy.satisfier.mode", "external"));
    }
  }

  private void policy(boolean nodeGroups) {
    boolean observes = bool("evenkeel.placement.observe-only", false);
    if ("node-group".equals(get.apply(HOST_KEY))
        && !nodeGroups
        && !isSet(StockKey.TOPOLOGY, NODE_GROUPS)) {
      find(
          Kind.KEYS_APART,
          HOST_KEY
              + "=node-group needs a topology with node groups"
              + (observes ? ", and nothing is observed" : ", and the NameNode does not start"),
          in(StockKey.TOPOLOGY, NODE_GROUPS),
          inHdfs(USE_DFS_TOPOLOGY, "false"));
    }
    if (observes) {
      asked(OBSERVED, StockKey.REPLICATED, "would observe itself");
    }
  }

  /** A class that one of ours asks: it must be there, and be none of ours. */
  private void asked(String key, StockKey asks, String itself) {
    String value = get.apply(key);
    if (asks.ours().contains(value)) {
      find(
          Kind.WRONG_CLASS,
          key + " names " + value + ", which " + itself + ": the NameNode does not start");
    } else if (!value.isEmpty() && installed.isKnown() && installed.having(value).isEmpty()) {
      find(
          Kind.CLASS_MISSING,
          key
              + " names "
              + value
              + ", which is in no jar of the class path: the NameNode does not start");
    }
  }

  private void mapping(boolean nodeGroups, boolean policy) {
    String emit = get.apply(EMIT).isEmpty() ? "path" : get.apply(EMIT);
    String hostKey = get.apply(HOST_KEY);
    boolean auto = hostKey.isEmpty() || "auto".equals(hostKey);
    String refuses = policy ? ", and the NameNode does not start" : "";
    if (!nodeGroups && !"rack".equals(emit) && auto && !isSet(StockKey.TOPOLOGY, NODE_GROUPS)) {
      find(
          Kind.KEYS_APART,
          "NodeGroupMapping says /rack/nodegroup, which this topology takes for a rack: replicas"
              + " of a block would share hosts"
              + refuses,
          in(StockKey.TOPOLOGY, NODE_GROUPS),
          inHdfs(USE_DFS_TOPOLOGY, "false"));
    }
    if (nodeGroups && !"path".equals(emit)) {
      find(
          Kind.KEYS_APART,
          EMIT
              + "="
              + emit
              + " gives one level, but the topology of the NameNode needs /rack/nodegroup: remove"
              + " it here (YARN has its own in yarn-site.xml)"
              + refuses);
    }
    String wrapped = get.apply(WRAPPED);
    if ((wrapped.isEmpty() || wrapped.equals(SCRIPT_MAPPING))
        && get.apply("net.topology.script.file.name").isEmpty()) {
      find(
          Kind.KEYS_APART,
          "NodeGroupMapping asks ScriptBasedMapping, which has no script: every host is unknown",
          "core-site.xml: " + line("net.topology.script.file.name", "/path/of/your/script"));
    }
    asked(WRAPPED, StockKey.MAPPING, "would ask itself");
    if ("fail".equals(get.apply("evenkeel.placement.mapping.unknown")) && !bool(REJECT, false)) {
      find(
          Kind.KEYS_APART,
          "evenkeel.placement.mapping.unknown=fail needs "
              + REJECT
              + "=true, or the NameNode does not start",
          inHdfs(REJECT, "true"));
    }
  }
}
