package io.evenkeel.bench.mover;

import io.evenkeel.bench.runtime.Jvm;
import io.evenkeel.bench.runtime.Trees;
import io.evenkeel.mover.MoverTool;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/**
 * Our mover as its command runs it: a process of its own. Two movers of one JVM see to it that they
 * do not move the same file, two processes do not know of each other. Stateless.
 */
final class OurProcess {
  private OurProcess() {}

  /**
   * Moves and returns the exit code.
   *
   * @throws InterruptedException when interrupted; the process is ended first
   */
  static int run(Configuration conf, String path) throws IOException, InterruptedException {
    Path dir = Files.createTempDirectory("mover-conf");
    try {
      try (OutputStream out = Files.newOutputStream(dir.resolve("core-site.xml"))) {
        conf.writeXml(out);
      }
      Process process =
          new ProcessBuilder(command(dir, path))
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      try {
        return process.waitFor();
      } finally {
        process.destroyForcibly();
      }
    } finally {
      Trees.delete(dir);
    }
  }

  private static List<String> command(Path dir, String path) {
    List<String> command = new ArrayList<>(List.of(Jvm.java(), "-Xmx256m"));
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith("--add-opens"))
        .forEach(command::add);
    String classes = System.getProperty("java.class.path");
    command.addAll(List.of("-cp", dir + File.pathSeparator + classes));
    command.addAll(List.of(MoverTool.class.getName(), path));
    return command;
  }
}
