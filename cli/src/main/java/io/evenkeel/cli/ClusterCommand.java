package io.evenkeel.cli;

import io.evenkeel.bench.cluster.Cluster;
import io.evenkeel.bench.cluster.ClusterRequest;
import io.evenkeel.bench.cluster.ClusterStatus;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.json.Json;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code evenkeel cluster}: HDFS of real processes on this machine. */
@Command(
    name = "cluster",
    description = "Run a test HDFS of real processes on this machine.",
    subcommands = {
      ClusterCommand.Start.class,
      ClusterCommand.Status.class,
      ClusterCommand.Kill.class,
      ClusterCommand.Revive.class,
      ClusterCommand.Exec.class,
      ClusterCommand.Stop.class
    })
final class ClusterCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return ExitCode.USAGE.code();
  }

  /** What all subcommands have. */
  private abstract static class OnCluster implements Callable<Integer> {
    @Spec CommandSpec spec;

    // Signatures here name no bench class: picocli reflects on them, and a Java 8 launcher for
    // other commands cannot load that jar.
    @Option(
        names = "--dir",
        defaultValue = "evenkeel-cluster",
        paramLabel = "DIR",
        description = "The cluster's directory (./evenkeel-cluster).")
    Path dir;

    void print(String line) {
      spec.commandLine().getOut().println(line);
    }
  }

  /** What subcommands have that are about one process or one host. */
  private abstract static class OnNamed extends OnCluster {
    @Parameters(paramLabel = "NAME", description = "dn3, nm3, nn, rm or host2.")
    String name;

    int tell(String verb, List<String> names, String nothing) {
      print(names.isEmpty() ? nothing : verb + " " + String.join(", ", names));
      return (names.isEmpty() ? ExitCode.NOTHING_TO_DO : ExitCode.OK).code();
    }
  }

  /** On or off. */
  enum Switch {
    ON,
    OFF
  }

  /** Starts a cluster. */
  @Command(
      name = "start",
      description = "Start a NameNode and DataNodes; returns when all are live.")
  @NeedsJava(17)
  static final class Start extends OnCluster {
    @Option(
        names = "--hosts",
        paramLabel = "N",
        defaultValue = "3",
        description = "Physical hosts, 1..250 (3).")
    private int hosts;

    @Option(
        names = "--vms-per-host",
        paramLabel = "N",
        defaultValue = "2",
        description = "DataNodes on each host (2); at most 250 in all.")
    private int vms;

    @Option(
        names = "--racks",
        paramLabel = "N",
        defaultValue = "1",
        description = "Racks, 1..hosts (1).")
    private int racks;

    @Option(
        names = "--hadoop",
        paramLabel = "VERSION",
        defaultValue = "3.4.3",
        description = "Hadoop release (3.4.3).")
    private String hadoop;

    @Option(
        names = "--plugins",
        defaultValue = "on",
        paramLabel = "on|off",
        description = "Give the daemons the plugin jars and keys (on).")
    private Switch plugins;

    @Option(
        names = "--conf",
        paramLabel = "KEY=VALUE",
        description = "Configuration for all processes; repeatable.")
    private List<String> conf = new ArrayList<>();

    @Option(names = "--yarn", description = "Also start a ResourceManager and NodeManagers.")
    private boolean yarn;

    @Option(
        names = "--replication",
        paramLabel = "N",
        description = "Replicas of a block (3, or the number of DataNodes).")
    private Integer replication;

    @Option(
        names = "--volumes",
        paramLabel = "TYPE",
        split = ",",
        description =
            "Storage types of each DataNode's volumes, separated by commas (DISK,SSD); a type may be"
                + " repeated.")
    private List<String> volumes = Arrays.asList("DISK", "SSD");

    @Option(
        names = "--timeout",
        defaultValue = "120",
        paramLabel = "SECONDS",
        description = "Seconds allowed for the start (120).")
    private long timeout;

    @Override
    public Integer call() {
      ClusterRequest wanted =
          new ClusterRequest()
              .layout(hosts, vms, racks)
              .hadoop(hadoop)
              .plugins(plugins == Switch.ON)
              .yarn(yarn)
              .replication(replication)
              .volumes(volumes)
              .conf(conf)
              .timeout(Duration.ofSeconds(timeout));
      PrintWriter err = spec.commandLine().getErr();
      Cluster cluster = Cluster.in(dir);
      cluster.start(
          wanted,
          line -> {
            err.println(line);
            err.flush();
          });
      ClusterStatus status = cluster.status();
      print("Ready: " + status.rpc() + "  " + status.http());
      return ExitCode.OK.code();
    }
  }

  /** Shows what runs. */
  @Command(
      name = "status",
      description = "Show each process; 2 when something is dead, 3 without a cluster.")
  @NeedsJava(17)
  static final class Status extends OnCluster {
    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Override
    public Integer call() {
      ClusterStatus status = Cluster.in(dir).status();
      print(json ? Json.pretty(status.json()) : status.text());
      return (status.healthy() ? ExitCode.OK : ExitCode.FINDING).code();
    }
  }

  /** Kills. */
  @Command(
      name = "kill",
      description = "kill -9 a process (dn3, nn) or all of a host (host2) at once.")
  @NeedsJava(17)
  static final class Kill extends OnNamed {
    @Override
    public Integer call() {
      List<String> killed = Cluster.in(dir).kill(name);
      return tell("Killed", killed, name + " is dead already");
    }
  }

  /** Starts again. */
  @Command(name = "revive", description = "Start again what was killed, with its data.")
  @NeedsJava(17)
  static final class Revive extends OnNamed {
    @Override
    public Integer call() {
      List<String> revived = Cluster.in(dir).revive(name);
      return tell("Revived", revived, name + " is alive already");
    }
  }

  /** Runs a client. */
  @Command(name = "exec", description = "Run a Hadoop client on the cluster: exec -- fs -ls /")
  @NeedsJava(17)
  static final class Exec extends OnCluster {
    @Option(
        names = "--on",
        paramLabel = "NAME",
        description = "Run as if on this VM, for example dn3.")
    private String on;

    @Parameters(
        paramLabel = PassingCommand.HANDED_ON,
        arity = "1..*",
        description = "After --: fs, dfsadmin, fsck, balancer, mover, jar, examples, or a class.")
    private List<String> arguments = new ArrayList<>();

    @Override
    public Integer call() {
      return Cluster.in(dir).exec(on, arguments);
    }
  }

  /** Ends everything. */
  @Command(name = "stop", description = "End all processes of the cluster and delete its data.")
  @NeedsJava(17)
  static final class Stop extends OnCluster {
    @Override
    public Integer call() {
      int ended = Cluster.in(dir).stop();
      print("Stopped " + ended + " processes.");
      return ExitCode.OK.code();
    }
  }
}
