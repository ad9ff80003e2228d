package io.evenkeel.cli;

import io.evenkeel.bench.sim.placement.SimulateProcess;
import io.evenkeel.cli.core.topology.Topology;
import io.evenkeel.cli.core.topology.TopologyNode;
import io.evenkeel.cli.topology.core.MigrationReport;
import io.evenkeel.cli.topology.core.SimulationPage;
import io.evenkeel.cli.topology.core.SimulationReport;
import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.cli.OutputFile;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows what a placement policy would do, before anything is switched. */
@NeedsJava(value = 17, unless = "--migrate")
@Command(
    name = "simulate",
    description = {
      "Simulate how the uniform placement policy and stock's place the blocks of a cluster.",
      "With --migrate: say what the NameNode will copy when this cluster switches to it."
    })
final class SimulateCommand implements Callable<Integer> {
  static final List<String> POLICIES = Arrays.asList("stock-default", "stock-nodegroup", "uniform");
  private static final int MOST_NODES = 100_000;
  private static final int MOST_BLOCKS = 10_000_000;

  /** What our policy allows. */
  private static final double MOST_WEIGHT = 100_000;

  private static final int BLOCKS_PER_NODE = 100;

  @Spec private CommandSpec spec;

  @Mixin private final TopologyOptions topology = new TopologyOptions();

  @Option(
      names = "--hosts",
      paramLabel = "N",
      description = "Number of hosts, instead of a topology file.")
  private Integer hosts;

  @Option(
      names = "--vms",
      paramLabel = "N",
      defaultValue = "1",
      description = "With --hosts: DataNodes on each host (${DEFAULT-VALUE}).")
  private int vms;

  @Option(
      names = "--racks",
      paramLabel = "N",
      defaultValue = "1",
      description = "With --hosts: number of racks (${DEFAULT-VALUE}).")
  private int racks;

  @Option(
      names = "--policy",
      paramLabel = "NAME",
      description = "stock-default, stock-nodegroup or uniform; repeatable (all three).")
  private List<String> policies = POLICIES;

  @Option(
      names = "--blocks",
      paramLabel = "N",
      description = "Blocks to write (enough for 100 on each DataNode).")
  private Long blocks;

  @Option(
      names = "--replication",
      paramLabel = "N",
      defaultValue = "3",
      description = "Replicas of a block (${DEFAULT-VALUE}).")
  private int replication;

  @Option(
      names = "--writers",
      paramLabel = "local|outside",
      defaultValue = "local",
      description =
          "Whether writers run on the DataNodes, as tasks do, or outside, as most ingest does"
              + " (${DEFAULT-VALUE}).")
  private Writers writers;

  @Option(
      names = "--order",
      paramLabel = "turn|random",
      defaultValue = "turn",
      description =
          "Order in which blocks complete; random where files of many sizes are written at once"
              + " (${DEFAULT-VALUE}).")
  private Order order;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "9608",
      description = "Seed for --order random and --migrate URL; a whole number (${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--hadoop",
      paramLabel = "VERSION",
      defaultValue = "3.4.3",
      description = "Hadoop release whose policies are run (${DEFAULT-VALUE}).")
  private String hadoop;

  @Option(names = "--json", description = "Print JSON instead of a table.")
  private boolean json;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "Also write a page with the table and the charts.")
  private File html;

  @Mixin private final MigrateOptions migrate = new MigrateOptions();

  private final InputStream in;

  /** Where writers are. */
  enum Writers {
    LOCAL,
    OUTSIDE
  }

  /** In which order blocks complete. */
  enum Order {
    TURN,
    RANDOM
  }

  SimulateCommand() {
    this(System.in);
  }

  /** For tests: {@code in} is standard input. */
  SimulateCommand(InputStream in) {
    this.in = in;
  }

  @Override
  public Integer call() throws InterruptedException {
    refuseUnused();
    if (migrate.isGiven()) {
      MigrationReport report = migrate.report(topology, in, seed);
      Output.print(spec, json, report::json, report::text);
      return report.exitCode().code();
    }
    if (topology.isGiven() == (hosts != null)) {
      throw topology.misuse("give either --topology FILE or --hosts N");
    }
    if (html != null) {
      OutputFile.require("--html", html.getPath());
    }
    topology.inRange("--replication", replication, 1, 512);
    Set<String> chosen = chosen();
    String source = hosts == null ? topology.input(in).description() : "made up";
    Topology cluster = hosts == null ? topology.read(in) : regular();
    int nodes = simulated(source, cluster.withDisk());
    long count = blocks == null ? (long) BLOCKS_PER_NODE * nodes / replication + 1 : blocks;
    topology.inRange("--blocks", count, 1, MOST_BLOCKS);
    SimulationReport report =
        new SimulationReport(source, cluster)
            .with("blocks", count)
            .with("replication", replication)
            .with("writers", writers.name().toLowerCase(Locale.ROOT))
            .with("order", order.name().toLowerCase(Locale.ROOT))
            .with("seed", seed)
            .with("hadoop", hadoop);
    report.answer(SimulateProcess.simulate(hadoop, report.request(chosen)));
    boolean written = html == null || write(SimulationPage.html(report));
    ExitCode code = written ? ExitCode.OK : ExitCode.COULD_NOT_RUN;
    Output.print(spec, json, () -> report.json(code), report::text);
    return code.code();
  }

  private Set<String> chosen() {
    Set<String> chosen = new LinkedHashSet<>();
    for (String name : policies) {
      String known = name.toLowerCase(Locale.ROOT);
      if (!POLICIES.contains(known)) {
        throw topology.misuse(
            "--policy: '" + name + "' is not known; use " + String.join(", ", POLICIES));
      }
      chosen.add(known);
    }
    return chosen;
  }

  /** How many DataNodes get blocks, if they are not too many or too unequal. */
  private int simulated(String source, List<TopologyNode> nodes) {
    DoubleSummaryStatistics weights =
        nodes.stream().mapToDouble(TopologyNode::weight).summaryStatistics();
    if (nodes.isEmpty()) {
      throw new CommandException(ExitCode.NOTHING_TO_DO, source + " has no DataNode with a DISK");
    }
    if (nodes.size() > MOST_NODES) {
      throw topology.misuse(
          source + " has " + nodes.size() + " DataNodes; simulate at most " + MOST_NODES);
    }
    if (weights.getMax() > MOST_WEIGHT * weights.getMin()) {
      throw topology.misuse(
          source + ": no weight may be more than " + (int) MOST_WEIGHT + " times another");
    }
    return nodes.size();
  }

  private void refuseUnused() {
    migrate.refuseUnused(topology);
    if (migrate.isGiven()) {
      return;
    }
    if (order == Order.TURN) {
      topology.refuse("--order turn", "--seed");
    }
    if (topology.isGiven()) {
      topology.refuse("--topology", "--vms", "--racks");
    } else if (hosts != null) {
      topology.refuse("--hosts", "--layers");
    }
  }

  private Topology regular() {
    topology.inRange("--hosts", hosts, 1, MOST_NODES);
    topology.inRange("--vms", vms, 1, MOST_NODES / hosts);
    topology.inRange("--racks", racks, 1, hosts);
    return Topology.regular(racks, hosts, vms);
  }

  /** Whether it could be written. If not, that is told, and the report is printed all the same. */
  private boolean write(String page) {
    try {
      Files.write(html.toPath(), page.getBytes(StandardCharsets.UTF_8));
      return true;
    } catch (IOException e) {
      Output.tellFailure(spec, OutputFile.failure("--html", html, e).getMessage());
      return false;
    }
  }
}
