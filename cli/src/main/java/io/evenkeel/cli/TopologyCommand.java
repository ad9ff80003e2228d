package io.evenkeel.cli;

import io.evenkeel.common.cli.ExitCode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** What is known and wrong about racks, hosts and DataNodes. */
@Command(
    name = "topology",
    description = "Check where the DataNodes of a cluster are.",
    subcommands = TopologyCheckCommand.class)
final class TopologyCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return ExitCode.USAGE.code();
  }
}
