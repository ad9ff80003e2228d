package io.evenkeel.bench.trial;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.Map;

/**
 * Tries modules on the Hadoop of this JVM's class path, each in a directory of its own. Apart from
 * what starts it, because it runs in a JVM of its own.
 *
 * <pre>java -cp TRIAL:PLUGINS:HADOOP io.evenkeel.bench.trial.Trial DIR MODULE...</pre>
 *
 * <p>For each step it prints a line of four parts, separated by tabs: {@code ok}, {@code failed} or
 * {@code not tried}; the module; what the step is about; and why, if it is not ok. Before the first
 * step a plain HDFS writes and reads: where that cannot be done nothing is tried, and why is told
 * of the first step. It ends when its standard input does. Exit code 0 when all passed, 2 when one
 * did not. A module's {@code allow-untested} is left to the configuration files of the class path.
 */
public final class Trial {
  private static final int BAD = 2;

  private final PrintStream out;
  private boolean bad;

  private Trial(PrintStream out) {
    this.out = out;
  }

  /** See the class. */
  public static void main(String[] args) {
    PrintStream out = System.out;
    System.setOut(System.err); // what Hadoop prints
    endWithInput();
    Trial trial = new Trial(out);
    for (String module : Arrays.asList(args).subList(1, args.length)) {
      trial.run(module, Paths.get(args[0]).resolve(module));
    }
    out.flush();
    Runtime.getRuntime().halt(trial.bad ? BAD : 0); // threads of Hadoop's may go on
  }

  /** Whoever started this and was killed does not end it, nor wait for it. */
  private static void endWithInput() {
    Thread thread =
        new Thread(
            () -> {
              try {
                while (System.in.read() >= 0) {
                  // nothing is said to it
                }
              } catch (IOException e) {
                e.printStackTrace();
              }
              System.err.println("standard input has ended, and the trial with it");
              Runtime.getRuntime().halt(BAD);
            },
            "end-with-input");
    thread.setDaemon(true);
    thread.start();
  }

  private void run(String module, Path dir) {
    Scenario scenario;
    try {
      scenario = scenario(module, dir);
    } catch (IOException | LinkageError e) { // such as no examples of MapReduce
      say("not tried", module, "everything it needs is on the class path", why(e));
      return;
    }
    String why = stockFails(dir.resolveSibling(module + "-stock"));
    boolean going = why.isEmpty();
    for (Map.Entry<String, Scenario.Step> step : scenario.steps().entrySet()) {
      if (going) {
        going = passes(module, step.getKey(), step.getValue());
      } else {
        say("not tried", module, step.getKey(), why);
        why = "";
      }
    }
    if (going) { // else a lock that is not let go may keep it from ending; the JVM is halted
      passes(module, "everything stops", scenario.end());
    }
  }

  /** Why HDFS does not work here without anything of ours; empty when it does. */
  private static String stockFails(Path dir) {
    try (Hdfs hdfs = new Hdfs(dir, 1, i -> "/r0", "DISK")) {
      hdfs.create();
      hdfs.write("/stock", Hdfs.BLOCK, 1);
      hdfs.readAll();
      return "";
    } catch (Exception | AssertionError | LinkageError e) {
      e.printStackTrace();
      return "stock does not work here: " + why(e);
    }
  }

  private static String why(Throwable e) {
    String text = e instanceof AssertionError ? String.valueOf(e.getMessage()) : e.toString();
    return text.split("\n", 2)[0]; // what follows is a stack of the server
  }

  private boolean passes(String module, String name, Scenario.Step step) {
    try {
      step.run();
      say("ok", module, name, "");
      return true;
    } catch (Exception | AssertionError | LinkageError e) {
      e.printStackTrace();
      say("failed", module, name, why(e));
      return false;
    }
  }

  private void say(String result, String module, String step, String why) {
    bad |= !result.equals("ok");
    out.println(
        String.join(
            "\t", result, module, step, String.valueOf(why).replaceAll("\\s+", " ").trim()));
    out.flush();
  }

  private static Scenario scenario(String module, Path dir) throws IOException {
    switch (module) {
      case "placement":
        return PlacementScenario.in(dir);
      case "volume":
        return VolumeScenario.in(dir);
      case "locking":
        return LockingScenario.in(dir);
      case "mover":
        return MoverScenario.in(dir);
      case "terasort":
        return TeraSortScenario.in(dir);
      default:
        throw new IllegalArgumentException("no module " + module);
    }
  }
}
