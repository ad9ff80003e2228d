package io.evenkeel.bench.cluster;

import io.evenkeel.bench.runtime.HadoopRuntime;
import io.evenkeel.bench.runtime.Installation;
import io.evenkeel.bench.runtime.PlugPoints;
import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What the daemons run. Immutable.
 *
 * @param hadoop jars of the release
 * @param plugins plugin jars, empty with plugins off
 * @param keys the configuration that turns the plugins on
 * @param jvmArgs options of every JVM
 */
record Software(
    List<Path> hadoop, List<Path> plugins, Map<String, String> keys, List<String> jvmArgs) {

  /**
   * Takes a release and, if they are wanted, the plugin jars of a directory or of this
   * installation.
   */
  static Software of(HadoopRuntime runtime, ClusterSpec spec) {
    List<Path> plugins = spec.plugins() ? wanted(spec.jars()) : List.of();
    return new Software(runtime.classpath(), plugins, PlugPoints.in(plugins), runtime.jvmArgs());
  }

  private static List<Path> wanted(Path directory) {
    List<Path> jars = directory == null ? Installation.pluginJars() : Installation.jars(directory);
    if (jars.isEmpty()) {
      throw new CommandException(
          ExitCode.COULD_NOT_RUN,
          directory == null
              ? "no plugin jars found; build the distribution (./mvnw package) or use --plugins off"
              : "no jars in " + directory);
    }
    return jars;
  }

  /** Hadoop first and the plugins last, as HADOOP_CLASSPATH does: they can shadow nothing. */
  List<Path> jars() {
    List<Path> jars = new ArrayList<>(hadoop);
    jars.addAll(plugins);
    return jars;
  }
}
