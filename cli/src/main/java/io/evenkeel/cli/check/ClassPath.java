package io.evenkeel.cli.check;

import io.evenkeel.cli.check.core.Installed;
import io.evenkeel.cli.check.core.Module;
import io.evenkeel.cli.tools.ChildProcess;
import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.plugin.Fit;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;

/**
 * The class path that Hadoop's own script gives the daemons of this host, and what is on it. Jars
 * are opened to look, and tables of keys loaded from them; nothing of Hadoop is run but the script.
 * Immutable.
 */
public final class ClassPath implements Installed {
  private static final Pattern HADOOP = Pattern.compile("hadoop-common-(\\d.*?)\\.jar");

  /** Of a script that asks the network in hadoop-env.sh, nobody hears again. */
  private static final long LIMIT_MILLIS = 60_000;

  private static final String VERSION_INFO = "common-version-info.properties";

  private final boolean known;
  private final List<File> entries;
  private final File lib;

  /**
   * Creates one.
   *
   * @param entries jars and directories in their order
   * @param lib where the plugin jars of this distribution are, whose tables of keys stand in for
   *     jars that are not on the class path
   */
  public ClassPath(List<File> entries, File lib) {
    this(true, entries, lib);
  }

  private ClassPath(boolean known, List<File> entries, File lib) {
    this.known = known;
    this.entries = Collections.unmodifiableList(eachOnce(entries));
    this.lib = lib;
  }

  /** Where nothing tells the class path: only the tables of this distribution are read. */
  public static ClassPath unknown(File lib) {
    return new ClassPath(false, Collections.emptyList(), lib);
  }

  @Override
  public boolean isKnown() {
    return known;
  }

  /** Without what stands there before, also by way of a link: a JVM never gets to it. */
  private static List<File> eachOnce(List<File> entries) {
    Map<String, File> each = new LinkedHashMap<>();
    for (File entry : entries) {
      try {
        each.putIfAbsent(entry.getCanonicalPath(), entry);
      } catch (IOException e) {
        each.putIfAbsent(entry.getPath(), entry);
      }
    }
    return new ArrayList<>(each.values());
  }

  /**
   * Asks the script of an installation.
   *
   * @param script {@code bin/hdfs} or {@code bin/hadoop}
   * @param conf what it gets as {@code HADOOP_CONF_DIR}
   * @throws CommandException when it cannot be run or fails
   */
  public static List<File> ask(File script, File conf) throws InterruptedException {
    return ask(script, conf, LIMIT_MILLIS);
  }

  static List<File> ask(File script, File conf, long limitMillis) throws InterruptedException {
    ProcessBuilder program = new ProcessBuilder(script.getPath(), "classpath", "--glob");
    program.environment().put("HADOOP_CONF_DIR", conf.getAbsolutePath());
    program.environment().remove("HADOOP_ENV_PROCESSED"); // or hadoop-env.sh is not read again
    try {
      ChildProcess.Answer answer = ChildProcess.answer(program, limitMillis);
      String last = "";
      for (String line : answer.lines()) {
        last = line.trim().isEmpty() ? last : line.trim();
      }
      if (answer.code() != 0 || last.isEmpty()) {
        throw new CommandException(
            ExitCode.COULD_NOT_RUN, script + " classpath --glob ended with " + answer.code());
      }
      return split(last);
    } catch (IOException e) {
      throw new CommandException(
          ExitCode.COULD_NOT_RUN, script + " cannot be run: " + e.getMessage(), e);
    } catch (TimeoutException e) {
      throw new CommandException(
          ExitCode.COULD_NOT_RUN,
          String.format(
              Locale.ROOT,
              "%s classpath --glob did not end within %,d ms; see hadoop-env.sh",
              script,
              limitMillis),
          e);
    }
  }

  /** A class path as text; an entry {@code DIR/*} stands for the jars of a directory. */
  public static List<File> split(String text) {
    List<File> entries = new ArrayList<>();
    for (String entry : text.split(File.pathSeparator)) {
      if (entry.endsWith("/*")) {
        File[] jars =
            new File(entry.substring(0, entry.length() - 2))
                .listFiles(file -> file.getName().toLowerCase(Locale.ROOT).endsWith(".jar"));
        if (jars != null) {
          Arrays.sort(jars);
          entries.addAll(Arrays.asList(jars));
        }
      } else if (!entry.isEmpty()) {
        entries.add(new File(entry));
      }
    }
    return entries;
  }

  /** Number of jars and directories. */
  public int size() {
    return entries.size();
  }

  @Override
  public List<String> having(String className) {
    String name = className.replace('.', '/') + ".class";
    List<String> found = new ArrayList<>();
    for (File entry : entries) {
      if (has(entry, name)) {
        found.add(entry.getPath());
      }
    }
    return found;
  }

  private static boolean has(File entry, String name) {
    if (entry.isDirectory()) {
      return new File(entry, name).isFile();
    }
    try (JarFile jar = new JarFile(entry)) {
      return jar.getEntry(name) != null;
    } catch (IOException e) {
      return false; // not there or no jar: the JVM passes over it as well
    }
  }

  @Override
  public Map<String, String> ourJars() {
    Map<String, String> jars = new LinkedHashMap<>();
    for (File entry : entries) {
      String name = entry.getName();
      if (entry.isFile() && (name.startsWith("evenkeel-") || name.startsWith("picocli"))) {
        jars.put(entry.getPath(), version(entry));
      }
    }
    return jars;
  }

  private static String version(File file) {
    try (JarFile jar = new JarFile(file)) {
      Manifest manifest = jar.getManifest();
      String version =
          manifest == null ? null : manifest.getMainAttributes().getValue("Implementation-Version");
      return version == null ? "unknown" : version;
    } catch (IOException e) {
      return "unreadable (" + e.getMessage() + ")";
    }
  }

