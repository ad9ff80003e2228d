package io.evenkeel.cli;

import io.evenkeel.cli.tools.PluginTool;
import io.evenkeel.cli.tools.ToolLauncher;
import picocli.CommandLine.Command;

/** Runs the block-wise TeraValidate, which is a tool of a plugin jar. */
@Command(
    name = "teravalidate",
    description = {
      "Check that TeraSort's output is sorted, block by block.",
      "All arguments go to the tool as they are; its own options are listed by --help."
    })
final class TeraValidateCommand extends PassingCommand {
  TeraValidateCommand() {
    this(ToolLauncher.ofThisProcess());
  }

  /** For tests. */
  TeraValidateCommand(ToolLauncher launcher) {
    super(PluginTool.TERAVALIDATE, launcher);
  }
}
