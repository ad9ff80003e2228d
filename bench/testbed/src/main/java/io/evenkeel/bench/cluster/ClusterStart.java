package io.evenkeel.bench.cluster;

import io.evenkeel.bench.runtime.HadoopRuntime;
import io.evenkeel.bench.runtime.Layout;
import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

/**
 * One start of a cluster, from an empty directory to all DataNodes live. Used once, by one thread;
 * {@link #abort} may come from another (a shutdown hook) at any time. Apart from {@link Cluster},
 * which remembers nothing, because a start has to know what it has begun.
 */
final class ClusterStart {
  private static final int LOG_LINES = 5;

  private final Path dir;
  private final ClusterSpec spec;
  private final Consumer<String> progress;
  private final Processes processes;
  private final Daemons daemons;
  private final long began = System.nanoTime();
  private ClusterState state;

  ClusterStart(Path dir, ClusterSpec spec, Consumer<String> progress) {
    this.dir = dir;
    this.spec = spec;
    this.progress = progress;
    processes = new Processes(dir);
    daemons = new Daemons(dir);
  }

  /** Starts everything; whoever catches what it throws calls {@link #abort}. */
  void run() {
    try {
      startAll();
    } catch (CommandException e) {
      // A process that a Ctrl-C killed is no failure of its own.
      throw daemons.closed() ? new CommandException(ExitCode.INTERRUPTED, "interrupted", e) : e;
    } catch (IOException e) {
      throw new CommandException(
          ExitCode.COULD_NOT_RUN, "cannot write " + dir + ": " + e.getMessage(), e);
    }
  }

  /** Ends what was started and starts nothing more. */
  void abort() {
    daemons.close();
    processes.kill(processes.all());
  }

  private void startAll() throws IOException {
    Software software = Software.of(HadoopRuntime.resolve(spec.hadoop(), progress), spec);
    List<Layout.Vm> vms = spec.layout().vms();
    Plan plan =
        new Plan(
            dir,
            spec,
            Addresses.ownAddresses(vms),
            new Addresses(spec.firstPort())::port,
            software);
    write(plan, software);
    List<String> jars = software.plugins().stream().map(p -> p.getFileName().toString()).toList();
    state = new ClusterState(spec.hadoop(), jars, plan.rpc(), plan.http(), false, plan.members());
    state.write(dir);
    say("Starting Hadoop " + spec.hadoop() + ": " + describe(software));
    format();
    for (Member member : plan.members()) {
      state = state.with(daemons.start(member));
      state.write(dir);
    }
    awaitDataNodes(vms.size());
    if (spec.yarn()) {
      String rm = plan.conf("rm").get("yarn.resourcemanager.webapp.address");
      awaitCount("NodeManagers active", vms.size(), () -> NameNodeView.activeNodeManagers(rm));
    }
    state = state.asStarted();
    state.write(dir);
  }

  private String describe(Software software) {
    Layout layout = spec.layout();
    String plugins =
        software.plugins().isEmpty()
            ? "plugins off"
            : software.plugins().size()
                + " plugin jars, "
                + (software.keys().isEmpty()
                    ? "no module in them to turn on"
                    : "keys set: " + String.join(", ", software.keys().keySet()));
    return layout.racks()
        + " racks, "
        + layout.hosts()
        + " hosts, "
        + layout.vms().size()
        + " DataNodes, "
        + plugins;
  }

  private void write(Plan plan, Software software) throws IOException {
    daemons.writeHarness();
    Files.writeString(dir.resolve("hosts"), plan.hosts(machineNames()));
    Daemons.writeSites(dir.resolve("conf"), plan.publicConf(), "WARN");
    daemons.writeTaskArguments(software);
    for (Member member : plan.members()) {
      daemons.prepare(plan, member.name(), software);
    }
    daemons.prepare(plan, Plan.CLIENT, software);
  }

  /** Hadoop asks for its own machine's name, so the hosts file must know it. */
  private static List<String> machineNames() {
    Set<String> names = new LinkedHashSet<>();
    try {
      InetAddress local = InetAddress.getLocalHost();
      names.addAll(List.of(local.getHostName(), local.getCanonicalHostName()));
    } catch (IOException e) {
      names.add(Map.copyOf(System.getenv()).getOrDefault("HOSTNAME", "localhost"));
    }
    names.remove("localhost");
    return List.copyOf(names);
  }

  private void format() throws IOException {
    Member nameNode = state.of(Member.Kind.NAMENODE).get(0);
    Process process = daemons.format(nameNode);
    try {
      if (!process.waitFor(left().toSeconds(), TimeUnit.SECONDS)) {
        throw timedOut("formatting the NameNode");
      }
    } catch (InterruptedException e) {
      throw new CommandException(ExitCode.INTERRUPTED, "interrupted", e);
    }
    if (process.exitValue() != 0) {
      throw died(nameNode);
    }
    say("NameNode formatted");
  }

  private void awaitDataNodes(int expected) {
    awaitCount(
        "DataNodes live",
        expected,
        () -> NameNodeView.liveDataNodes(state.http()).map(Map::size).orElse(-1));
  }

  private void awaitCount(String what, int expected, IntSupplier count) {
    int[] shown = {0};
    BooleanSupplier done =
        () -> {
          for (Member member : state.members()) {
            if (!processes.alive(member)) {
              throw died(member);
            }
          }
          int now = count.getAsInt();
          if (now > shown[0]) {
            shown[0] = now;
            say(now + " of " + expected + " " + what);
          }
          return now >= expected;
        };
    if (!Processes.await(left(), done)) {
      throw timedOut("waiting for " + what + " (" + shown[0] + " of " + expected + ")");
    }
  }

  private CommandException timedOut(String doing) {
    return new CommandException(
        ExitCode.COULD_NOT_RUN,
        "not ready after "
            + spec.timeout().toSeconds()
            + " s, "
            + doing
            + "; see "
            + dir.resolve("nodes")
            + "/*/*.log, or give more time with --timeout");
  }

  private CommandException died(Member member) {
    Path log = dir.resolve(member.log());
    List<String> lines = new ArrayList<>();
    try {
      lines.addAll(Files.readAllLines(log));
    } catch (IOException e) {
      lines.add("(no log: " + e.getMessage() + ")");
    }
    String cause = Logs.cause(lines);
    List<String> tail = Logs.tail(lines, LOG_LINES);
    return new CommandException(
        ExitCode.COULD_NOT_RUN,
        member.name()
            + " ended while starting: "
            + cause
            + " ("
            + log
            + ")\n  "
            + String.join("\n  ", tail));
  }

  private Duration left() {
    Duration left = spec.timeout().minusNanos(System.nanoTime() - began);
    return left.toSeconds() < 1 ? Duration.ofSeconds(1) : left;
  }

  private void say(String text) {
    double seconds = (System.nanoTime() - began) / 1e9;
    progress.accept(String.format(Locale.ROOT, "%6.1f s  %s", seconds, text));
  }
}
