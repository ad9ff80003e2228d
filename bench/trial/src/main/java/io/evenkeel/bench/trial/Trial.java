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
 * {@code not tried}; the module; what the step is about; and why it failed, if it did. Exit code 0
 * when all passed, 2 when one failed. A module's {@code allow-untested} is left to the
 * configuration files of the class path.
 */
public final class Trial {
  private static final int FAILED = 2;

  private final PrintStream out;
  private boolean failed;

  private Trial(PrintStream out) {
    this.out = out;
  }

  /** See the class. */
  public static void main(String[] args) {
    PrintStream out = System.out;
    System.setOut(System.err); // what Hadoop prints
    Trial trial = new Trial(out);
    for (String module : Arrays.asList(args).subList(1, args.length)) {
      trial.run(module, Paths.get(args[0]).resolve(module));
    }
    out.flush();
    Runtime.getRuntime().halt(trial.failed ? FAILED : 0); // threads of Hadoop's may go on
  }

  private void run(String module, Path dir) {
    try {
      Scenario scenario = scenario(module, dir);
      boolean going = true;
      for (Map.Entry<String, Scenario.Step> step : scenario.steps().entrySet()) {
        if (going) {
          going = passes(module, step.getKey(), step.getValue());
        } else {
          say("not tried", module, step.getKey(), "");
        }
      }
      passes(module, "everything stops", scenario.end());
    } catch (IOException | LinkageError e) { // of what the module cannot do without
      failed(module, "it can be tried", e);
    }
  }

  private boolean passes(String module, String name, Scenario.Step step) {
    try {
      step.run();
      say("ok", module, name, "");
      return true;
    } catch (Exception | AssertionError | LinkageError e) {
      failed(module, name, e);
      return false;
    }
  }

  private void failed(String module, String name, Throwable e) {
    failed = true;
    e.printStackTrace();
    say("failed", module, name, e instanceof AssertionError ? e.getMessage() : e.toString());
  }

  private void say(String result, String module, String step, String why) {
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
