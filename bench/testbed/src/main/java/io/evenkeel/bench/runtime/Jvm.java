package io.evenkeel.bench.runtime;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What every JVM has in common that this one starts. Stateless. */
public final class Jvm {
  private Jvm() {}

  /** The java program this JVM was started with. */
  public static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /**
   * Our own class path, then that of a Hadoop release, for {@code java -cp}. Ours stands first, so
   * that our libraries are of the version we were built with.
   */
  public static String classPath(HadoopRuntime hadoop) {
    Set<String> entries = new LinkedHashSet<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      entries.add(Path.of(entry).toAbsolutePath().toString());
    }
    hadoop.classpath().forEach(jar -> entries.add(jar.toString()));
    return String.join(File.pathSeparator, entries);
  }

  /**
   * What runs a class of ours on a Hadoop release; warnings go to standard error.
   *
   * @param heap most memory for objects, as {@code -Xmx} takes it
   * @param options more options of the JVM
   */
  public static List<String> command(
      HadoopRuntime hadoop, String heap, String mainClass, String... options) {
    List<String> command = new ArrayList<>();
    command.add(java());
    command.addAll(hadoop.jvmArgs());
    command.add("-Xmx" + heap);
    command.add("-Dlog4j.configuration=io/evenkeel/bench/runtime/log4j.properties");
    command.addAll(List.of(options));
    command.add("-cp");
    command.add(classPath(hadoop));
    command.add(mainClass);
    return command;
  }

  /** Has this JVM run something when it is told to end, until {@link #cancelAtExit}. */
  public static Thread atExit(String name, Runnable action) {
    Thread hook = new Thread(action, name);
    Runtime.getRuntime().addShutdownHook(hook);
    return hook;
  }

  /**
   * Withdraws what {@link #atExit} returned.
   *
   * @return false when this JVM is ending already, so that the action runs all the same
   */
  public static boolean cancelAtExit(Thread hook) {
    try {
      return Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      return false;
    }
  }
}
