package io.evenkeel.mover.cli;

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
    if (optionsClass.equals(MoverOptions.class.getName())) {
      return MoverOptions.usage();
    }
    throw new ClassNotFoundException(optionsClass);
  }
}
