package io.evenkeel.bench.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HadoopRuntimeTest {
  private static final List<Path> NEEDED =
      List.of(
          Path.of("/r/hadoop-common-3.4.3-tests.jar"), Path.of("/r/hadoop-hdfs-3.4.3-tests.jar"));

  @TempDir private Path dir;

  private static HadoopRuntime with(String... more) {
    List<Path> jars = new ArrayList<>(NEEDED);
    for (String m : more) {
      jars.add(Path.of(m));
    }
    return new HadoopRuntime("3.4.3", jars);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "3", "3.4", "latest", "3.4.3;rm", "../3.4.3", "3.4.x", " 3.4.3"})
  void resolve_malformedVersion_isUsage(String version) {
    assertThatThrownBy(() -> HadoopRuntime.resolve(version, line -> {}))
        .isInstanceOfSatisfying(
            CommandException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE))
        .hasMessageContaining("is not a Hadoop version");
  }

  @ParameterizedTest
  @ValueSource(strings = {"3.4.3", "3.1.1.7.1.7.0-551", "3.5.0-SNAPSHOT"})
  void checkVersion_releaseOrVendorBuild_passes(String version) {
    HadoopRuntime.checkVersion(version);
  }

  @Test
  void jvmArgs_opens_areThoseOfTheRootPom() throws Exception {
    String pom = Files.readString(Path.of("..", "..", "pom.xml"));
    List<String> inPom =
        Pattern.compile("--add-opens=java\\.base\\S+?(?=\\s|<)")
            .matcher(pom)
            .results()
            .map(MatchResult::group)
            .toList();
    assertThat(inPom).isNotEmpty();
    assertThat(with().jvmArgs())
        .filteredOn(a -> a.startsWith("--add-opens"))
        .containsExactlyElementsOf(inPom);
  }

  @Test
  void classpath_duplicatesDirectoriesAndForeignBindings_areDropped() {
    HadoopRuntime runtime =
        with(
            "/etc/hadoop",
            "/r/slf4j-reload4j-1.7.36.jar",
            "/r/logback-classic-1.2.jar",
            "/r/slf4j-reload4j-1.7.36.jar");
    assertThat(runtime.classpath())
        .containsExactly(NEEDED.get(0), NEEDED.get(1), Path.of("/r/slf4j-reload4j-1.7.36.jar"));
  }

  @Test
  void classpath_withoutTestsJars_isRefused() {
    assertThatThrownBy(() -> new HadoopRuntime("3.4.3", List.of(NEEDED.get(0))))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("hadoop-hdfs-3.4.3-tests.jar");
  }

  @Test
  void cache_withAMissingJar_isNotUsed() throws Exception {
    Path jar = Files.createFile(dir.resolve("a.jar"));
    Path cache = Files.writeString(dir.resolve("cache"), jar + ":" + dir.resolve("b.jar") + "\n");
    assertThat(MavenClasspath.read(cache)).isEmpty();
    Files.createFile(dir.resolve("b.jar"));
    assertThat(MavenClasspath.read(cache)).containsExactly(jar, dir.resolve("b.jar"));
  }

  @Test
  void cache_emptyOrAbsent_isNotUsed() throws Exception {
    assertThat(MavenClasspath.read(dir.resolve("none"))).isEmpty();
    assertThat(MavenClasspath.read(Files.createFile(dir.resolve("empty")))).isEmpty();
  }

  @Test
  void failure_unknownRelease_saysSoInOneLine() {
    String log =
        "[ERROR] Failed to execute goal on project x: Could not find artifact"
            + " org.apache.hadoop:hadoop-minicluster:jar:9.9.9 in central";
    assertThat(MavenClasspath.failure("9.9.9", log))
        .hasMessageStartingWith("there is no Hadoop 9.9.9")
        .extracting(e -> ((CommandException) e).exitCode())
        .isEqualTo(ExitCode.COULD_NOT_RUN);
  }

  @Test
  void failure_noNetwork_quotesMavensFirstError() {
    String log = "noise\n[ERROR] Could not transfer artifact x: Connection refused\n[ERROR] more";
    assertThat(MavenClasspath.failure("3.4.3", log))
        .hasMessageEndingWith("Could not transfer artifact x: Connection refused")
        .message()
        .doesNotContain("\n");
  }

  @Test
  void pom_releaseBeforeJava11_bringsWhatThatJavaHad() {
    assertThat(MavenClasspath.pom("3.1.4")).contains("javax.activation-api");
    assertThat(MavenClasspath.pom("3.3.6")).doesNotContain("javax.activation-api");
  }

  @Test
  void pom_releaseWhoseMiniClusterLacksMockito_bringsIt() {
    assertThat(MavenClasspath.pom("3.3.6")).contains("mockito-core");
    assertThat(MavenClasspath.pom("3.4.3")).doesNotContain("mockito-core");
  }

  @Test
  void cache_ofAnotherQuestion_hasAnotherName() {
    assertThat(MavenClasspath.cacheName("3.3.6"))
        .matches("hadoop-3\\.3\\.6-[0-9a-f]{8}\\.classpath")
        .isNotEqualTo(MavenClasspath.cacheName("3.4.3"));
  }

  @ParameterizedTest
  @CsvSource({
    "2.10.2, 2.10.2",
    "3.1.4, 3.1.4",
    "3.0.2, 3.0.0",
    "3.1.3, 3.1.2",
    "3.2.1, 3.2.1",
    "3.2.4, 3.2.1",
    "3.3.3, 3.3.2",
    "3.3.4, 3.3.4",
    "3.4.0, 3.4.2",
    "3.4.3, 3.4.2",
    "3.5.0, 3.4.2"
  })
  void examplesVersion_ofARelease_isPublishedAndNotLaterWhereThatMatters(
      String hadoop, String examples) {
    assertThat(HadoopRuntime.examplesVersion(hadoop)).isEqualTo(examples);
  }
}
