package io.evenkeel.cli;

import io.evenkeel.cli.tools.PluginTool;
import io.evenkeel.cli.tools.ToolLauncher;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** A command whose arguments, options among them, belong to a tool. */
abstract class PassingCommand implements Callable<Integer> {
  /** Label of what a program that is run is given as it is, empty text included. */
  static final String HANDED_ON = "ARGUMENT";

  private static final String TOOL_SECTION = "tool";

  @Parameters(
      arity = "0..*",
      paramLabel = HANDED_ON,
      description = "What the tool is given.",
      hidden = true)
  private List<String> arguments = new ArrayList<>();

  private final PluginTool tool;
  private final ToolLauncher launcher;

  PassingCommand(PluginTool tool, ToolLauncher launcher) {
    this.tool = tool;
    this.launcher = launcher;
  }

  @Spec private CommandSpec spec;

  /** Makes all such commands leave their arguments alone and also print the tool's help. */
  static void prepare(CommandLine root) {
    root.setExpandAtFiles(false); // it is the root that would read files named by @arguments
    for (CommandLine line : root.getSubcommands().values()) {
      if (line.getCommand() instanceof PassingCommand) {
        PassingCommand command = line.getCommand();
        line.setUnmatchedOptionsArePositionalParams(true);
        line.setStopAtPositional(true);
        UsageMessageSpec usage = line.getCommandSpec().usageMessage();
        List<String> sections = new ArrayList<>(usage.sectionKeys());
        int end = sections.indexOf(UsageMessageSpec.SECTION_KEY_EXIT_CODE_LIST_HEADING);
        sections.add(end < 0 ? sections.size() : end, TOOL_SECTION);
        usage.sectionKeys(sections);
        usage.sectionMap().put(TOOL_SECTION, help -> "\nThe tool:\n" + command.tool.usage());
      }
    }
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(arguments);
    if (spec.commandLine().getParseResult().hasMatchedOption("--debug")) {
      all.add("--debug"); // at the end: Hadoop's own options must come first
    }
    return launcher.run(tool, all);
  }
}
