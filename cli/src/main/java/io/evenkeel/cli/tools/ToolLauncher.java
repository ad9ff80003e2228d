package io.evenkeel.cli.tools;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Runs a tool in this JVM where what it needs of Hadoop is on the class path, as under {@code
 * mapred evenkeel}, else with the installed {@code hadoop jar}. Arguments arrive as they were
 * given. Immutable.
 */
public final class ToolLauncher {
  private final InstalledHadoop hadoop;

  /** Creates a launcher. */
  public ToolLauncher(InstalledHadoop hadoop) {
    this.hadoop = hadoop;
  }

  /** The launcher of this process. */
  public static ToolLauncher ofThisProcess() {
    return new ToolLauncher(InstalledHadoop.ofThisProcess());
  }

  /**
   * Runs a tool to its end.
   *
   * @return its exit code
   * @throws CommandException when there is no Hadoop to run it with
   */
  public int run(PluginTool tool, List<String> arguments) throws IOException, InterruptedException {
    return hadoop.isOnClassPath(tool.jar())
        ? here(tool, arguments)
        : ChildProcess.run(new ProcessBuilder(command(tool, arguments)).inheritIO(), () -> {});
  }

  private int here(PluginTool tool, List<String> arguments) throws InterruptedException {
    try {
      return (Integer)
          Class.forName(tool.className(), true, hadoop.loader())
              .getMethod("call", String[].class)
              .invoke(null, (Object) arguments.toArray(new String[0]));
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof InterruptedException) {
        throw (InterruptedException) e.getCause();
      }
      throw cannot(tool, e.getCause());
    } catch (ReflectiveOperationException | LinkageError e) {
      throw cannot(tool, e);
    }
  }

  private static CommandException cannot(PluginTool tool, Throwable e) {
    return new CommandException(
        ExitCode.COULD_NOT_RUN, tool.className() + " cannot be run: " + e, e);
  }

  /** The command line of a child process. */
  List<String> command(PluginTool tool, List<String> arguments) {
    File script = hadoop.script().orElseThrow(() -> noHadoop(tool));
    List<String> command = new ArrayList<>();
    command.addAll(
        Arrays.asList(script.getPath(), "jar", jar(tool.jar()).getPath(), tool.className()));
    command.addAll(arguments);
    return command;
  }

  private CommandException noHadoop(PluginTool tool) {
    return new CommandException(
        ExitCode.COULD_NOT_RUN,
        "this needs Hadoop's jars, which HADOOP_CONF_DIR does not name"
            + hadoop
                .home()
                .map(home -> " and there is no " + new File(home, "bin/hadoop"))
                .orElse("")
            + "; set HADOOP_HOME, or run '"
            + tool.jar().script()
            + " evenkeel "
            + tool.name().toLowerCase(Locale.ROOT)
            + " ...'");
  }

  private File jar(PluginJar jar) {
    return hadoop
        .find(jar)
        .orElseThrow(
            () ->
                new CommandException(
                    ExitCode.COULD_NOT_RUN,
                    "there is not exactly one " + jar.artifact() + " jar in " + hadoop.lib()));
  }
}
