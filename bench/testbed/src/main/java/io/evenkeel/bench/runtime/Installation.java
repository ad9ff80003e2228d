package io.evenkeel.bench.runtime;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where this Evenkeel lives: a checkout (system property {@code evenkeel.root}) or an unpacked
 * distribution ({@code evenkeel.home}). The launcher sets them. Thread-safe.
 */
public final class Installation {
  private Installation() {}

  /** The checkout, if this runs from one. */
  public static Optional<Path> root() {
    return directory("evenkeel.root").filter(d -> Files.isRegularFile(d.resolve("mvnw")));
  }

  /**
   * The plugin jars: {@code lib/} of the distribution, or of the one last built in the checkout.
   *
   * @return an empty list when no distribution was built
   */
  public static List<Path> pluginJars() {
    Optional<Path> home = directory("evenkeel.home");
    if (home.isPresent()) {
      return jars(home.get().resolve("lib"));
    }
    if (root().isEmpty()) {
      return List.of();
    }
    List<Path> built = new ArrayList<>();
    for (Path d : list(root().get().resolve("cli/target"), "evenkeel-*")) {
      if (Files.isDirectory(d.resolve("lib"))) {
        built.add(d.resolve("lib"));
      }
    }
    return built.isEmpty() ? List.of() : jars(built.get(built.size() - 1));
  }

  /** The program that runs Maven: the wrapper of the checkout, else {@code mvn} on the path. */
  static Optional<Path> maven(Map<String, String> env) {
    Optional<Path> root = root();
    return root.isPresent() ? root.map(r -> r.resolve("mvnw")) : onPath("mvn", env);
  }

  /** Where results may be kept; empty when there is no place of our own to write to. */
  static Optional<Path> cacheDirectory() {
    Optional<Path> root = root();
    if (root.isPresent()) {
      return root.map(r -> r.resolve(".launcher"));
    }
    return directory("evenkeel.home").filter(Files::isWritable).map(h -> h.resolve("cache"));
  }

  /** A program of that name in a directory of {@code PATH}. */
  static Optional<Path> onPath(String program, Map<String, String> env) {
    for (String dir : env.getOrDefault("PATH", "").split(File.pathSeparator)) {
      Path candidate = Path.of(dir.isEmpty() ? "." : dir, program);
      if (Files.isRegularFile(candidate) && Files.isExecutable(candidate)) {
        return Optional.of(candidate);
      }
    }
    return Optional.empty();
  }

  private static Optional<Path> directory(String property) {
    String value = System.getProperty(property, "");
    return value.isEmpty()
        ? Optional.empty()
        : Optional.of(Path.of(value).toAbsolutePath()).filter(Files::isDirectory);
  }

  /** Jars of a directory by name, without those that carry sources or documentation. */
  public static List<Path> jars(Path directory) {
    List<Path> found = new ArrayList<>(list(directory, "*.jar"));
    found.removeIf(
        p -> p.toString().endsWith("-sources.jar") || p.toString().endsWith("-javadoc.jar"));
    return found;
  }

  private static List<Path> list(Path directory, String glob) {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory, glob)) {
      stream.forEach(found::add);
    } catch (IOException e) {
      return List.of(); // not there, or not ours to read: the same as empty
    }
    Collections.sort(found);
    return found;
  }
}
