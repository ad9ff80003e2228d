package io.evenkeel.cli;

import io.evenkeel.cli.tools.PluginTool;
import io.evenkeel.cli.tools.ToolLauncher;
import picocli.CommandLine.Command;

/** Runs the TeraSort suite, which is a tool of a plugin jar. */
@Command(
    name = "terasort",
    description = {
      "Run TeraGen, TeraSort and the block-wise TeraValidate, or forecast the partitions.",
      "All arguments go to the tool as they are; its own options are listed by --help."
    })
final class TeraSortCommand extends PassingCommand {
  TeraSortCommand() {
    this(ToolLauncher.ofThisProcess());
  }

  /** For tests. */
  TeraSortCommand(ToolLauncher launcher) {
    super(PluginTool.TERASORT, launcher);
  }
}
