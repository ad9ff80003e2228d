package io.evenkeel.cli.tools;

import java.lang.reflect.InvocationTargetException;

/** A tool of evenkeel-terasort-tools: its class, and the class of its options. Immutable. */
public enum PluginTool {
  /** The runner of the TeraSort suite. */
  TERASORT("io.evenkeel.terasort.TeraSortSuite", "io.evenkeel.terasort.suite.SuiteOptions"),
  /** The block-wise TeraValidate. */
  TERAVALIDATE("io.evenkeel.terasort.BlockTeraValidate", "io.evenkeel.terasort.ValidateOptions");

  private static final String USAGE = "io.evenkeel.terasort.suite.ToolUsage";

  private final String className;
  private final String optionsClass;

  PluginTool(String className, String optionsClass) {
    this.className = className;
    this.optionsClass = optionsClass;
  }

  /** Name of the class to run. */
  public String className() {
    return className;
  }

  /**
   * The tool's own help, which needs no Hadoop. By reflection, since the jar has copies of the
   * option parser and of common's classes under other names.
   */
  public String usage() {
    try {
      return (String) Class.forName(USAGE).getMethod("of", String.class).invoke(null, optionsClass);
    } catch (InvocationTargetException e) {
      return unknown(e.getCause());
    } catch (ReflectiveOperationException | LinkageError e) {
      return unknown(e);
    }
  }

  private String unknown(Throwable e) {
    return "The options of " + className + " cannot be shown: " + e + "\n";
  }
}
