package io.evenkeel.cli.tools;

import java.io.File;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * What the launcher knows of the Hadoop it may run tools with: whether it is on its own class path,
 * the {@code hadoop} script of an installation, and the jars that hold the tools. Immutable.
 */
public final class InstalledHadoop {
  private final ClassLoader loader;
  private final UnaryOperator<String> settings;

  /**
   * Creates it.
   *
   * @param loader looks for Hadoop's classes
   * @param settings gives {@code evenkeel.home} and {@code evenkeel.hadoop.home}, null when unset
   */
  public InstalledHadoop(ClassLoader loader, UnaryOperator<String> settings) {
    this.loader = loader;
    this.settings = settings;
  }

  /** That of this process: system properties, or the environment under {@code mapred evenkeel}. */
  public static InstalledHadoop ofThisProcess() {
    return new InstalledHadoop(InstalledHadoop.class.getClassLoader(), InstalledHadoop::setting);
  }

  private static String setting(String name) {
    String property = System.getProperty(name);
    return property != null
        ? property
        : System.getenv(name.equals("evenkeel.home") ? "EVENKEEL_HOME" : "HADOOP_HOME");
  }

  /** Where Hadoop and the tools are looked for. */
  ClassLoader loader() {
    return loader;
  }

  /** Whether what the tools of a jar need of Hadoop is on the class path. */
  public boolean isOnClassPath(PluginJar jar) {
    try {
      Class.forName("org.apache.hadoop.util.ToolRunner", false, loader);
      Class.forName(jar.neededClass(), false, loader);
      return true;
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }

  /** Where an installation should be; empty when nothing names one. */
  Optional<File> home() {
    String home = settings.apply("evenkeel.hadoop.home");
    return home == null || home.isEmpty() ? Optional.empty() : Optional.of(new File(home));
  }

  /** Its {@code hadoop} script, if it can be run. */
  public Optional<File> script() {
    return home().map(home -> new File(home, "bin/hadoop")).filter(File::canExecute);
  }

  /** The directory of the plugin jars; empty when this is no distribution. */
  public File lib() {
    String home = settings.apply("evenkeel.home");
    return new File(home == null ? "" : home, "lib");
  }

  /** A plugin jar, if there is exactly one of its name in this distribution. */
  public Optional<File> find(PluginJar jar) {
    File[] jars = lib().listFiles(file -> file.getName().matches(jar.artifact() + "-.*\\.jar"));
    boolean one = settings.apply("evenkeel.home") != null && jars != null && jars.length == 1;
    return one ? Optional.of(jars[0]) : Optional.empty();
  }
}
