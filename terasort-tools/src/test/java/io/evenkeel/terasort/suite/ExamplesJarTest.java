package io.evenkeel.terasort.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.common.cli.CommandException;
import java.io.File;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.examples.terasort.TeraSort;
import org.apache.hadoop.util.ClassUtil;
import org.apache.hadoop.util.Tool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExamplesJarTest {
  @TempDir private Path dir;

  private static File published() throws Exception {
    return new File(
        URI.create(TeraSort.class.getProtectionDomain().getCodeSource().getLocation().toString()));
  }

  @Test
  void given_jar_isTakenBeforeTheClassPath() throws Exception {
    Path copy = Files.copy(published().toPath(), dir.resolve("mine copy.jar"));
    ExamplesJar jar = ExamplesJar.find(copy.toFile(), name -> null);
    Tool tool = jar.tool("TeraSort");
    assertThat(tool.getClass()).isNotEqualTo(TeraSort.class);
    // this is how the job finds out what to ship to its tasks
    assertThat(ClassUtil.findContainingJar(tool.getClass())).isEqualTo(copy.toString());
    assertThat(jar.description()).isEqualTo(copy.toString());
  }

  @Test
  void notGiven_classPathHasThem_takesThose() {
    ExamplesJar jar = ExamplesJar.find(null, name -> null);
    assertThat(jar.tool("TeraSort")).isInstanceOf(TeraSort.class);
    assertThat(jar.description()).isEqualTo("class path");
  }

  @Test
  void installed_mapreduceFolder_isFoundWithoutSources() throws Exception {
    Path folder = Files.createDirectories(dir.resolve("share/hadoop/mapreduce"));
    Files.createFile(folder.resolve("hadoop-mapreduce-examples-1-sources.jar"));
    Files.createFile(folder.resolve("hadoop-mapreduce-examples-9.jar"));
    assertThat(ExamplesJar.installed(n -> n.equals("HADOOP_HOME") ? dir.toString() : null))
        .containsExactly(folder.resolve("hadoop-mapreduce-examples-9.jar").toFile());
    assertThat(ExamplesJar.installed(n -> "")).isEmpty();
  }

  @Test
  void given_wrongOrMissingJar_saysSo() throws Exception {
    Path empty = Files.createFile(dir.resolve("empty.jar"));
    assertThatThrownBy(() -> ExamplesJar.find(empty.toFile(), n -> null))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("holds no org.apache.hadoop.examples.terasort.TeraSort");
    assertThatThrownBy(() -> ExamplesJar.find(dir.resolve("x").toFile(), n -> null))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("no examples jar at");
    assertThatThrownBy(() -> ExamplesJar.find(null, n -> null).tool("TeraNone"))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("TeraNone");
  }
}
