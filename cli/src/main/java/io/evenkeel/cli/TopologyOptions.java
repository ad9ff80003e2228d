package io.evenkeel.cli;

import io.evenkeel.cli.core.topology.Topology;
import io.evenkeel.cli.topology.TextInput;
import io.evenkeel.cli.topology.TopologySource;
import java.io.InputStream;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that say where DataNodes are; shared by commands. */
final class TopologyOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--topology",
      paramLabel = "FILE",
      description =
          "Where the DataNodes are: lines of NAME /rack/nodegroup, the output of 'hdfs dfsadmin"
              + " -printTopology' or JSON; - is standard input.")
  private String file;

  @Option(
      names = "--layers",
      paramLabel = "auto|rack|nodegroup",
      defaultValue = "auto",
      description =
          "What the last part of a location is. auto: a node group when most locations have two"
              + " parts or more (${DEFAULT-VALUE}).")
  private Topology.Layers layers;

  /** Whether a file was given. */
  boolean isGiven() {
    return file != null;
  }

  /** Whether it is standard input. */
  boolean isStandardInput() {
    return "-".equals(file);
  }

  TextInput input(InputStream standardInput) {
    return new TextInput(file, standardInput);
  }

  /** What the file says; see {@link TopologySource#of(TextInput)}. */
  Topology read(InputStream standardInput) {
    return new Topology(TopologySource.of(input(standardInput)).nodes(), layers);
  }

  Topology.Layers layers() {
    return layers;
  }

  /**
   * A number that must be in a range.
   *
   * @throws ParameterException when it is not
   */
  long inRange(String option, long value, long least, long most) {
    if (value < least || value > most) {
      throw misuse(
          String.format(
              Locale.ROOT, "%s = %d is not allowed; use %d..%d", option, value, least, most));
    }
    return value;
  }

  /**
   * Refuses options that would say nothing, whatever their value.
   *
   * @param given the option that makes them so
   * @throws ParameterException when the command line has one of them
   */
  void refuse(String given, String... options) {
    for (String option : options) {
      if (has(option)) {
        throw misuse(option + " cannot be used with " + given);
      }
    }
  }

  /** Whether the command line has an option, also one with the value it has by default. */
  boolean has(String option) {
    return spec.commandLine().getParseResult().hasMatchedOption(option);
  }

  ParameterException misuse(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
