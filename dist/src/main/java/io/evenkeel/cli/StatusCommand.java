package io.evenkeel.cli;

import io.evenkeel.cli.status.ClusterScan;
import io.evenkeel.cli.status.ClusterSource;
import io.evenkeel.cli.status.core.ClusterReport;
import io.evenkeel.cli.status.core.StatusJson;
import io.evenkeel.cli.status.core.StatusText;
import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.json.Json;
import java.io.File;
import java.io.PrintWriter;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Prints which plugins are loaded by the daemons of a cluster and whether they agree. */
@Command(
    name = "status",
    description = {
      "Print which plugin, version, state and settings each daemon of a cluster has loaded.",
      "Without an address it asks the cluster of ./evenkeel-cluster if there is one, else that of"
          + " HADOOP_CONF_DIR, else that of HADOOP_HOME/etc/hadoop."
    })
final class StatusCommand implements Callable<Integer> {
  private static final int MAX_TIMEOUT = 600;

  @Spec private CommandSpec spec;

  @Option(
      names = "--namenode",
      paramLabel = "URL",
      description = "Web address of a NameNode, such as http://nn1:9870; give all of them.")
  private List<String> nameNodes = new ArrayList<>();

  @Option(
      names = "--daemon",
      paramLabel = "URL",
      description = "Web address of another daemon, such as a ResourceManager; repeatable.")
  private List<String> daemons = new ArrayList<>();

  @Option(
      names = "--conf",
      paramLabel = "DIR",
      description = "Hadoop configuration directory that names the NameNodes.")
  private File conf;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "Directory of a cluster started by 'evenkeel cluster' (./evenkeel-cluster).")
  private File dir;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "5",
      description =
          "Limit for connecting to a daemon and for each read, 1..600 (${DEFAULT-VALUE}).")
  private int timeout;

  @Option(names = "--json", description = "Print JSON instead of a table.")
  private boolean json;

  /** Environment variables; replaced in tests. */
  private final Function<String, String> environment;

  StatusCommand() {
    this(System::getenv);
  }

  StatusCommand(Function<String, String> environment) {
    this.environment = environment;
  }

  @Override
  public Integer call() throws InterruptedException {
    if (timeout < 1 || timeout > MAX_TIMEOUT) {
      throw misuse("--timeout = " + timeout + " is not allowed; use 1.." + MAX_TIMEOUT);
    }
    List<URI> others = addresses("--daemon", daemons);
    ClusterReport report = new ClusterScan(1000 * timeout).run(source(), others);
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(Json.pretty(StatusJson.of(report, Evenkeel.Version.text())));
    } else {
      out.print(StatusText.of(report));
    }
    out.flush();
    return report.exitCode().code();
  }

  private ClusterSource source() {
    if (!nameNodes.isEmpty()) {
      return ClusterSource.given(addresses("--namenode", nameNodes));
    }
    if (conf != null) {
      return ClusterSource.ofConf(conf);
    }
    if (dir != null) {
      return ClusterSource.ofLocal(dir);
    }
    if (!daemons.isEmpty()) {
      return ClusterSource.given(new ArrayList<>());
    }
    File local = new File("evenkeel-cluster");
    if (new File(local, ClusterSource.CLUSTER_FILE).isFile()) {
      return ClusterSource.ofLocal(local);
    }
    String confDir = environment.apply("HADOOP_CONF_DIR");
    if (confDir != null && !confDir.isEmpty()) {
      return ClusterSource.ofConf(new File(confDir));
    }
    String hadoop = System.getProperty("evenkeel.hadoop.home", environment.apply("HADOOP_HOME"));
    if (hadoop != null && !hadoop.isEmpty()) {
      File own = new File(hadoop, "etc/hadoop");
      // packages of distributors put the hadoop command into /usr/bin and its files here
      File packaged = new File("/etc/hadoop/conf");
      return ClusterSource.ofConf(own.isDirectory() || !packaged.isDirectory() ? own : packaged);
    }
    throw new CommandException(
        ExitCode.COULD_NOT_RUN,
        "no cluster named; give --namenode URL or --conf DIR, or set HADOOP_CONF_DIR or"
            + " HADOOP_HOME");
  }

  private List<URI> addresses(String option, List<String> given) {
    List<URI> addresses = new ArrayList<>();
    for (String text : given) {
      try {
        addresses.add(ClusterSource.address(text));
      } catch (IllegalArgumentException e) {
        throw misuse(option + ": " + e.getMessage());
      }
    }
    return addresses;
  }

  private ParameterException misuse(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
