package io.evenkeel.cli.tools;

/** A plugin jar that holds tools. Immutable. */
public enum PluginJar {
  /** The tools of TeraSort; {@code hdfs evenkeel} has Hadoop's Tool but not MapReduce. */
  TERASORT_TOOLS("evenkeel-terasort-tools", "org.apache.hadoop.mapreduce.Job", "mapred"),
  /** The mover. */
  MOVER("evenkeel-mover", "org.apache.hadoop.hdfs.server.protocol.NamenodeProtocol", "hdfs");

  private final String artifact;
  private final String neededClass;
  private final String script;

  PluginJar(String artifact, String neededClass, String script) {
    this.artifact = artifact;
    this.neededClass = neededClass;
    this.script = script;
  }

  /** Its name without the version. */
  String artifact() {
    return artifact;
  }

  /** A class of Hadoop's without which its tools cannot run. */
  String neededClass() {
    return neededClass;
  }

  /** The script of Hadoop's that has that class on its class path. */
  String script() {
    return script;
  }
}
