package io.evenkeel.cli;

import io.evenkeel.cli.tools.PluginTool;
import io.evenkeel.cli.tools.ToolLauncher;
import picocli.CommandLine.Command;

/** Runs the file mover, which is a tool of a plugin jar. */
@Command(
    name = "mover",
    description = {
      "Move the blocks of files to the storage types their policies ask for.",
      "All arguments go to the tool as they are; its own options are listed by --help."
    })
final class MoverCommand extends PassingCommand {
  MoverCommand() {
    this(ToolLauncher.ofThisProcess());
  }

  /** For tests. */
  MoverCommand(ToolLauncher launcher) {
    super(PluginTool.MOVER, launcher);
  }
}
