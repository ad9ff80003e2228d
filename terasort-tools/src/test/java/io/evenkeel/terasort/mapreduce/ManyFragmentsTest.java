package io.evenkeel.terasort.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** 30 TB in blocks of 256 MB: the plan, the shuffle and the reducer in a heap of 256 MB. */
@Tag("slow")
class ManyFragmentsTest {
  @TempDir private Path dir;

  @Test
  void validate_112000Fragments_inASmallHeap() throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx256m");
    for (String name : List.of("java.lang", "java.util", "java.io", "java.net", "java.nio")) {
      command.add("--add-opens=java.base/" + name + "=ALL-UNNAMED");
    }
    String logging = System.getProperty("log4j.configuration");
    if (logging != null) {
      command.add("-Dlog4j.configuration=" + logging);
    }
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(ManyFragments.class.getName());
    command.add(dir.toString());
    File output = dir.resolve("output").toFile();
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output).start();
    boolean ended = process.waitFor(10, TimeUnit.MINUTES);
    process.destroyForcibly();
    String said = Files.readString(output.toPath());
    assertThat(ended && process.exitValue() == 0).as(said).isTrue();
    assertThat(said).contains("112,000 fragments: ");
    System.out.print(said);
  }
}
