package io.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Compiled;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The packaged jar of volume policies beside a Hadoop that a vendor has changed. */
@Tag("once")
class ProveRunIT {
  private static final String FSDATASET = "org.apache.hadoop.hdfs.server.datanode.fsdataset.";
  private static final String HARMLESS =
      "package org.apache.hadoop.hdfs.server.datanode.fsdataset;"
          + " public interface VolumeChoosingPolicy<V extends FsVolumeSpi> {"
          + " V chooseVolume(java.util.List<V> volumes, long size, String id)"
          + " throws java.io.IOException; default void vendors() {} }";
  private static final String BROKEN =
      "package org.apache.hadoop.hdfs.server.datanode.fsdataset;"
          + " public class RoundRobinVolumeChoosingPolicy<V extends FsVolumeSpi>"
          + " implements VolumeChoosingPolicy<V>, org.apache.hadoop.conf.Configurable {"
          + " public void setConf(org.apache.hadoop.conf.Configuration conf) {}"
          + " public org.apache.hadoop.conf.Configuration getConf() { return null; }"
          + " public V chooseVolume(java.util.List<V> volumes, long size, String id)"
          + " throws java.io.IOException { if (volumes.size() > 1) {"
          + " throw new java.io.IOException(\"vendor's\"); } return volumes.get(0); } }";

  @TempDir private Path dir;
  private final StringWriter out = new StringWriter();
  private Path jar;

  @BeforeEach
  void install() throws IOException {
    String name = "evenkeel-volume-policy-" + System.getProperty("evenkeel.version") + ".jar";
    Path built = Path.of(System.getProperty("evenkeel.root"), "volume-policy/target").resolve(name);
    jar = Files.copy(built, Files.createDirectory(dir.resolve("lib")).resolve(name));
  }

  /** Where nothing of Evenkeel is but that jar, with a class that stands before Hadoop's. */
  private String changed(String className, String source) throws IOException {
    List<String> hadoop =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> !entry.contains("evenkeel") && !entry.contains("/target/"))
            .collect(Collectors.toList());
    String hdfs =
        hadoop.stream()
            .filter(entry -> entry.matches(".*hadoop-hdfs-[0-9.]+jar"))
            .findFirst()
            .orElseThrow();
    Path classes =
        Compiled.into(
            Files.createTempDirectory(dir, "changed"),
            Path.of(hdfs + File.pathSeparator + String.join(File.pathSeparator, hadoop)),
            Map.of(FSDATASET + className, source));
    return classes
        + File.pathSeparator
        + jar
        + File.pathSeparator
        + String.join(File.pathSeparator, hadoop);
  }

  private int prove(String classPath, String... options) {
    out.getBuffer().setLength(0);
    CommandLine line =
        Evenkeel.commandLine(new ProveCommand(name -> null))
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(out));
    List<String> args = Stream.of("prove", "--module", "volume", "--classpath", classPath).toList();
    return Evenkeel.run(
        line, Stream.concat(args.stream(), Stream.of(options)).toArray(String[]::new));
  }

  @Test
  void run_harmlessChange_isAcceptedForExactlyThatHadoop() throws IOException {
    String harmless = changed("VolumeChoosingPolicy", HARMLESS);
    assertThat(prove(harmless)).isEqualTo(2);
    assertThat(out.toString()).contains("only unknown: --run tries whether it works");
    Path scratch = Files.createDirectory(dir.resolve("scratch"));
    String relative = Path.of("").toAbsolutePath().relativize(scratch).toString();
    assertThat(prove(harmless, "--run", "--dir", relative)).as(out.toString()).isZero();
    assertThat(out.toString())
        .containsPattern("volume +active, with the file below")
        .contains("volume: all 5 steps passed", "volume: ok: stock reads all")
        .contains("volume: accepted by " + jar.resolveSibling("evenkeel-accepted-volume.txt"))
        .contains("volume: accepted: method ");
    assertThat(scratch).isEmptyDirectory();
    assertThat(prove(harmless)).as(out.toString()).isZero();
    assertThat(out.toString()).contains("1 difference accepted by evenkeel-accepted-volume.txt");
    String other =
        changed(
            "VolumeChoosingPolicy",
            HARMLESS.replace("void vendors", "int vendors").replace("() {}", "() { return 1; }"));
    assertThat(prove(other)).isEqualTo(2);
    assertThat(out.toString())
        .contains(path("VolumeChoosingPolicy") + " has changed since the trial");
  }

  private static String path(String className) {
    return (FSDATASET + className).replace('.', '/') + ".class";
  }

  @Test
  void run_stockIsBroken_isNotAccepted() throws IOException {
    String broken = changed("RoundRobinVolumeChoosingPolicy", BROKEN);
    assertThat(prove(broken, "--run", "--dir", dir.toString(), "--out", dir.toString()))
        .as(out.toString())
        .isEqualTo(2);
    assertThat(out.toString())
        .contains("volume: failed: ", "steps passed")
        .containsPattern("volume: see .*volume.log");
    assertThat(dir.resolve("evenkeel-accepted-volume.txt")).doesNotExist();
  }

  @Test
  void run_stockDoesNotWorkThere_isNotBlamedOnTheModule() throws IOException {
    String name = "org/apache/hadoop/hdfs/server/namenode/FSImage.class";
    String bad = changed("VolumeChoosingPolicy", HARMLESS);
    Path folder = Path.of(bad.substring(0, bad.indexOf(File.pathSeparator)));
    Files.createDirectories(folder.resolve(name).getParent());
    Files.write(folder.resolve(name), new byte[] {1});
    assertThat(prove(bad, "--run", "--dir", dir.toString(), "--out", dir.toString()))
        .as(out.toString())
        .isEqualTo(2);
    assertThat(out.toString())
        .contains("volume: it could not be tried here")
        .contains("stock does not work here: ");
  }

  @Test
  void run_badDirectories_areNamedBeforeAnythingIsRun() throws IOException {
    String harmless = changed("VolumeChoosingPolicy", HARMLESS);
    assertThat(prove(harmless, "--run", "--out", dir + "/none")).isEqualTo(4);
    assertThat(out.toString()).contains(dir + "/none is not a directory");
    assertThat(prove(harmless, "--out", dir.toString())).isEqualTo(64);
    assertThat(prove(harmless, "--run", "--java", dir.toString())).isEqualTo(4);
    assertThat(out.toString()).contains("has no bin/java");
    assertThat(prove(harmless, "--run", "--dir", dir + "/none")).isEqualTo(4);
    assertThat(out.toString()).contains(dir + "/none is not a directory");
  }
}
