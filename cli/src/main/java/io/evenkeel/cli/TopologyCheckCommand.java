package io.evenkeel.cli;

import io.evenkeel.cli.core.blocks.FsckReader;
import io.evenkeel.cli.core.blocks.HostStop;
import io.evenkeel.cli.core.topology.StripedSchema;
import io.evenkeel.cli.core.topology.Topology;
import io.evenkeel.cli.core.topology.TopologyException;
import io.evenkeel.cli.core.topology.TopologyFinding;
import io.evenkeel.cli.topology.FsckListing;
import io.evenkeel.cli.topology.TextInput;
import io.evenkeel.cli.topology.TopologySource;
import io.evenkeel.cli.topology.core.StopReport;
import io.evenkeel.cli.topology.core.TopologyReport;
import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Finds what is wrong with a topology, or says whether a host can be stopped. */
@Command(
    name = "check",
    description = {
      "Find what is wrong with a topology, or say with --can-stop whether a host can be stopped.",
      "Without --topology it asks the NameNode of the cluster that 'evenkeel status' would ask."
    })
final class TopologyCheckCommand implements Callable<Integer> {
  private static final int MAX_REPLICATION = 512;

  @Spec private CommandSpec spec;

  @Mixin private final TopologyOptions topology = new TopologyOptions();

  @Mixin private final ClusterOptions cluster;

  @Option(
      names = "--replication",
      paramLabel = "N",
      defaultValue = "3",
      description = "Replicas of a block (${DEFAULT-VALUE}).")
  private int replication;

  @Option(
      names = "--ec",
      paramLabel = "SCHEMA",
      description =
          "Erasure coding schema in use, such as RS-6-3; repeatable. Without it, HDFS's own"
              + " schemas are checked, but none is an error.")
  private List<String> schemas = new ArrayList<>();

  @Option(
      names = "--weight",
      paramLabel = "capacity|equal",
      defaultValue = "capacity",
      description =
          "Weight of a DataNode of a live cluster; equal where evenkeel.placement.weight is"
              + " (${DEFAULT-VALUE}).")
  private Weight weight;

  @Option(
      names = "--fail-on",
      paramLabel = "info|warning|error",
      defaultValue = "warning",
      description = "End with 2 on findings of this severity or worse (${DEFAULT-VALUE}).")
  private TopologyFinding.Severity failOn;

  @Option(
      names = "--can-stop",
      paramLabel = "HOST",
      description =
          "Tell whether every block stays readable with at least --min-replication replicas"
              + " when this host is stopped now. HOST is a node group (/rack/nodegroup or its last"
              + " part) or the name or address of a DataNode on it.")
  private String canStop;

  @Option(
      names = "--fsck",
      paramLabel = "FILE",
      description =
          "With --can-stop: output of 'hdfs fsck / -files -blocks -locations -racks"
              + " -replicaDetails'; - is standard input.")
  private String fsck;

  @Option(
      names = "--min-replication",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "With --can-stop: dfs.namenode.replication.min, where the cluster sets it"
              + " (${DEFAULT-VALUE}).")
  private int leastReplicas;

  @Option(names = "--json", description = "Print JSON instead of text.")
  private boolean json;

  private final InputStream in;

  /** What a DataNode weighs. */
  enum Weight {
    CAPACITY,
    EQUAL
  }

  TopologyCheckCommand() {
    this(System::getenv, System.in);
  }

  /** For tests: {@code environment} gives environment variables, {@code in} standard input. */
  TopologyCheckCommand(Function<String, String> environment, InputStream in) {
    this.cluster = new ClusterOptions(environment);
    this.in = in;
  }

  @Override
  public Integer call() {
    refuseUnused();
    topology.inRange("--replication", replication, 1, MAX_REPLICATION);
    topology.inRange("--min-replication", leastReplicas, 1, MAX_REPLICATION);
    if ((canStop == null) != (fsck == null)) {
      throw topology.misuse("--can-stop and --fsck belong together");
    }
    return canStop == null ? check() : stop();
  }

  private void refuseUnused() {
    if (canStop != null) {
      topology.refuse("--can-stop", "--ec", "--fail-on", "--replication", "--weight");
    } else if (topology.has("--min-replication")) {
      throw topology.misuse("--min-replication needs --can-stop");
    }
    if (topology.isGiven()) {
      topology.refuse("--topology", "--namenode", "--conf", "--dir", "--timeout", "--weight");
    }
  }

  private int check() {
    List<StripedSchema> used = schemas();
    TopologySource source = read();
    TopologyReport report =
        new TopologyReport(source.description(), new Topology(source.nodes(), topology.layers()))
            .check(
                replication,
                used.isEmpty() ? StripedSchema.BUILT_IN : used,
                !used.isEmpty(),
                source.policy())
            .failOn(failOn);
    Output.print(spec, json, report::json, report::text);
    return report.exitCode().code();
  }

  private List<StripedSchema> schemas() {
    List<StripedSchema> used = new ArrayList<>();
    for (String schema : schemas) {
      try {
        used.add(StripedSchema.parse(schema));
      } catch (TopologyException e) {
        throw topology.misuse("--ec: " + e.getMessage());
      }
    }
    return used;
  }

  private TopologySource read() {
    return topology.isGiven()
        ? TopologySource.of(topology.input(in))
        : TopologySource.of(
            cluster.source(false), cluster.timeoutMillis(), weight == Weight.CAPACITY);
  }

  private int stop() {
    FsckListing listing = new FsckListing(new TextInput(fsck, in));
    if (topology.isStandardInput() && "-".equals(fsck)) {
      throw topology.misuse("--topology and --fsck cannot both be standard input");
    }
    Topology known = knownTopology();
    HostStop stop = new HostStop(known, canStop, leastReplicas);
    if (!known.nodes().isEmpty()) {
      requireOne(stop, "the topology has no host called '" + canStop + "'");
    }
    FsckReader reader = listing.read(stop::accept);
    requireOne(stop, whyNone(listing.description(), stop));
    StopReport report = new StopReport(listing.description(), stop, reader.isComplete());
    Output.print(spec, json, report::json, report::text);
    return report.exitCode().code();
  }

  private String whyNone(String source, HostStop stop) {
    return stop.unknown().isEmpty()
        ? "no block of "
            + source
            + " is on a host called "
            + canStop
            + "; it holds none, or the name is wrong: give /rack/nodegroup, or on plain racks the"
            + " address"
        : source
            + " does not say which host its DataNodes are on; run fsck with -racks, or give"
            + " --topology FILE";
  }

  /** A cluster is asked only when the command line names one: fsck -racks says the same. */
  private Topology knownTopology() {
    boolean named = topology.isGiven() || cluster.nameCluster();
    return new Topology(named ? read().nodes() : new ArrayList<>(), topology.layers());
  }

  private void requireOne(HostStop stop, String none) {
    if (stop.hosts().isEmpty()) {
      throw new CommandException(ExitCode.COULD_NOT_RUN, none);
    }
    if (stop.hosts().size() > 1) {
      throw topology.misuse(
          canStop + " may be one of " + String.join(", ", stop.hosts()) + "; name one of them");
    }
  }
}
