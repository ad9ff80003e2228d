package io.evenkeel.bench.tera;

import io.evenkeel.bench.experiment.Arms;
import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.RunSettings;
import io.evenkeel.bench.runtime.Jvm;
import io.evenkeel.bench.runtime.Programs;
import io.evenkeel.bench.runtime.Trees;
import io.evenkeel.bench.tera.RemoteRun.Arm;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Bytes that cross the network where YARN decides on which hosts the tasks run. */
public final class RemoteExperiment implements Experiment {
  private static final List<String> ALL =
      List.of(String.valueOf(128L << 20), "5", String.valueOf(2L << 30), "2");
  private static final List<String> QUICK = List.of(String.valueOf(128L << 20), "1");

  @Override
  public String name() {
    return "terasort.remote";
  }

  @Override
  public String description() {
    return "bytes from other hosts when YARN validates TeraSort's output, 12 VMs on 6 hosts";
  }

  @Override
  public List<Comparison> run(RunSettings settings) throws Exception {
    if (!RemoteRuns.plan().ownAddresses()) {
      settings.say("terasort.remote: no loopback address per host here");
      return List.of();
    }
    Path dir = Files.createTempDirectory("remote");
    try {
      return rows(runs(dir, settings.quick() ? QUICK : ALL));
    } finally {
      Trees.deleteOfEnded(dir);
    }
  }

  private static List<RemoteRun> runs(Path dir, List<String> sizesAndRounds) throws Exception {
    Path hosts = dir.resolve("hosts");
    RemoteRuns.plan().writeHostsFile(hosts);
    List<String> command = new ArrayList<>();
    command.add(Jvm.java());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(List.of("-Xmx2g", "-XX:+UseSerialGC", "-Djdk.net.hosts.file=" + hosts));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(RemoteRuns.class.getName(), dir.toString(), hosts.toString()));
    command.addAll(sizesAndRounds);
    return Programs.answer(command, "").lines().map(RemoteRun::parse).toList();
  }

  /** What the runs of each size say. */
  static List<Comparison> rows(List<RemoteRun> runs) {
    List<Comparison> rows = new ArrayList<>();
    for (long size : runs.stream().mapToLong(RemoteRun::size).distinct().toArray()) {
      List<RemoteRun> same = runs.stream().filter(run -> run.size() == size).toList();
      Map<String, List<RemoteRun>> stock = new LinkedHashMap<>();
      for (Arm arm : List.of(Arm.TERA_SCHEDULER, Arm.NO_TERA_SCHEDULER)) {
        stock.put(arm.words(), of(arm, same));
      }
      Arms<RemoteRun> arms = new Arms<>(stock, of(Arm.EVENKEEL, same));
      String label = (size >> 20) + " MiB: ";
      String remote = label + "read from another host, all rounds";
      double ours = RemoteRun.percent(arms.evenkeel());
      stock.forEach(
          (name, theirs) ->
              rows.add(
                  Comparison.once(remote, "%", RemoteRun.percent(theirs), ours).against(name)));
      rows.addAll(
          arms.mean(
              label + "read from another host, a round",
              "%",
              run -> RemoteRun.percent(List.of(run))));
      rows.addAll(arms.mean(label + "map tasks", "", RemoteRun::maps));
      rows.addAll(arms.mean(label + "map tasks on a VM they name", "", RemoteRun::beside));
      rows.addAll(arms.mean(label + "elapsed", "s", RemoteRun::seconds));
    }
    return rows;
  }

  private static List<RemoteRun> of(Arm arm, List<RemoteRun> runs) {
    return runs.stream().filter(run -> run.arm() == arm).toList();
  }
}
