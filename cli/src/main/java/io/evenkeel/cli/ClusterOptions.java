package io.evenkeel.cli;

import io.evenkeel.cli.status.ClusterSource;
import io.evenkeel.cli.status.ClusterTrust;
import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import java.io.File;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that say which cluster to ask and how long to wait; shared by commands. */
final class ClusterOptions {
  private static final int MAX_TIMEOUT = 600;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--namenode",
      paramLabel = "URL",
      description =
          "Web address of a NameNode, such as http://nn1:9870; repeat it for each of them.")
  private List<String> nameNodes = new ArrayList<>();

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
          "Seconds allowed for connecting to a daemon and for each read, 1..600"
              + " (${DEFAULT-VALUE}).")
  private int timeout;

  private final Function<String, String> environment;

  /** Creates options not yet parsed; {@code environment} gives environment variables. */
  ClusterOptions(Function<String, String> environment) {
    this.environment = environment;
  }

  /**
   * The limit in milliseconds.
   *
   * @throws ParameterException when it is out of range
   */
  int timeoutMillis() {
    if (timeout < 1 || timeout > MAX_TIMEOUT) {
      throw misuse("--timeout = " + timeout + " is not allowed; use 1.." + MAX_TIMEOUT);
    }
    return 1000 * timeout;
  }

  /** Whether the command line itself names a cluster. */
  boolean nameCluster() {
    return !nameNodes.isEmpty() || conf != null || dir != null;
  }

  /**
   * Reads web addresses of DataNodes, which take the place of a cluster.
   *
   * @param where parameter they were given for
   * @throws ParameterException when one is not an address, or a cluster is named as well
   */
  List<URI> dataNodes(String where, List<String> given) {
    if (!given.isEmpty() && nameCluster()) {
      throw misuse("give addresses of DataNodes or name a cluster, not both");
    }
    return addresses(where, given);
  }

  /**
   * The NameNodes to ask.
   *
   * @param othersGiven whether the command line names daemons, so that no cluster is needed
   * @throws CommandException when no cluster is named or the one named cannot be used
   */
  ClusterSource source(boolean othersGiven) {
    if (!nameNodes.isEmpty()) {
      return ClusterSource.given(addresses("--namenode", nameNodes));
    }
    if (conf != null) {
      return ClusterSource.ofConf(conf);
    }
    if (dir != null) {
      return ClusterSource.ofLocal(dir);
    }
    return othersGiven ? ClusterSource.given(new ArrayList<>()) : surrounding();
  }

  private ClusterSource surrounding() {
    File local = new File("evenkeel-cluster");
    if (new File(local, ClusterSource.CLUSTER_FILE).isFile()) {
      return ClusterSource.ofLocal(local);
    }
    String confDir = environment.apply("HADOOP_CONF_DIR");
    if (confDir != null && !confDir.isEmpty()) {
      return ClusterSource.ofConf(new File(confDir));
    }
    File hadoop = hadoopHome(environment);
    if (hadoop != null) {
      return ClusterSource.ofConf(confOf(hadoop));
    }
    throw new CommandException(
        ExitCode.COULD_NOT_RUN,
        "no cluster named; give --namenode URL or --conf DIR, or set HADOOP_CONF_DIR or"
            + " HADOOP_HOME");
  }

  /** Trusts what clients of the surrounding configuration trust. */
  static void trust(Function<String, String> environment) {
    String confDir = environment.apply("HADOOP_CONF_DIR");
    File hadoop = hadoopHome(environment);
    if (confDir != null && !confDir.isEmpty()) {
      ClusterTrust.useOrWarn(new File(confDir));
    } else if (hadoop != null) {
      ClusterTrust.useOrWarn(confOf(hadoop));
    }
  }

  /** The installation of this machine; null when nothing names one. */
  static File hadoopHome(Function<String, String> environment) {
    String home = System.getProperty("evenkeel.hadoop.home", environment.apply("HADOOP_HOME"));
    return home == null || home.isEmpty() ? null : new File(home);
  }

  /** The configuration directory of an installation. */
  static File confOf(File hadoop) {
    File own = new File(hadoop, "etc/hadoop");
    // packages of distributors put the hadoop command into /usr/bin and its files here
    File packaged = new File("/etc/hadoop/conf");
    return own.isDirectory() || !packaged.isDirectory() ? own : packaged;
  }

  /**
   * Reads web addresses.
   *
   * @param where option or parameter they were given for
   * @throws ParameterException when one is not an address
   */
  List<URI> addresses(String where, List<String> given) {
    List<URI> addresses = new ArrayList<>();
    for (String text : given) {
      try {
        addresses.add(ClusterSource.address(text));
      } catch (IllegalArgumentException e) {
        throw misuse(where + ": " + e.getMessage());
      }
    }
    return addresses;
  }

  ParameterException misuse(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
