package io.evenkeel.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The whole demo as a process: its reports, and that nothing is left however it ends. */
@Tag("slow")
class DemoIT {
  private static final String HADOOP = System.getProperty("evenkeel.hadoop.version");

  @TempDir Path dir;

  /** What the launcher's command does, without the launcher. */
  static final class Runner {
    private Runner() {}

    public static void main(String[] args) throws Exception {
      DemoOptions options =
          new DemoOptions(1 << 20, args[0], Path.of(args[1]), null, false, false, false);
      System.exit(new DemoLauncher(options).run(List.of("demo", "--size", "1m")));
    }
  }

  private Process start(Path out) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Devenkeel.root=" + System.getProperty("evenkeel.root"),
            "-cp",
            System.getProperty("java.class.path"),
            Runner.class.getName(),
            HADOOP,
            out.toString())
        .redirectErrorStream(true)
        .start();
  }

  private static Stream<String> processesNaming(Path out) {
    return ProcessHandle.allProcesses()
        .map(process -> process.info().commandLine().orElse(""))
        .filter(line -> line.contains(out.toString()));
  }

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void demo_twiceIntoOneDirectory_writesReportsAndLeavesNothingElse() throws Exception {
    Path out = dir.resolve("report");
    for (int run = 1; run <= 2; run++) {
      Process demo = start(out);
      String text = new String(demo.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(demo.waitFor()).as(text).isZero();
      try (Stream<Path> files = Files.list(out)) {
        assertThat(files.map(f -> f.getFileName().toString()))
            .containsExactlyInAnyOrder("report.html", "report.json", "demo.log");
      }
      assertThat(processesNaming(out)).isEmpty();
    }
    assertReport(Json.parse(Files.readString(out.resolve("report.json"))));
  }

  @SuppressWarnings("unchecked")
  private static void assertReport(Object parsed) {
    Map<String, Object> report = (Map<String, Object>) parsed;
    assertThat(report).containsEntry("schema", 2L).containsEntry("hadoop", HADOOP);
    assertThat((List<Map<String, Object>>) report.get("sections"))
        .extracting(section -> section.get("id") + " " + section.get("status"))
        .containsExactly(
            "placement done",
            "hosts done",
            "locking done",
            "volume done",
            "mover done",
            "terasort done");
  }

  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void demo_interrupted_ends130AndLeavesNoProcessAndNoWorkFile() throws Exception {
    Path out = dir.resolve("report");
    Process demo = start(out);
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(demo.getInputStream(), StandardCharsets.UTF_8))) {
      String line = lines.readLine();
      while (line != null && !line.contains("warm-up: TeraGen")) {
        line = lines.readLine();
      }
      assertThat(line).as("the warm-up began").isNotNull();
      new ProcessBuilder("kill", "-INT", String.valueOf(demo.pid())).start().waitFor();
      assertThat(demo.waitFor()).isEqualTo(130);
    }
    assertThat(out.resolve("work")).doesNotExist();
    assertThat(processesNaming(out)).isEmpty();
  }
}
