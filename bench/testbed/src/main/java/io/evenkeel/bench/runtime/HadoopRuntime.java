package io.evenkeel.bench.runtime;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.cli.HadoopJvm;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The classes of one Hadoop release, test jars and MapReduce examples included, and how to start a
 * JVM on them. Immutable and thread-safe.
 */
public final class HadoopRuntime {
  // The last release of the examples jar on Maven Central.
  private static final String LAST_EXAMPLES = "3.4.2";

  /** For releases whose own were not published. */
  private static final Map<String, String> NEAR_EXAMPLES =
      Map.of(
          "3.0.1", "3.0.0", "3.0.2", "3.0.0", "3.1.3", "3.1.2", "3.2.2", "3.2.1", "3.2.3", "3.2.1",
          "3.2.4", "3.2.1", "3.3.3", "3.3.2");

  private static final Pattern BEFORE_3_3 = Pattern.compile("[0-2]\\..*|3\\.[0-2]\\..*");

  private static final Pattern VERSION = Pattern.compile("\\d+\\.\\d+\\.\\d+([.-][A-Za-z0-9.-]+)?");

  private final String version;
  private final List<Path> classpath;

  HadoopRuntime(String version, List<Path> classpath) {
    this.version = version;
    this.classpath = usable(version, classpath);
  }

  /** Resolves a release with progress on standard error; see the other form. */
  public static HadoopRuntime resolve(String version) {
    return resolve(version, System.err::println);
  }

  /**
   * Finds the classes of a release, fetching them on first use.
   *
   * <p>In a checkout (system property {@code evenkeel.root}) by the Maven wrapper, else by {@code
   * mvn} on the path, else from an installed Hadoop of the same version.
   *
   * @param progress gets one line before anything slow
   * @throws CommandException when the version is malformed or its classes cannot be had
   */
  public static HadoopRuntime resolve(String version, Consumer<String> progress) {
    checkVersion(version);
    Map<String, String> env = System.getenv();
    Optional<Path> maven = Installation.maven(env);
    if (maven.isPresent()) {
      MavenClasspath source = new MavenClasspath(maven.get(), Installation.cacheDirectory());
      return new HadoopRuntime(version, source.resolve(version, progress));
    }
    return new HadoopRuntime(version, InstalledHadoop.find(env).classpath(version));
  }

  /**
   * Refuses what cannot be a version, before anything is asked for it.
   *
   * @throws CommandException usage
   */
  public static void checkVersion(String version) {
    if (version == null || !VERSION.matcher(version).matches()) {
      throw new CommandException(
          ExitCode.USAGE, "'" + version + "' is not a Hadoop version; write one such as 3.4.3");
    }
  }

  /**
   * The release of the MapReduce examples for a Hadoop release: its own, or where that is not on
   * Maven Central a near one. Those of a later one can call what an earlier Hadoop lacks: with
   * those of 3.4.2 TeraSort does not run before 3.3.5.
   */
  public static String examplesVersion(String hadoop) {
    boolean own = isBefore33(hadoop) || hadoop.startsWith("3.3.");
    return NEAR_EXAMPLES.getOrDefault(hadoop, own ? hadoop : LAST_EXAMPLES);
  }

  static boolean isBefore33(String hadoop) {
    return BEFORE_3_3.matcher(hadoop).matches();
  }

  /** The release, for example {@code 3.4.3}. */
  public String version() {
    return version;
  }

  /**
   * Every jar in the order to use. It holds no directory, so no configuration of an installed
   * Hadoop can come in by it.
   */
  public List<Path> classpath() {
    return classpath;
  }

  /** JVM options that every Hadoop process needs on JDK 17, or that keep it from leaving files. */
  public List<String> jvmArgs() {
    List<String> args = new ArrayList<>(HadoopJvm.opening());
    args.add("-Djava.net.preferIPv4Stack=true");
    args.add("-XX:-UsePerfData");
    return args;
  }

  /** Drops duplicates and foreign log bindings, and checks that what everybody needs is there. */
  private static List<Path> usable(String version, List<Path> found) {
    List<Path> list = new ArrayList<>(new LinkedHashSet<>(found));
    list.removeIf(Predicate.not(HadoopRuntime::isJar));
    boolean ownBinding = list.stream().anyMatch(HadoopRuntime::isLog4jBinding);
    if (ownBinding) {
      // Hadoop configures log4j; a second binding on the path could win and write elsewhere.
      list.removeIf(HadoopRuntime::isForeignBinding);
    }
    for (String needed : List.of("hadoop-common-", "hadoop-hdfs-")) {
      boolean there =
          list.stream()
              .map(HadoopRuntime::name)
              .anyMatch(n -> n.equals(needed + version + "-tests.jar"));
      if (!there) {
        throw new CommandException(
            ExitCode.COULD_NOT_RUN,
            "the class path of Hadoop " + version + " lacks " + needed + version + "-tests.jar");
      }
    }
    return List.copyOf(list);
  }

  private static boolean isJar(Path path) {
    return name(path).endsWith(".jar");
  }

  private static boolean isLog4jBinding(Path path) {
    return name(path).startsWith("slf4j-log4j12-") || name(path).startsWith("slf4j-reload4j-");
  }

  private static boolean isForeignBinding(Path path) {
    String name = name(path);
    return name.startsWith("logback-classic-")
        || name.startsWith("slf4j-simple-")
        || name.startsWith("slf4j-jdk14-")
        || name.startsWith("slf4j-nop-");
  }

  private static String name(Path path) {
    return Objects.toString(path.getFileName(), "");
  }
}
