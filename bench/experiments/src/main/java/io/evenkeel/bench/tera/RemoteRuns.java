package io.evenkeel.bench.tera;

import io.evenkeel.bench.embedded.HostPlan;
import io.evenkeel.bench.runtime.Layout;
import io.evenkeel.bench.tera.RemoteRun.Arm;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;

/**
 * The validations of {@link RemoteExperiment}. Apart from it because they need a JVM of their own:
 * names of hosts come from a property that decides for the life of a JVM, and YARN ends with it.
 * Stateless.
 */
public final class RemoteRuns {
  private RemoteRuns() {}

  /** The machines of the demo. */
  static HostPlan plan() {
    return HostPlan.of(new Layout(6, 2, 2));
  }

  /**
   * Writes a line for each validation to standard output, progress to standard error.
   *
   * @param args directory for all files, file of the hosts' names, then by turns bytes and rounds
   */
  public static void main(String[] args) {
    PrintStream out = System.out;
    System.setOut(System.err); // stock's TeraSort prints there
    int code = 1;
    try {
      RemoteCluster cluster = new RemoteCluster(plan(), Path.of(args[0]), Path.of(args[1]));
      for (int i = 2; i < args.length; i += 2) {
        run(cluster, Long.parseLong(args[i]), Integer.parseInt(args[i + 1]), out);
      }
      code = 0;
    } catch (Exception | LinkageError e) {
      out.println("terasort.remote: " + e);
    }
    out.flush();
    System.exit(code); // daemons would go on
  }

  /** Each round sorts anew and begins with another arm. */
  private static void run(RemoteCluster cluster, long bytes, int rounds, PrintStream out)
      throws Exception {
    List<Arm> arms = List.of(Arm.values());
    for (int round = 0; round < rounds; round++) {
      String what = (bytes >> 20) + " MiB, round " + (round + 1) + " of " + rounds;
      say(what + ": TeraGen and TeraSort");
      String input = cluster.sorted(bytes);
      for (int i = 0; i < arms.size(); i++) {
        RemoteRun run = cluster.validate(arms.get((round + i) % arms.size()), input, bytes);
        say(what + ": " + run.progress());
        out.println(run.line());
      }
    }
  }

  private static void say(String what) {
    System.err.println("evenkeel: terasort.remote: " + what);
  }
}
