package io.evenkeel.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.proof.Audit;
import io.evenkeel.common.proof.Proof;
import io.evenkeel.common.testing.JarCheck;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Opens each packaged plugin jar; that these checks can fail is seen in common's JarCheckTest. */
class DeployedJarsIT {
  private static Path jarOf(String module) {
    return jarOf(module, module);
  }

  private static Path jarOf(String name, String folder) {
    String version = System.getProperty("evenkeel.version");
    return Path.of(System.getProperty("evenkeel.root"))
        .resolve(folder)
        .resolve("target")
        .resolve("evenkeel-" + name + "-" + version + ".jar");
  }

  private static List<String> modules(String folder) throws IOException {
    Path pom = Path.of(System.getProperty("evenkeel.root"), folder, "pom.xml");
    return Files.readString(pom)
        .lines()
        .filter(line -> line.trim().startsWith("<module>"))
        .map(line -> line.trim().replaceAll("</?module>", ""))
        .toList();
  }

  @ParameterizedTest
  @CsvSource({
    "placement, placement, blockmanagement.EvenkeelPlacementBridge blockmanagement.package-info",
    "volume-policy, volume,",
    "datanode-locking, locking, datanode.fsdataset.impl.FineGrainedDataset"
        + " datanode.fsdataset.impl.VolumeRemovals"
        + " datanode.fsdataset.impl.LockedMemoryReplicas"
        + " datanode.fsdataset.impl.ReplicaDeletions"
        + " datanode.fsdataset.impl.CreationWait"
        + " datanode.fsdataset.impl.ReplicaCreations"
        + " datanode.fsdataset.impl.ReplicaMoves"
        + " datanode.fsdataset.impl.MergingReplicaMap"
        + " datanode.fsdataset.impl.DeferredCaching"
        + " datanode.fsdataset.impl.package-info",
    "mover, mover,",
    "terasort-tools, terasort,"
  })
  void pluginJar_asPackaged_holdsOnlyItsOwn(String module, String shortName, String bridges)
      throws IOException {
    Path jar = jarOf(module);
    assertThat(jar).exists();
    String[] allowed =
        Stream.of(bridges == null ? new String[0] : bridges.split(" "))
            .map("org.apache.hadoop.hdfs.server."::concat)
            .toArray(String[]::new);
    assertThat(JarCheck.of(shortName, allowed).problems(jar)).isEmpty();
    try (JarFile file = new JarFile(jar.toFile())) {
      assertThat(file.getManifest().getMainAttributes().getValue("Implementation-Version"))
          .isEqualTo(System.getProperty("evenkeel.version"));
    }
  }

  /** Other people's works that a jar holds, by the names of the packages they were moved to. */
  private static Set<String> worksIn(Path jar) throws IOException {
    Set<String> works = new TreeSet<>();
    try (JarFile file = new JarFile(jar.toFile())) {
      Pattern moved = Pattern.compile("io/evenkeel/[a-z]+/shaded/(?!common/)([a-z0-9]+)/.*");
      file.stream()
          .map(entry -> moved.matcher(entry.getName()))
          .filter(Matcher::matches)
          .forEach(found -> works.add(found.group(1)));
    }
    return works;
  }

  @Test
  void notice_saysWhatEachJarHolds() throws IOException {
    Map<String, Set<String>> held = new TreeMap<>();
    for (String module :
        List.of(
            "placement", "volume-policy", "datanode-locking", "mover", "terasort-tools", "cli")) {
      for (String work : worksIn(jarOf(module))) {
        held.computeIfAbsent(work, w -> new TreeSet<>()).add(module);
      }
    }
    Map<String, Set<String>> said = new TreeMap<>();
    Matcher line =
        Pattern.compile("(?m)^- ([a-z]+) \\([^)]*\\): (.*)$")
            .matcher(Files.readString(Path.of(System.getProperty("evenkeel.root"), "NOTICE")));
    while (line.find()) {
      said.put(line.group(1), new TreeSet<>(List.of(line.group(2).split(", "))));
    }
    assertThat(said).isEqualTo(held);
  }

  @ParameterizedTest
  @CsvSource({"placement", "volume-policy", "datanode-locking", "mover", "terasort-tools"})
  void pluginJar_afterRelocation_stillLinks(String module) throws IOException {
    Path jar = jarOf(module);
    ClassLoader hadoop = getClass().getClassLoader();
    Proof proof = Proof.of(jar, hadoop, audit(jar));
    assertThat(proof.problems()).isEmpty();
    assertThat(proof.links()).isPositive();
  }

  private static Audit audit(Path jar) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      JarEntry entry =
          file.stream().filter(e -> e.getName().endsWith("/audited.txt")).findFirst().orElseThrow();
      return Audit.read(new InputStreamReader(file.getInputStream(entry), UTF_8));
    }
  }

  @Test
  void launcherJar_asPackaged_holdsOnlyOurPackages() throws IOException {
    try (JarFile file = new JarFile(jarOf("cli").toFile())) {
      assertThat(file.stream().filter(e -> !e.isDirectory()).map(e -> e.getName()))
          .allMatch(name -> name.startsWith("io/evenkeel/") || name.startsWith("META-INF/"))
          .noneMatch(name -> name.startsWith("META-INF/") && name.endsWith(".class"))
          .contains("META-INF/LICENSE", "META-INF/NOTICE");
    }
  }

  @Test
  void benchJars_all_haveNoPackageInCommon() throws IOException {
    List<String> packages = new ArrayList<>();
    for (String module : modules("bench")) {
      try (JarFile file = new JarFile(jarOf("bench-" + module, "bench/" + module).toFile())) {
        file.stream()
            .map(entry -> entry.getName())
            .filter(name -> name.endsWith(".class"))
            .map(name -> name.substring(0, name.lastIndexOf('/')))
            .distinct()
            .forEach(packages::add);
      }
    }
    assertThat(packages).contains("io/evenkeel/bench/cluster").doesNotHaveDuplicates();
  }

  @Test
  void pluginJars_all_areListedHere() throws IOException {
    // A module that is added must be added above: the shade plugin marks those that are deployed.
    assertThat(modules("."))
        .containsExactlyInAnyOrder(
            "common",
            "placement",
            "volume-policy",
            "datanode-locking",
            "mover",
            "terasort-tools",
            "bench",
            "cli");
  }
}
