package io.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.common.json.Json;
import io.evenkeel.common.testing.Compiled;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ProveCommandTest {
  private static final String HERE = System.getProperty("java.class.path");

  @TempDir private Path dir;
  private final Map<String, String> environment = new HashMap<>();
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int prove(String... options) {
    CommandLine line =
        Evenkeel.commandLine(new ProveCommand(environment::get))
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err));
    List<String> args = new ArrayList<>(List.of("prove"));
    args.addAll(List.of(options));
    return Evenkeel.run(line, args.toArray(new String[0]));
  }

  /** A class path on which volume policies have one method more. */
  private String changed() throws IOException {
    String type = "org.apache.hadoop.hdfs.server.datanode.fsdataset.VolumeChoosingPolicy";
    String source =
        "package org.apache.hadoop.hdfs.server.datanode.fsdataset;"
            + " public interface VolumeChoosingPolicy<V extends FsVolumeSpi> {"
            + " V chooseVolume(java.util.List<V> volumes, long size, String id)"
            + " throws java.io.IOException; default void vendors() {} }";
    List<String> jars = new ArrayList<>(List.of(HERE.split(File.pathSeparator)));
    String hdfs =
        jars.stream()
            .filter(jar -> jar.matches(".*hadoop-hdfs-[0-9.]+jar"))
            .findFirst()
            .orElseThrow();
    return Compiled.into(dir.resolve("changed"), Path.of(hdfs), Map.of(type, source))
        + File.pathSeparator
        + HERE;
  }

  @Test
  void prove_hadoopOfThisRun_allModulesFit() {
    assertThat(prove("--classpath", HERE)).as(out + "" + err).isZero();
    assertThat(out.toString())
        .contains("Hadoop " + VersionInfo.getVersion())
        .containsPattern("placement +active +\\d+ references, \\d+ overridable methods")
        .containsPattern("terasort +active");
  }

  @Test
  void prove_changedHadoop_namesTheModuleAndTheMethod() throws IOException {
    assertThat(prove("--classpath", changed())).isEqualTo(2);
    assertThat(out.toString())
        .containsPattern("placement +active")
        .containsPattern("volume +stock decides, with a WARN")
        .containsPattern("volume: method .*VolumeChoosingPolicy.vendors\\(\\) is not known");
  }

  @Test
  void prove_oneModule_countsAlone() throws IOException {
    assertThat(prove("--classpath", changed(), "--module", "mover", "--json")).isZero();
    Map<?, ?> document = (Map<?, ?>) Json.parse(out.toString());
    assertThat(document.get("schema")).isEqualTo("evenkeel.prove/1");
    assertThat((List<?>) document.get("modules"))
        .singleElement()
        .asString()
        .contains("module=mover", "fits=true", "problems=[]");
  }

  @Test
  void prove_muchIsDifferent_showsTheFirstAndCountsTheRest() throws IOException {
    Path jar = dir.resolve("hadoop-common-9.9.9.jar");
    try (JarOutputStream empty = new JarOutputStream(Files.newOutputStream(jar))) {
      empty.finish();
    }
    String ours =
        Stream.of(HERE.split(File.pathSeparator))
            .filter(entry -> !entry.contains("/org/apache/hadoop/"))
            .collect(Collectors.joining(File.pathSeparator));
    assertThat(prove("--classpath", jar + File.pathSeparator + ours, "--module", "volume"))
        .isEqualTo(2);
    assertThat(out.toString().lines().filter(line -> line.startsWith("volume: "))).hasSize(12);
    assertThat(out.toString())
        .containsPattern("\\nvolume: and \\d+ more; --json shows all\\nvolume: it cannot work");
  }

  @Test
  void prove_nameOfAJar_isThatOfItsModule() {
    assertThat(prove("--classpath", HERE, "--module", "datanode-locking", "--json")).isZero();
    assertThat(out.toString()).contains("\"locking\"").doesNotContain("placement");
    assertThat(prove("--classpath", HERE, "--module", "locks")).isEqualTo(64);
    assertThat(err.toString()).contains("expected one of placement, volume, locking, mover");
  }

  @Test
  void prove_releaseOnJava8_saysWhatNeedsALaterOne() {
    CommandLine line = Evenkeel.commandLine(new ProveCommand(environment::get));
    CommandLine.ParseResult parsed = line.parseArgs("prove", "--hadoop", "3.4.2");
    assertThatThrownBy(() -> Evenkeel.checkJava(parsed, 8))
        .hasMessageContaining("'evenkeel prove --hadoop' needs Java 17 or later, this is 8");
    Evenkeel.checkJava(line.parseArgs("prove", "--run", "/opt/hadoop"), 8);
  }

  @Test
  void prove_optionsOfRunAlone_areAUsageError() {
    for (String option : List.of("--java", "--dir", "--out")) {
      assertThat(prove("--classpath", HERE, option, dir.toString())).isEqualTo(64);
    }
    assertThat(err.toString()).contains("--java, --dir and --out go with --run");
  }

  @Test
  void prove_nothingNamed_isAUsageError() {
    assertThat(prove()).isEqualTo(64);
    assertThat(err.toString()).contains("name a Hadoop");
    assertThat(prove("--classpath", HERE, "--hadoop", "3.4.2")).isEqualTo(64);
  }

  @Test
  void prove_noHadoopThere_saysSo() throws IOException {
    assertThat(prove("--classpath", dir.toString())).isEqualTo(1);
    assertThat(err.toString()).contains("no Hadoop on this class path");
    environment.put("HADOOP_HOME", dir.resolve("nowhere").toString());
    assertThat(prove()).isEqualTo(4);
    environment.put("HADOOP_HOME", Files.createDirectory(dir.resolve("empty")).toString());
    assertThat(prove()).isEqualTo(4);
  }
}
