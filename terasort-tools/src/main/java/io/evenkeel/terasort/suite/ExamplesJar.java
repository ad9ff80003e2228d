package io.evenkeel.terasort.suite;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Enumeration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.hadoop.util.Tool;

/**
 * Where TeraGen and TeraSort come from: finds the jar and loads their classes, without running
 * anything. Immutable.
 */
final class ExamplesJar {
  private static final String PACKAGE = "org.apache.hadoop.examples.";
  private static final String TOOLS = PACKAGE + "terasort.";

  private final ClassLoader loader;
  private final String description;

  private ExamplesJar(ClassLoader loader, String description) {
    this.loader = loader;
    this.description = description;
  }

  /**
   * The jar named, else the classes on the class path, else the jar of the installation.
   *
   * @param given a jar, or null
   * @param environment gives environment variables
   * @throws CommandException when there is none or it does not hold the classes
   */
  static ExamplesJar find(File given, UnaryOperator<String> environment) {
    if (given != null) {
      return of(given);
    }
    ClassLoader own = ExamplesJar.class.getClassLoader();
    if (own.getResource(resource(TOOLS + "TeraSort")) != null) {
      return new ExamplesJar(own, "class path");
    }
    List<File> found = installed(environment);
    if (found.isEmpty()) {
      throw new CommandException(
          ExitCode.COULD_NOT_RUN,
          "no hadoop-mapreduce-examples jar on the class path, in HADOOP_MAPRED_HOME or in"
              + " HADOOP_HOME/share/hadoop/mapreduce; name one with --examples");
    }
    return of(found.get(0));
  }

  /** Jars of the installation, best first. */
  static List<File> installed(UnaryOperator<String> environment) {
    List<File> found = new ArrayList<>();
    for (String name : new String[] {"HADOOP_MAPRED_HOME", "HADOOP_HOME"}) {
      String home = environment.apply(name);
      if (home != null && !home.isEmpty()) {
        addJars(found, new File(home, "share/hadoop/mapreduce"));
        addJars(found, new File(home));
      }
    }
    return found;
  }

  private static void addJars(List<File> found, File dir) {
    File[] jars =
        dir.listFiles(
            file ->
                file.getName().matches("hadoop-mapreduce-examples.*\\.jar")
                    && !file.getName().matches(".*-(test-)?sources\\.jar|.*-tests\\.jar"));
    if (jars != null) {
      Arrays.sort(jars);
      found.addAll(Arrays.asList(jars));
    }
  }

  private static ExamplesJar of(File jar) {
    if (!jar.isFile()) {
      throw new CommandException(ExitCode.NO_SUCH_PATH, "no examples jar at " + jar);
    }
    try {
      URL url = jar.getAbsoluteFile().toURI().toURL();
      OwnFirst loader = new OwnFirst(url, ExamplesJar.class.getClassLoader());
      if (loader.findResource(resource(TOOLS + "TeraSort")) == null) {
        throw new CommandException(
            ExitCode.COULD_NOT_RUN, jar + " holds no " + TOOLS + "TeraSort; is it the right jar?");
      }
      return new ExamplesJar(loader, jar.getPath());
    } catch (MalformedURLException e) {
      throw new CommandException(ExitCode.COULD_NOT_RUN, jar + " cannot be a class path", e);
    }
  }

  private static String resource(String className) {
    return className.replace('.', '/') + ".class";
  }

  /** Where the classes are, in words. */
  String description() {
    return description;
  }

  /** What loads the classes; tasks in this JVM need it, too. */
  ClassLoader loader() {
    return loader;
  }

  /**
   * A new tool.
   *
   * @param name TeraGen or TeraSort
   * @throws CommandException when it cannot be made
   */
  Tool tool(String name) {
    try {
      return Class.forName(TOOLS + name, true, loader)
          .asSubclass(Tool.class)
          .getConstructor()
          .newInstance();
    } catch (ReflectiveOperationException | LinkageError | ClassCastException e) {
      throw new CommandException(
          ExitCode.COULD_NOT_RUN, name + " of " + description + " cannot be loaded: " + e, e);
    }
  }

  /** Takes the examples from the jar even where the class path has others. */
  private static final class OwnFirst extends URLClassLoader {
    OwnFirst(URL jar, ClassLoader parent) {
      super(new URL[] {jar}, parent);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith(PACKAGE)) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        return loaded != null ? loaded : findClass(name);
      }
    }

    // The job's jar is found by asking for the resource of its class.
    @Override
    public URL getResource(String name) {
      URL own = own(name) ? findResource(name) : null;
      return own != null ? own : super.getResource(name);
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
      return own(name) ? findResources(name) : super.getResources(name);
    }

    private static boolean own(String name) {
      return name.startsWith(PACKAGE.replace('.', '/'));
    }
  }
}
