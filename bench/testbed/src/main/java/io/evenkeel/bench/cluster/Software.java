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

  /** Takes a release, and the plugin jars of this installation if they are wanted. */
  static Software of(HadoopRuntime runtime, boolean withPlugins) {
    List<Path> plugins = withPlugins ? Installation.pluginJars() : List.of();
    if (withPlugins && plugins.isEmpty()) {
      throw new CommandException(
          ExitCode.COULD_NOT_RUN,
          "no plugin jars found; build the distribution (./mvnw package) or use --plugins off");
    }
    return new Software(runtime.classpath(), plugins, PlugPoints.in(plugins), runtime.jvmArgs());
  }

  /** Hadoop first and the plugins last, as HADOOP_CLASSPATH does: they can shadow nothing. */
  List<Path> jars() {
    List<Path> jars = new ArrayList<>(hadoop);
    jars.addAll(plugins);
    return jars;
  }
}
