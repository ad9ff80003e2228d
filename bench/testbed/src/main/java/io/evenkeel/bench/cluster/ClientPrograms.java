package io.evenkeel.bench.cluster;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The names of Hadoop's client commands and their classes. Pure; thread-safe. */
final class ClientPrograms {
  private static final String TOOLS = "org.apache.hadoop.hdfs.tools.";
  private static final Map<String, String> CLASSES =
      new TreeMap<>(
          Map.of(
              "fs", "org.apache.hadoop.fs.FsShell",
              "dfs", "org.apache.hadoop.fs.FsShell",
              "dfsadmin", TOOLS + "DFSAdmin",
              "fsck", TOOLS + "DFSck",
              "storagepolicies", TOOLS + "StoragePolicyAdmin",
              "ec", TOOLS + "ECAdmin",
              "balancer", "org.apache.hadoop.hdfs.server.balancer.Balancer",
              "mover", "org.apache.hadoop.hdfs.server.mover.Mover",
              "jar", "org.apache.hadoop.util.RunJar",
              "examples", "org.apache.hadoop.examples.ExampleDriver"));

  private ClientPrograms() {}

  /** Replaces the command's name by its class; a class name stays. */
  static List<String> resolve(List<String> arguments) {
    List<String> program = new ArrayList<>(arguments);
    if (!program.isEmpty()) {
      String name = program.get(0);
      program.set(0, CLASSES.getOrDefault(name, name));
    }
    if (program.isEmpty() || !program.get(0).contains(".")) {
      throw new CommandException(
          ExitCode.USAGE,
          "say what to run: one of "
              + String.join(", ", CLASSES.keySet())
              + ", or a class name; for example: cluster exec -- fs -ls /");
    }
    return program;
  }
}
