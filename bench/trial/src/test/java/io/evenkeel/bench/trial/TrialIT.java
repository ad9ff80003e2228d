package io.evenkeel.bench.trial;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.cli.HadoopJvm;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an administrator's Hadoop is tried with, on the Hadoop of this run. */
class TrialIT {
  @TempDir private Path dir;

  private List<String> trial(int code, String... modules) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(HadoopJvm.opening());
    command.addAll(List.of("-Xmx768m", "-Djava.net.preferIPv4Stack=true", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.addAll(List.of(Trial.class.getName(), dir.resolve("data").toString()));
    command.addAll(List.of(modules));
    File said = dir.resolve("said").toFile();
    File log = dir.resolve("log").toFile();
    Process process = new ProcessBuilder(command).redirectOutput(said).redirectError(log).start();
    try {
      assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    List<String> lines = Files.readAllLines(said.toPath());
    assertThat(process.exitValue()).as(lines + "").isEqualTo(code);
    return lines;
  }

  @Test
  void main_moverAndTeraSort_everyStepPasses() throws Exception {
    assertThat(trial(0, "mover", "terasort"))
        .hasSizeGreaterThan(7)
        .allMatch(line -> line.matches("ok\t(mover|terasort)\t[^\t]+\t"));
  }

  @Test
  void main_directoryOfAFile_nothingIsTriedAndWhyIsSaid() throws Exception {
    Files.createFile(dir.resolve("data"));
    assertThat(trial(2, "volume"))
        .singleElement()
        .asString()
        .startsWith("not tried\tvolume\t")
        .contains("data");
  }
}
