package io.evenkeel.terasort.suite;

import picocli.CommandLine;

/**
 * Help texts of this jar's tools, for launchers that have no Hadoop and another copy of the option
 * parser. Stateless.
 */
public final class ToolUsage {
  private ToolUsage() {}

  /**
   * The help of a tool, ended by a line break.
   *
   * @param optionsClass name of the class that describes its options
   * @throws ReflectiveOperationException when there is no such class
   */
  public static String of(String optionsClass) throws ReflectiveOperationException {
    if (optionsClass.equals(SuiteOptions.class.getName())) {
      return SuiteOptions.usage();
    }
    Object options = Class.forName(optionsClass).getConstructor().newInstance();
    return new CommandLine(options).getUsageMessage(CommandLine.Help.Ansi.OFF);
  }
}
