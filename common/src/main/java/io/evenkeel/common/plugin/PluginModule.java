package io.evenkeel.common.plugin;

import io.evenkeel.common.config.ConfigException;
import io.evenkeel.common.config.Key;
import io.evenkeel.common.config.KeyTable;
import io.evenkeel.common.config.OneLine;
import io.evenkeel.common.proof.Acceptance;
import io.evenkeel.common.proof.Audit;
import io.evenkeel.common.proof.Proof;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What all plugins of one module start with: its keys, and whether its jar fits the Hadoop beside
 * it. Thread-safe.
 */
public final class PluginModule {
  private static final Pattern LINE = Pattern.compile("\\d+[.]\\d+[.]");

  final String name;
  final Key<Boolean> allowUntested;
  private final KeyTable keys;
  private final Class<?> anchor;

  /** Looked for once, of no version; guarded by this. */
  private Fit fit;

  /**
   * Declares a module.
   *
   * @param name as {@link PluginMXBean#getModule} shows it
   * @param anchor a class of its jar
   * @param allowUntested the key of {@code keys} with which an operator allows other releases
   */
  public PluginModule(String name, Class<?> anchor, KeyTable keys, Key<Boolean> allowUntested) {
    this.name = name;
    this.anchor = anchor;
    this.keys = keys;
    this.allowUntested = allowUntested;
  }

  /**
   * Whether the module's jar fits the Hadoop on its class path. The first call reads class files,
   * which takes about a second, on a busy machine some; it loads the few whose functions it calls,
   * and what these name, and leaves no thread.
   *
   * @param hadoopVersion what that Hadoop calls itself
   */
  public synchronized Fit fit(String hadoopVersion) {
    if (fit == null) {
      fit = find();
    }
    return new Fit(hadoopVersion, fit.problems(), fit.lookedAt(), fit.kind());
  }

  /**
   * The lines of the file that accepts what is unknown of the Hadoop on the class path; for {@code
   * evenkeel prove}, after a trial.
   *
   * @throws IOException when a jar cannot be read
   */
  public List<String> acceptance() throws IOException {
    return Acceptance.lines(proof());
  }

  /**
   * Whether a release of the line of this version, such as 3.4, was read. For a Hadoop in another
   * process, whose classes cannot be seen.
   */
  public boolean knowsLine(String hadoopVersion) {
    Matcher line = LINE.matcher(String.valueOf(hadoopVersion));
    return line.lookingAt()
        && audit().releases().stream().anyMatch(each -> each.startsWith(line.group()));
  }

  private Fit find() {
    long begin = System.nanoTime();
    try {
      Proof proof = proof();
      Acceptance accepted = Acceptance.of(proof, jar(), shortName());
      List<String> problems = accepted.problems();
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
      String lookedAt = proof.lookedAt() + accepted.summary() + " in " + millis + " ms";
      return new Fit(null, problems, lookedAt, kind(proof, problems));
    } catch (IOException | RuntimeException | LinkageError e) {
      String problem = OneLine.of("it could not be looked at: " + e);
      return new Fit(null, Collections.singletonList(problem), "");
    }
  }

  private Fit.Kind kind(Proof proof, List<String> problems) {
    if (problems.isEmpty()) {
      return Fit.Kind.KNOWN;
    }
    if (proof.broken().isEmpty()) {
      return Fit.Kind.UNKNOWN;
    }
    String named = "io.evenkeel." + shortName(); // classes that a configuration names stand there
    boolean lacks =
        proof.unimplemented().stream()
            .anyMatch(each -> each.substring(0, each.lastIndexOf('.')).equals(named));
    return lacks ? Fit.Kind.NOT_IMPLEMENTED : Fit.Kind.MISSING;
  }

  private Proof proof() throws IOException {
    return Proof.of(jar(), anchor.getClassLoader(), audit());
  }

  private Audit audit() {
    return Audit.of(anchor, "/io/evenkeel/" + shortName() + "/audited.txt");
  }

  /** The jar or folder of its classes. */
  private Path jar() throws IOException {
    try {
      return Paths.get(anchor.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IOException(e);
    }
  }

  private String shortName() {
    return allowUntested.name().split("[.]")[1];
  }

  /**
   * Reads the configuration of a daemon.
   *
   * @param hadoop as {@link #fit} found it
   * @param entries all entries, as {@link KeyTable#readOrFail} has it
   * @param get looks a name up
   * @param warn told about unknown keys when those only warn
   * @throws ConfigException naming each bad key, its value and range
   */
  public PluginStart startOrFail(
      Fit hadoop,
      Iterable<Map.Entry<String, String>> entries,
      Function<String, String> get,
      Consumer<String> warn) {
    return new PluginStart(this, hadoop, keys.readOrFail(entries, get, warn));
  }

  /** The same where nothing may fail because of a bad key: it warns, and its default is used. */
  public PluginStart startOrWarn(
      Fit hadoop,
      Iterable<Map.Entry<String, String>> entries,
      Function<String, String> get,
      Consumer<String> warn) {
    return new PluginStart(this, hadoop, keys.readOrWarn(entries, get, warn));
  }
}
