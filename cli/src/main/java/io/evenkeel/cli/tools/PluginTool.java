package io.evenkeel.cli.tools;

import java.lang.reflect.InvocationTargetException;

/** A tool of a plugin jar: its class, and the class of its options with its help. Immutable. */
public enum PluginTool {
  /** The runner of the TeraSort suite. */
  TERASORT(
      PluginJar.TERASORT_TOOLS,
      "io.evenkeel.terasort.TeraSortSuite",
      "io.evenkeel.terasort.suite.SuiteOptions"),
  /** The block-wise TeraValidate. */
  TERAVALIDATE(
      PluginJar.TERASORT_TOOLS,
      "io.evenkeel.terasort.BlockTeraValidate",
      "io.evenkeel.terasort.ValidateOptions"),
  /** The file mover. */
  MOVER(PluginJar.MOVER, "io.evenkeel.mover.MoverTool", "io.evenkeel.mover.cli.MoverOptions");

  private final PluginJar jar;
  private final String className;
  private final String optionsClass;

  PluginTool(PluginJar jar, String className, String optionsClass) {
    this.jar = jar;
    this.className = className;
    this.optionsClass = optionsClass;
  }

  /** The jar it is in. */
  public PluginJar jar() {
    return jar;
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
      return (String) Class.forName(optionsClass).getMethod("usage").invoke(null);
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
