package io.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.json.Json;
import io.evenkeel.common.testing.Compiled;
import io.evenkeel.locking.FineGrainedDatasetFactory;
import io.evenkeel.mover.FileMover;
import io.evenkeel.placement.UniformBlockPlacementPolicy;
import io.evenkeel.volume.LatencyAwareVolumeChoosingPolicy;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class CheckCommandTest {
  @TempDir private Path dir;
  private final Map<String, String> environment = new HashMap<>();
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private Path conf;

  @BeforeEach
  void prepare() throws IOException {
    conf = Files.createDirectory(dir.resolve("conf"));
    site("core-site.xml");
  }

  private void site(String file, String... keysAndValues) throws IOException {
    StringBuilder text = new StringBuilder("<configuration>");
    for (int i = 0; i < keysAndValues.length; i += 2) {
      text.append("<property><name>").append(keysAndValues[i]).append("</name><value>");
      text.append(keysAndValues[i + 1]).append("</value></property>");
    }
    Files.writeString(conf.resolve(file), text.append("</configuration>"));
  }

  private int check(String... options) {
    out.getBuffer().setLength(0);
    CommandLine line =
        Evenkeel.commandLine(new CheckCommand(environment::get))
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err));
    List<String> args = new ArrayList<>(List.of("check"));
    args.addAll(List.of(options));
    return Evenkeel.run(line, args.toArray(new String[0]));
  }

  private static String where(Class<?>... classes) throws URISyntaxException {
    List<String> path = new ArrayList<>();
    for (Class<?> each : classes) {
      path.add(
          new File(each.getProtectionDomain().getCodeSource().getLocation().toURI()).getPath());
    }
    return String.join(File.pathSeparator, path);
  }

  private static String all() throws URISyntaxException {
    return where(
        LatencyAwareVolumeChoosingPolicy.class,
        UniformBlockPlacementPolicy.class,
        BlockPlacementPolicyDefault.class,
        Json.class);
  }

  /** Hadoop and what it needs, as daemons have it. */
  private static String hadoop() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> entry.endsWith(".jar") && !entry.matches(".*(evenkeel|picocli)-.*"))
        .collect(Collectors.joining(File.pathSeparator));
  }

  @Test
  void check_volumePolicyOnItsOwn_isRightAndShowsWhereItComesFrom() throws Exception {
    site(
        "hdfs-site.xml",
        "dfs.datanode.fsdataset.volume.choosing.policy",
        LatencyAwareVolumeChoosingPolicy.class.getName());
    assertThat(check("--conf", conf.toString(), "--classpath", all())).isZero();
    assertThat(out.toString())
        .contains("No findings.")
        .contains(LatencyAwareVolumeChoosingPolicy.class.getName())
        .contains(where(LatencyAwareVolumeChoosingPolicy.class));
  }

  /** An administrator copies it as it is. */
  @Test
  void check_confOfTheArchive_hasNoFinding() throws Exception {
    String path = all() + File.pathSeparator + where(FineGrainedDatasetFactory.class);
    assertThat(check("--conf", "src/main/archive/conf", "--classpath", path)).isZero();
    assertThat(out.toString()).contains("No findings.").contains("evenkeel.volume");
  }

  /** Nor what stands there in comments, when all of it is taken. */
  @Test
  void check_confOfTheArchiveWithItsComments_hasNoFinding() throws Exception {
    for (String name : List.of("core-site.xml", "hdfs-site.xml", "yarn-site.xml")) {
      String text = Files.readString(Path.of("src/main/archive/conf", name));
      Files.writeString(
          conf.resolve(name),
          text.replaceAll("(?s)<!--.*?(?=<property>|-->)", "").replace("-->", ""));
    }
    String path =
        String.join(
            File.pathSeparator,
            all(),
            where(FineGrainedDatasetFactory.class, FileMover.class, Configuration.class),
            hadoop());
    assertThat(check("--conf", conf.toString(), "--classpath", path)).isZero();
    assertThat(out.toString())
        .contains("No findings.")
        .contains("NetworkTopologyWithNodeGroup")
        .contains("FineGrainedDatasetFactory")
        .contains("NodeGroupMapping");
  }

  @Test
  void check_jarMissing_isAFinding() throws Exception {
    site(
        "hdfs-site.xml",
        "dfs.datanode.fsdataset.volume.choosing.policy",
        LatencyAwareVolumeChoosingPolicy.class.getName());
    assertThat(
            check(
                "--conf", conf.toString(), "--classpath", where(UniformBlockPlacementPolicy.class)))
        .isEqualTo(2);
    assertThat(out.toString()).contains("Finding (class-missing)").contains("DataNode will not");
  }

  @Test
  void check_keyOfHdfsIsMistyped_isAFinding() throws Exception {
    site(
        "hdfs-site.xml",
        "dfs.datanode.fsdataset.volume.choosing.polcy",
        LatencyAwareVolumeChoosingPolicy.class.getName());
    assertThat(check("--conf", conf.toString(), "--classpath", all())).isEqualTo(2);
    assertThat(out.toString())
        .contains("nobody reads dfs.datanode.fsdataset.volume.choosing.polcy")
        .contains("<name>dfs.datanode.fsdataset.volume.choosing.policy</name>");
  }

  @Test
  void check_jarCannotBeRead_isOneFinding() throws Exception {
    site(
        "hdfs-site.xml",
        "dfs.datanode.fsdataset.volume.choosing.policy",
        LatencyAwareVolumeChoosingPolicy.class.getName());
    Path jar = Files.writeString(dir.resolve("evenkeel-volume-policy-0.1.0.jar"), "no jar");
    String path = where(BlockPlacementPolicyDefault.class, Json.class);
    assertThat(check("--conf", conf.toString(), "--classpath", path + File.pathSeparator + jar))
        .isEqualTo(2);
    assertThat(out.toString()).containsOnlyOnce("Finding").contains(jar + " cannot be read");
  }

  @Test
  void check_classIsMistyped_otherKeyIsNotCalledAlone() throws Exception {
    site(
        "hdfs-site.xml",
        "dfs.block.replicator.classname",
        UniformBlockPlacementPolicy.class.getName().replace("Policy", "Polcy"),
        "dfs.block.placement.ec.classname",
        "io.evenkeel.placement.UniformStripedBlockPlacementPolicy");
    assertThat(check("--conf", conf.toString(), "--classpath", all())).isEqualTo(2);
    assertThat(out.toString()).contains("class-missing").doesNotContain("stock places");
  }

  @Test
  void check_keyOfAnotherNamesOurClass_isNoFinding() throws Exception {
    site("hdfs-site.xml", "dfs.our.policy", LatencyAwareVolumeChoosingPolicy.class.getName());
    assertThat(check("--conf", conf.toString(), "--classpath", all())).isZero();
  }

  @Test
  void check_classIsMistypedAndClassPathNotKnown_isNotSilent() throws Exception {
    site(
        "hdfs-site.xml",
        "dfs.block.replicator.classname",
        UniformBlockPlacementPolicy.class.getName().replace("Policy", "Polcy"));
    assertThat(check("--conf", conf.toString())).isEqualTo(2);
    assertThat(out.toString())
        .containsOnlyOnce("(not-judged)")
        .contains("UniformBlockPlacementPolcy");
  }

  @Test
  void check_classPathNotKnown_aClassIsNotJudged() throws Exception {
    site(
        "hdfs-site.xml",
        "dfs.datanode.fsdataset.volume.choosing.policy",
        LatencyAwareVolumeChoosingPolicy.class.getName());
    assertThat(check("--conf", conf.toString())).isEqualTo(2);
    assertThat(out.toString()).contains("Finding (not-judged)").contains("--classpath");
  }

  @Test
  void check_badValueAndUnknownKey_areToldByTheModuleItself() throws Exception {
    site(
        "hdfs-site.xml",
        "dfs.datanode.fsdataset.volume.choosing.policy",
        LatencyAwareVolumeChoosingPolicy.class.getName(),
        "evenkeel.volume.fill",
        "fast",
        "evenkeel.volume.outlier.multiplyer",
        "3");
    assertThat(check("--conf", conf.toString(), "--classpath", all())).isEqualTo(2);
    assertThat(out.toString())
        .contains("evenkeel.volume.fill = 'fast' is not allowed; use off | even")
        .contains("nearest known key: evenkeel.volume.outlier.multiplier");
  }

  @Test
  void check_scriptOfAnInstallation_isAskedWithTheConfiguration() throws Exception {
    Path home = Files.createDirectories(dir.resolve("hadoop/bin")).getParent();
    Path hdfs = home.resolve("bin/hdfs");
    Path lib = Files.createDirectory(dir.resolve("lib"));
    Files.createFile(lib.resolve("hadoop-common-9.9.9.jar"));
    Files.createFile(lib.resolve("hadoop-common-9.9.9-tests.jar"));
    Files.writeString(
        hdfs,
        "#!/bin/sh\necho warning >&2\n[ \"$1 $2\" = 'classpath --glob' ] || exit 3\n"
            + "echo \"$HADOOP_CONF_DIR:"
            + lib
            + "/*\"\n");
    assertThat(hdfs.toFile().setExecutable(true)).isTrue();
    environment.put("HADOOP_HOME", home.toString());
    environment.put("HADOOP_CONF_DIR", conf.toString());
    assertThat(check()).isZero();
    assertThat(out.toString()).contains("3 entries, Hadoop 9.9.9").contains("all is stock");

    Files.writeString(hdfs, "#!/bin/sh\nexit 3\n");
    assertThat(check("--hadoop-home", home.toString(), "--conf", conf.toString())).isEqualTo(1);
    assertThat(err.toString()).contains("classpath --glob ended with 3");
  }

  @Test
  void check_noHadoop_judgesKeysAndSaysSo() throws Exception {
    site("yarn-site.xml", "evenkeel.placment.mapping.emit", "rack");
    assertThat(check("--conf", conf.toString())).isEqualTo(2);
    assertThat(out.toString()).contains("Class path: not known").contains("unknown-key");
  }

  @Test
  void check_json_followsTheDocumentedSchema() throws Exception {
    site("hdfs-site.xml", "dfs.datanode.fsdataset.factory", "io.evenkeel.locking.Nothing");
    assertThat(check("--conf", conf.toString(), "--classpath", all(), "--json")).isEqualTo(2);
    Map<?, ?> json = (Map<?, ?>) Json.parse(out.toString());
    assertThat(new ArrayList<Object>(json.keySet()))
        .isEqualTo(
            List.of(
                "schema",
                "evenkeel",
                "exitCode",
                "conf",
                "classPathEntries",
                "hadoopVersion",
                "classes",
                "findings"));
    Map<?, ?> finding = (Map<?, ?>) ((List<?>) json.get("findings")).get(0);
    assertThat(finding.get("kind")).isEqualTo("class-missing");
  }

  @Test
  void check_nothingNamed_saysWhatToGive() {
    assertThat(check()).isEqualTo(1);
    assertThat(err.toString()).contains("give --conf DIR, or set").hasLineCount(1);
    assertThat(check("--conf", dir.resolve("none").toString())).isEqualTo(4);
    assertThat(check("--hadoop-home", dir.resolve("none").toString())).isEqualTo(4);
  }

  /** Named, it must not be passed over for want of its script. */
  @Test
  void check_homeWithoutScript_saysSo() {
    assertThat(check("--hadoop-home", dir.toString(), "--conf", conf.toString())).isEqualTo(4);
    assertThat(err.toString()).contains("neither bin/hdfs nor bin/hadoop").hasLineCount(1);
  }

  @Test
  void check_emptyDirectoryAndBrokenFile_couldNotRun() throws Exception {
    Path empty = Files.createDirectory(dir.resolve("empty"));
    assertThat(check("--conf", empty.toString())).isEqualTo(1);
    Files.writeString(conf.resolve("hdfs-site.xml"), "<configuration>");
    assertThat(check("--conf", conf.toString())).isEqualTo(1);
    assertThat(err.toString()).contains("hdfs-site.xml cannot be read");
  }

  @Test
  void check_includedFile_isJudgedToo() throws Exception {
    site("inc.xml", "evenkeel.volume.fil", "even");
    Files.writeString(
        conf.resolve("hdfs-site.xml"),
        "<configuration xmlns:xi=\"http://www.w3.org/2001/XInclude\"><property><name>"
            + "dfs.datanode.fsdataset.volume.choosing.policy</name><value>"
            + LatencyAwareVolumeChoosingPolicy.class.getName()
            + "</value></property><xi:include href=\"inc.xml\"/></configuration>");
    assertThat(check("--conf", conf.toString(), "--classpath", all())).isEqualTo(2);
    assertThat(out.toString()).contains("nearest known key: evenkeel.volume.fill");
  }

  /** With an empty value Hadoop has the default; blanks are a value, which no key allows. */
  @Test
  void check_emptyValueAndBlanks_areWhatTheyAreForHadoop() throws Exception {
    String[] keys = {
      "dfs.datanode.fsdataset.volume.choosing.policy",
      LatencyAwareVolumeChoosingPolicy.class.getName(),
      "evenkeel.volume.fill",
      "",
      "evenkeel.volume.unknown",
      ""
    };
    site("hdfs-site.xml", keys);
    assertThat(check("--conf", conf.toString(), "--classpath", all())).isZero();
    keys[3] = " ";
    site("hdfs-site.xml", keys);
    assertThat(check("--conf", conf.toString(), "--classpath", all())).isEqualTo(2);
    assertThat(out.toString()).contains("evenkeel.volume.fill = '' is not allowed");
  }

  /** As Hadoop itself tells it; vendors' jars are also there by names without a release. */
  @Test
  void check_releaseOfHadoop_isThatWhichItsJarTells() throws Exception {
    Path jar = dir.resolve("hadoop-common.jar");
    try (java.util.jar.JarOutputStream to =
        new java.util.jar.JarOutputStream(Files.newOutputStream(jar))) {
      to.putNextEntry(new java.util.zip.ZipEntry("common-version-info.properties"));
      to.write("version=9.9.9-vendor\n".getBytes(java.nio.charset.StandardCharsets.ISO_8859_1));
    }
    site(
        "hdfs-site.xml",
        "dfs.datanode.fsdataset.volume.choosing.policy",
        LatencyAwareVolumeChoosingPolicy.class.getName());
    String path = String.join(File.pathSeparator, jar.toString(), all(), hadoop());
    assertThat(check("--conf", conf.toString(), "--classpath", path)).isZero();
    assertThat(out.toString()).contains("Hadoop 9.9.9-vendor").contains("No findings.");
  }

  @Test
  void check_hadoopThatTheJarDoesNotKnow_saysWhatIsDifferent() throws Exception {
    site(
        "hdfs-site.xml",
        "dfs.datanode.fsdataset.volume.choosing.policy",
        LatencyAwareVolumeChoosingPolicy.class.getName());
    Path changed =
        Compiled.into(
            dir.resolve("changed"),
            dir,
            Map.of(
                "org.apache.hadoop.hdfs.server.datanode.fsdataset.RoundRobinVolumeChoosingPolicy",
                "package org.apache.hadoop.hdfs.server.datanode.fsdataset;"
                    + " public class RoundRobinVolumeChoosingPolicy<V> { }"));
    String path = String.join(File.pathSeparator, changed.toString(), all(), hadoop());
    assertThat(check("--conf", conf.toString(), "--classpath", path)).isEqualTo(2);
    assertThat(out.toString())
        .contains(
            "Finding (other-hadoop): evenkeel-volume-policy: Hadoop " + VersionInfo.getVersion())
        .contains(" is not as this jar knows it (", "RoundRobinVolumeChoosingPolicy");
  }
}