  @Override
  public String hadoopVersion() {
    for (File entry : entries) {
      String told = toldRelease(entry);
      if (told != null) {
        return told;
      }
      Matcher name = HADOOP.matcher(entry.getName());
      if (name.matches() && !name.group(1).endsWith("-tests")) {
        return name.group(1);
      }
    }
    return null;
  }

  /** What Hadoop's own VersionInfo reads; null where it is not there. */
  private static String toldRelease(File entry) {
    Properties told = new Properties();
    if (entry.isDirectory()) {
      try (InputStream in = Files.newInputStream(entry.toPath().resolve(VERSION_INFO))) {
        told.load(in);
      } catch (IOException | IllegalArgumentException e) {
        return null; // the usual directory
      }
      return told.getProperty("version");
    }
    if (!entry.isFile()) {
      return null;
    }
    try (JarFile jar = new JarFile(entry)) {
      ZipEntry file = jar.getEntry(VERSION_INFO);
      if (file != null) {
        told.load(jar.getInputStream(file));
      }
    } catch (IOException | IllegalArgumentException e) {
      return null; // no jar, or not read by Hadoop either
    }
    return told.getProperty("version");
  }

  @Override
  public List<String> problems(
      Module module, Iterable<String> names, Function<String, String> get) {
    return ofKeys(
        module,
        keys -> {
          Map<String, String> set = new HashMap<>();
          names.forEach(name -> set.put(name, ""));
          Function<String, String> orNull = name -> set.containsKey(name) ? get.apply(name) : null;
          Consumer<String> ignored = warning -> {};
          Object table = field(keys, "TABLE");
          try {
            table
                .getClass()
                .getMethod("readOrFail", Iterable.class, Function.class, Consumer.class)
                .invoke(table, set.entrySet(), orNull, ignored);
            return Collections.emptyList();
          } catch (InvocationTargetException e) {
            return Collections.singletonList(String.valueOf(e.getCause().getMessage()));
          }
        },
        Collections.emptyList());
  }

  @Override
  public Fit prove(Module module) {
    String release = hadoopVersion();
    if (release == null) {
      return Fit.notAsked(release);
    }
    List<String> noJar = Collections.singletonList("no jar of it tells, or one that is too old");
    return ofKeys(
        module,
        keys -> {
          Object start = field(keys, "MODULE");
          Object fit = start.getClass().getMethod("fit", String.class).invoke(start, release);
          List<String> problems = new ArrayList<>();
          ((List<?>) fit.getClass().getMethod("problems").invoke(fit))
              .forEach(problem -> problems.add(problem.toString()));
          String lookedAt = fit.getClass().getMethod("lookedAt").invoke(fit).toString();
          Object kind = fit.getClass().getMethod("kind").invoke(fit);
          return new Fit(release, problems, lookedAt, Fit.Kind.valueOf(kind.toString()));
        },
        new Fit(release, noJar, ""));
  }

  /**
   * The lines of the file with which the module's jar accepts this Hadoop after a trial.
   *
   * @throws CommandException when its jar cannot tell
   */
  public List<String> acceptance(Module module) {
    return ofKeys(
            module,
            keys -> {
              Object start = field(keys, "MODULE");
              List<String> lines = new ArrayList<>();
              ((List<?>) start.getClass().getMethod("acceptance").invoke(start))
                  .forEach(line -> lines.add(line.toString()));
              return Optional.of(lines);
            },
            Optional.<List<String>>empty())
        .orElseThrow(
            () ->
                new CommandException(
                    ExitCode.COULD_NOT_RUN, "the jar of " + module + " cannot be looked at"));
  }

  /** The jar of a module that a daemon would load, else that of this distribution. */
  public Optional<File> jarOf(Module module) {
    return ofKeys(
        module,
        keys -> {
          URL jar = keys.getProtectionDomain().getCodeSource().getLocation();
          return Optional.of(new File(URI.create(jar.toString())));
        },
        Optional.<File>empty());
  }

  /** Its entries without directories of configuration, then the plugin jars. */
  List<File> forTrial() {
    List<File> files = withPlugins();
    files.removeIf(
        file -> {
          String[] sites = file.list((dir, name) -> name.endsWith("-site.xml"));
          return sites != null && sites.length > 0;
        });
    return files;
  }

  private List<File> withPlugins() {
    List<File> files = new ArrayList<>(entries);
    files.addAll(split(lib + "/*"));
    return files;
  }

  /** What is asked of the class with a module's keys. */
  private interface Question<T> {
    T ask(Class<?> keys) throws ReflectiveOperationException;
  }

  @Override
  public boolean judges(Module module) {
    return ofKeys(module, keys -> field(keys, "TABLE") != null, false);
  }

  /** Asks the jar on the class path, else that of this distribution; else {@code otherwise}. */
  private <T> T ofKeys(Module module, Question<T> question, T otherwise) {
    List<URL> urls = new ArrayList<>();
    try {
      for (File jar : withPlugins()) {
        urls.add(jar.toURI().toURL());
      }
      ClassLoader jdk = ClassLoader.getSystemClassLoader().getParent();
      try (URLClassLoader loader = new URLClassLoader(urls.toArray(new URL[0]), jdk)) {
        return question.ask(Class.forName(module.keysClass(), true, loader));
      }
    } catch (IOException | ReflectiveOperationException | LinkageError e) {
      return otherwise; // an older jar, or none
    }
  }

  private static Object field(Class<?> type, String name) throws ReflectiveOperationException {
    Field field = type.getField(name);
    return field.get(null);
  }
}
