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
    state = new ClusterState(spec.hadoop(), jars, plan.rpc(), plan.webs(), false, plan.members());
    state.write(dir);
    say("Starting Hadoop " + spec.hadoop() + ": " + describe(software));
    List<Member> rest = new ArrayList<>(plan.members());
    rest.removeAll(startNameNodes());
    for (Member member : rest) {
      start(member);
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

  private void start(Member member) throws IOException {
    state = state.with(daemons.start(member));
    state.write(dir);
  }

  /** Returns what it has started, as planned. */
  private List<Member> startNameNodes() throws IOException {
    List<Member> nameNodes = state.of(Member.Kind.NAMENODE);
    List<Member> journals = state.of(Member.Kind.JOURNALNODE);
    for (Member journal : journals) { // formatting needs them
      start(journal);
    }
    awaitAnswers(journals);
    Member first = nameNodes.get(0);
    await(first, daemons.format(first), "formatting the NameNode");
    say("NameNode formatted");
    start(first);
    List<Member> started = new ArrayList<>(journals);
    started.addAll(nameNodes);
    if (nameNodes.size() > 1) {
      startStandby(first, nameNodes.get(1));
    }
    return started;
  }

  private void startStandby(Member first, Member second) throws IOException {
    awaitAnswers(List.of(first)); // it is asked for its image
    await(second, daemons.bootstrapStandby(second), "copying the image to " + second.name());
    start(second);
    awaitAnswers(List.of(second)); // it is asked whether it is active
    await(first, daemons.activate(first), "making " + first.name() + " active");
    say(first.name() + " is active, " + second.name() + " is standby");
  }

  private void awaitAnswers(List<Member> members) {
    for (Member member : members) {
      BooleanSupplier answers =
          () -> {
            requireAlive();
            return Addresses.answers(member.address(), member.port());
          };
      if (!Processes.await(left(), answers)) {
        throw timedOut("waiting for " + member.name());
      }
    }
  }

  private void await(Member member, Process process, String what) {
    try {
      if (!process.waitFor(left().toSeconds(), TimeUnit.SECONDS)) {
        throw timedOut(what);
      }
    } catch (InterruptedException e) {
      throw new CommandException(ExitCode.INTERRUPTED, "interrupted", e);
    }
    if (process.exitValue() != 0) {
      throw died(member);
    }
  }

  private void awaitDataNodes(int expected) {
    awaitCount(
        "DataNodes live",
        expected,
        () ->
            state.webs().stream()
                .mapToInt(web -> NameNodeView.liveDataNodes(web).map(Map::size).orElse(-1))
                .min()
                .orElse(-1));
  }

  private void awaitCount(String what, int expected, IntSupplier count) {
    int[] shown = {0};
    BooleanSupplier done =
        () -> {
          requireAlive();
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

  private void requireAlive() {
    for (Member member : state.members()) {
      if (member.pid() > 0 && !processes.alive(member)) {
        throw died(member);
      }
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
