package io.evenkeel.cli;

import static java.nio.file.StandardCopyOption.COPY_ATTRIBUTES;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The launcher's real build in a copy of this checkout, beside what {@code ./mvnw package} made.
 */
@Timeout(900)
@Tag("slow")
@Tag("once")
class FirstUseIT {
  private static final Path ROOT =
      Path.of(System.getProperty("evenkeel.root", "..")).toAbsolutePath().normalize();
  private static final String VERSION = System.getProperty("evenkeel.version", "0.1.0");
  private static final Path HOME = ROOT.resolve("cli/target/evenkeel-" + VERSION);
  private static final Set<String> NOT_SOURCE =
      Set.of(
          ".git",
          "target",
          ".launcher",
          "evenkeel-report",
          "evenkeel-cluster",
          "dependency-reduced-pom.xml");

  @TempDir private Path dir;

  private Path copyOfTheSources() throws IOException {
    Path copy = dir.resolve("checkout");
    Files.walkFileTree(
        ROOT,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path d, BasicFileAttributes attributes)
              throws IOException {
            if (NOT_SOURCE.contains(d.getFileName().toString())) {
              return FileVisitResult.SKIP_SUBTREE;
            }
            Files.createDirectories(copy.resolve(ROOT.relativize(d).toString()));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            if (!NOT_SOURCE.contains(file.getFileName().toString())) {
              Path to = copy.resolve(ROOT.relativize(file).toString());
              Files.copy(file, to, COPY_ATTRIBUTES);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return copy;
  }

  /** The files of a distribution: their sizes, and what is in the jars of ours. */
  private static Map<String, Object> content(Path home) throws IOException {
    Map<String, Object> content = new TreeMap<>();
    try (Stream<Path> files = Files.walk(home)) {
      for (Path file : files.filter(Files::isRegularFile).collect(Collectors.toList())) {
        String name = home.relativize(file).toString();
        content.put(name, name.contains("evenkeel-") ? entries(file) : Files.size(file));
      }
    }
    return content;
  }

  private static List<String> entries(Path jar) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      return file.stream().map(ZipEntry::getName).sorted().collect(Collectors.toList());
    }
  }

  @Test
  void firstUse_freshCheckout_buildsTheSameDistributionAndNothingElse() throws Exception {
    Path checkout = copyOfTheSources();
    Process process =
        new ScriptRunner(dir).start(checkout.resolve("evenkeel"), Map.of(), "--version");
    assertThat(process.waitFor(14, TimeUnit.MINUTES)).isTrue();
    assertThat(Files.readString(dir.resolve("out1"))).isEqualTo("evenkeel " + VERSION + "\n");
    Path built = checkout.resolve(".launcher");
    assertThat(content(built.resolve("evenkeel-cli/evenkeel-" + VERSION))).isEqualTo(content(HOME));
    try (Stream<Path> all = Files.walk(checkout)) {
      assertThat(all.map(file -> file.getFileName().toString()))
          .doesNotContain("target", "test-classes", "dependency-reduced-pom.xml");
    }
  }
}
