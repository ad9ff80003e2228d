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
import java.util.concurrent.TimeUnit;

/**
 * Runs a tool in this JVM where what it needs of Hadoop is on the class path, as under {@code
 * mapred evenkeel}, else with the installed {@code hadoop jar}. Arguments arrive as they were
 * given. Immutable.
 */
public final class ToolLauncher {
  private static final int SECONDS_TO_END = 30;

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
        : child(command(tool, arguments));
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
        "this needs Hadoop"
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

  private static int child(List<String> command) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
    Process process = builder.start();
    // Ctrl-C reaches the child by itself; a signal to this process alone does not.
    Thread ender = new Thread(() -> end(process), "end-child");
    Runtime.getRuntime().addShutdownHook(ender);
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      end(process);
      throw e;
    } finally {
      remove(ender);
    }
  }

  private static void end(Process process) {
    process.destroy();
    try {
      // it kills its job first
      if (!process.waitFor(SECONDS_TO_END, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void remove(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      Thread.currentThread().interrupt(); // the JVM ends already, the hook with it
    }
  }
}
