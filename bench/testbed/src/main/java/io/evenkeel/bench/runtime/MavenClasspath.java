package io.evenkeel.bench.runtime;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import java.io.File;
import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Asks Maven for the class path of a release and remembers the answer in a file. Apart from {@link
 * HadoopRuntime} as one of two sources of its classes.
 *
 * <p>The answer is used again only while every jar in it exists. Several processes may ask at once:
 * each works in a directory of its own and the file is replaced atomically.
 */
final class MavenClasspath {
  /** What releases before 3.3 need of a Java up to 10; they were not written for a later one. */
  private static final String ACTIVATION =
      """
      <dependency>
        <groupId>javax.activation</groupId>
        <artifactId>javax.activation-api</artifactId>
        <version>1.2.0</version>
      </dependency>
      """;

  /** What the mini cluster of 3.3 needs and its project does not name, in Hadoop's own version. */
  private static final String MOCKITO =
      """
      <dependency>
        <groupId>org.mockito</groupId>
        <artifactId>mockito-core</artifactId>
        <version>2.28.2</version>
      </dependency>
      """;

  /** What web servers of 3.4.0 and 3.4.1 need; their mini cluster brings an older one. */
  private static final String JACKSON =
      """
      <dependency>
        <groupId>com.fasterxml.jackson.core</groupId>
        <artifactId>jackson-core</artifactId>
        <version>2.12.7</version>
      </dependency>
      """;

  private static final String PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.9.0";
  private static final Duration LIMIT = Duration.ofMinutes(20);

  private final Path maven;
  private final Optional<Path> cacheDirectory;

  MavenClasspath(Path maven, Optional<Path> cacheDirectory) {
    this.maven = maven;
    this.cacheDirectory = cacheDirectory;
  }

  List<Path> resolve(String version, Consumer<String> progress) {
    Optional<Path> cache = cacheDirectory.map(d -> d.resolve(cacheName(version)));
    try {
      List<Path> known = cache.isPresent() ? read(cache.get()) : List.of();
      if (!known.isEmpty()) {
        return known;
      }
      progress.accept("Fetching Hadoop " + version + " (first use)...");
      return fetch(version, cache);
    } catch (IOException e) {
      throw new CommandException(
          ExitCode.COULD_NOT_RUN, "cannot resolve Hadoop " + version + ": " + e, e);
    }
  }

  /** The jars of a cache file, or none when it is missing, empty or out of date. */
  static List<Path> read(Path cache) throws IOException {
    if (!Files.isRegularFile(cache)) {
      return List.of();
    }
    List<Path> jars = split(Files.readString(cache));
    return jars.stream().allMatch(Files::isRegularFile) ? jars : List.of();
  }

  private List<Path> fetch(String version, Optional<Path> cache) throws IOException {
    if (cacheDirectory.isPresent()) {
      Files.createDirectories(cacheDirectory.get());
    }
    String prefix = "hadoop-" + version + "-";
    Path work =
        cacheDirectory.isPresent()
            ? Files.createTempDirectory(cacheDirectory.get(), prefix)
            : Files.createTempDirectory(prefix);
    Path pom = work.resolve("pom.xml");
    Path answer = work.resolve("classpath");
    Path log = work.resolve("log");
    List<Path> files = List.of(pom, answer, log, work);
    try {
      Files.writeString(pom, pom(version));
      int code = Programs.run(command(pom, answer), log, LIMIT, () -> deleteAll(files));
      if (code != 0 || !Files.isRegularFile(answer)) {
        throw failure(version, Files.readString(log));
      }
      List<Path> jars = split(Files.readString(answer));
      if (cache.isPresent()) {
        replace(answer, cache.get());
      }
      return jars;
    } finally {
      deleteAll(files);
    }
  }

  private static void deleteAll(List<Path> files) {
    for (Path file : files) {
      if (!file.toFile().delete() && file.toFile().exists()) {
        System.err.println("evenkeel: could not remove " + file);
      }
    }
  }

  private List<String> command(Path pom, Path answer) {
    List<String> command = new ArrayList<>(List.of(maven.toString(), "-q", "-B", "-f"));
    command.add(pom.toString());
    // Surefire hands the outer Maven's user properties to us, not to a Maven that we start.
    String repository = System.getProperty("maven.repo.local");
    if (repository != null) {
      command.add("-Dmaven.repo.local=" + repository);
    }
    command.add(PLUGIN + ":build-classpath");
    command.add("-DincludeScope=runtime");
    command.add("-Dmdep.outputFile=" + answer);
    return command;
  }

  /** A project whose run-time class path is the one wanted, test jars by minicluster's own list. */
  static String pom(String version) {
    return """
        <project xmlns="http://maven.apache.org/POM/4.0.0">
          <modelVersion>4.0.0</modelVersion>
          <groupId>io.evenkeel</groupId>
          <artifactId>hadoop-classpath</artifactId>
          <version>1</version>
          <packaging>pom</packaging>
          <dependencies>
            <dependency>
              <groupId>org.apache.hadoop</groupId>
              <artifactId>hadoop-minicluster</artifactId>
              <version>%s</version>
            </dependency>
            <dependency>
              <groupId>org.apache.hadoop</groupId>
              <artifactId>hadoop-mapreduce-examples</artifactId>
              <version>%s</version>
              <exclusions>
                <exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion>
              </exclusions>
            </dependency>
            %s
          </dependencies>
        </project>
        """
        .formatted(version, HadoopRuntime.examplesVersion(version), more(version));
  }

  private static String more(String version) {
    if (HadoopRuntime.isBefore33(version)) {
      return ACTIVATION;
    }
    if (version.matches("3[.]4[.][01]")) {
      return JACKSON;
    }
    return version.startsWith("3.3.") ? MOCKITO : "";
  }

  /** Another name when another question is asked than by an earlier Evenkeel. */
  static String cacheName(String version) {
    return String.format("hadoop-%s-%08x.classpath", version, pom(version).hashCode());
  }

  static CommandException failure(String version, String log) {
    String artifact = "org.apache.hadoop:hadoop-minicluster:jar:" + version;
    boolean absent =
        log.contains("Could not find artifact " + artifact)
            || log.contains(artifact + " was not found in");
    if (absent) {
      return new CommandException(
          ExitCode.COULD_NOT_RUN, "there is no Hadoop " + version + " in the Maven repositories");
    }
    String reason =
        log.lines()
            .filter(l -> l.startsWith("[ERROR]") || l.startsWith("Error") || l.contains("rror:"))
            .findFirst()
            .or(() -> log.lines().findFirst())
            .orElse("Maven said nothing");
    return new CommandException(
        ExitCode.COULD_NOT_RUN,
        "cannot fetch Hadoop "
            + version
            + " with Maven (network, or settings.xml?): "
            + reason.replace("[ERROR] ", "").trim());
  }

  private static List<Path> split(String text) {
    List<Path> jars = new ArrayList<>();
    for (String entry : text.trim().split(File.pathSeparator)) {
      if (!entry.isEmpty()) {
        jars.add(Path.of(entry));
      }
    }
    return jars;
  }

  private static void replace(Path from, Path to) throws IOException {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
    }
  }
}
