package io.evenkeel.cli;

import io.evenkeel.cli.core.history.JobSettings;
import io.evenkeel.cli.core.history.LocalityReport;
import io.evenkeel.cli.core.topology.TopologyNode;
import io.evenkeel.cli.locality.HadoopFetch;
import io.evenkeel.cli.locality.JobFiles;
import io.evenkeel.cli.tools.InstalledHadoop;
import io.evenkeel.cli.topology.TopologySource;
import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.terasort.core.locality.HostMap;
import java.io.File;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Tells where the map tasks of a job, finished or running, ran, seen from their data. */
@Command(
    name = "locality",
    description = {
      "Show where the map tasks of a MapReduce job ran, seen from the replicas of their data, and"
          + " which settings cost locality. A running job is shown up to now.",
      "A history file on this machine needs no Hadoop; a job id or an hdfs:// path needs one."
    })
final class LocalityCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin private final TopologyOptions topology = new TopologyOptions();

  @Parameters(
      paramLabel = "JOB",
      description = "A job id, or a history file (.jhist): a local path or hdfs://.")
  private String job;

  @Option(
      names = "--conf",
      paramLabel = "DIR",
      description =
          "Hadoop configuration directory with the ResourceManager's capacity-scheduler.xml and"
              + " yarn-site.xml (HADOOP_CONF_DIR).")
  private File conf;

  @Option(names = "--json", description = "Print JSON instead of text.")
  private boolean json;

  private final Function<String, String> environment;
  private final InputStream in;

  LocalityCommand() {
    this(System::getenv, System.in);
  }

  /** For tests: {@code environment} gives environment variables, {@code in} standard input. */
  LocalityCommand(Function<String, String> environment, InputStream in) {
    this.environment = environment;
    this.in = in;
  }

  @Override
  public Integer call() throws InterruptedException {
    File settings = confDirectory();
    TopologySource source = topology.isGiven() ? TopologySource.of(topology.input(in)) : null;
    JobFiles files = JobFiles.read(job, new HadoopFetch(InstalledHadoop.ofThisProcess()));
    LocalityReport report =
        new LocalityReport(
            files.history(),
            source == null ? null : hosts(source),
            new JobSettings(files.conf(), scheduler(settings)));
    String places = source == null ? "racks in the job's history" : source.description();
    ExitCode code = exitCode(report);
    Output.print(spec, json, () -> report.json(places, code), () -> report.text(places));
    return code.code();
  }

  private File confDirectory() {
    if (conf != null && !conf.isDirectory()) {
      throw new CommandException(ExitCode.NO_SUCH_PATH, conf + " is not a directory");
    }
    String surrounding = environment.apply("HADOOP_CONF_DIR");
    boolean named = surrounding != null && !surrounding.isEmpty();
    return conf == null && named ? new File(surrounding) : conf;
  }

  /** A gateway may lack the scheduler's file, and then nothing is known of its settings. */
  private static UnaryOperator<String> scheduler(File directory) {
    File scheduler = new File(directory, "capacity-scheduler.xml");
    return directory == null || !scheduler.canRead()
        ? null
        : JobFiles.settings(new File(directory, "yarn-site.xml"), scheduler);
  }

  private HostMap hosts(TopologySource source) {
    Map<String, String> paths = new LinkedHashMap<>();
    for (TopologyNode node : source.nodes()) {
      paths.put(node.host(), node.path());
    }
    return new HostMap(paths, HostMap.Layers.valueOf(topology.layers().name()));
  }

  private static ExitCode exitCode(LocalityReport report) {
    if (!report.history().problem().isEmpty()) {
      return ExitCode.FINDING;
    }
    return report.tasks() == 0 ? ExitCode.NOTHING_TO_DO : ExitCode.OK;
  }
}
