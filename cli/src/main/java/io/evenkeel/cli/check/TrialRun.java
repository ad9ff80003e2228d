package io.evenkeel.cli.check;

import io.evenkeel.bench.trial.Trial;
import io.evenkeel.cli.check.core.Module;
import io.evenkeel.cli.tools.ChildProcess;
import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.cli.HadoopJvm;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Tries what modules do on a Hadoop: each in a JVM of its own with a cluster of its own, on
 * loopback addresses and in a scratch directory. No configuration of an installed Hadoop is read.
 * Apart from {@link ClassPath} because it runs what that only looks at. Confined to one thread.
 */
public final class TrialRun {
  private static final Duration LIMIT = Duration.ofMinutes(20);
  private static final List<String> LOG4J =
      Arrays.asList(
          "log4j.rootLogger=INFO,err",
          "log4j.appender.err=org.apache.log4j.ConsoleAppender",
          "log4j.appender.err.target=System.err",
          "log4j.appender.err.layout=org.apache.log4j.PatternLayout",
          "log4j.appender.err.layout.ConversionPattern=%d{ISO8601} %-5p %c{2}: %m%n");

  private final ClassPath path;
  private final File javaHome;
  private final Path scratch;

  /**
   * Prepares it.
   *
   * @param javaHome of the JVM to try on
   * @param parent where a scratch directory is made
   * @throws CommandException when there is no Java or no such directory
   */
  public TrialRun(ClassPath path, File javaHome, Path parent) {
    this.path = path;
    this.javaHome = javaHome.getAbsoluteFile(); // the JVM runs in another directory
    if (!java().canExecute()) {
      throw new CommandException(ExitCode.NO_SUCH_PATH, javaHome + " has no bin/java");
    }
    if (!Files.isDirectory(parent)) {
      throw new CommandException(ExitCode.NO_SUCH_PATH, parent + " is not a directory");
    }
    URI uri = parent.toUri();
    if (!uri.getRawPath().equals(uri.getPath())) {
      throw new CommandException(
          ExitCode.USAGE, "'" + parent + "' has a character that HDFS cannot have; see --dir");
    }
    try {
      scratch = Files.createTempDirectory(parent.toAbsolutePath(), "evenkeel-trial-");
    } catch (IOException e) {
      throw new CommandException(ExitCode.COULD_NOT_RUN, parent + " cannot be written to", e);
    }
  }

  private File java() {
    return new File(javaHome, "bin/java");
  }

  /** What came of a step. Immutable. */
  public static final class Step {
    private final String result;
    private final String says;
    private final String why;

    Step(String result, String says, String why) {
      this.result = result;
      this.says = says;
      this.why = why;
    }

    /** Whether it was tried at all. */
    public boolean isTried() {
      return !result.equals("not tried");
    }

    /** Whether it passed. */
    public boolean isOk() {
      return result.equals("ok");
    }

    /** In a word: ok, failed or not tried. */
    public String result() {
      return result;
    }

    /** What holds when it has passed. */
    public String says() {
      return says;
    }

    /** Why it failed or was not tried; empty where there is nothing to say. */
    public String why() {
      return why;
    }
  }

  /**
   * Tries a module; takes minutes.
   *
   * @param allowUntested whether the module is to be active though it does not know this Hadoop
   * @param progress gets a line for each step
   * @return the steps, one of them failed if the JVM ended early
   */
  public List<Step> run(Module module, boolean allowUntested, Consumer<String> progress)
      throws InterruptedException {
    String word = module.name().toLowerCase(Locale.ROOT);
    Path own = scratch.resolve(word);
    List<Step> steps = Collections.synchronizedList(new ArrayList<>());
    try {
      writeConf(own.resolve("conf"), module, allowUntested);
      ProcessBuilder program = new ProcessBuilder(command(own, word));
      program.environment().keySet().removeIf(key -> key.matches("(HADOOP|YARN|HDFS|MAPRED)_.*"));
      program.environment().remove("CLASSPATH");
      program.environment().put("JAVA_HOME", javaHome.getPath());
      program.environment().put("HADOOP_CONF_DIR", own.resolve("conf").toString());
      program.directory(own.toFile());
      program.redirectError(log(word).toFile());
      ChildProcess.Answer answer =
          ChildProcess.answer(
              program, LIMIT.toMillis(), line -> parse(line, steps, word, progress), this::clear);
      boolean said = steps.stream().anyMatch(step -> !step.isOk());
      if (steps.isEmpty() || (answer.code() != 0 && !said)) {
        steps.add(new Step("failed", "the JVM runs", "it ended with " + answer.code()));
      }
    } catch (TimeoutException e) {
      steps.add(new Step("failed", "it ends", "not within " + LIMIT.toMinutes() + " minutes"));
    } catch (IOException e) {
      throw new CommandException(
          ExitCode.COULD_NOT_RUN, "cannot try " + word + ": " + e.getMessage(), e);
    } finally {
      delete(own);
    }
    return new ArrayList<>(steps);
  }

  /** What the JVM of a module logged; kept where a step failed. */
  public Path log(String module) {
    return scratch.resolve(module + ".log");
  }

  /** Removes everything. */
  public void clear() {
    delete(scratch);
  }

  /** All that a jar on the class path may hold, too: what stands first is read. */
  private static void writeConf(Path conf, Module module, boolean allowUntested)
      throws IOException {
    Files.createDirectories(conf);
    Files.write(conf.resolve("log4j.properties"), LOG4J);
    String allow =
        allowUntested
            ? "<property><name>"
                + module.prefix()
                + "allow-untested</name><value>true</value></property>"
            : "";
    for (String part : new String[] {"core", "hdfs", "hdfs-rbf", "mapred", "yarn"}) {
      Files.write(
          conf.resolve(part + "-site.xml"),
          ("<configuration>" + allow + "</configuration>").getBytes(StandardCharsets.UTF_8));
    }
    Files.createFile(conf.resolve("hadoop-metrics2.properties"));
  }

  private List<String> command(Path own, String word) {
    List<String> command = new ArrayList<>();
    command.add(java().getPath());
    if (new File(javaHome, "lib/modules").isFile()) { // 9 or later
      command.addAll(HadoopJvm.opening());
    }
    command.addAll(Arrays.asList("-Xmx1g", "-XX:-UsePerfData", "-Djava.net.preferIPv4Stack=true"));
    command.add("-Djava.io.tmpdir=" + own);
    command.add("-Dhadoop.log.dir=" + own);
    command.add("-cp");
    List<String> jars = new ArrayList<>();
    jars.add(own.resolve("conf").toString());
    jars.add(trial().getPath());
    path.forTrial().forEach(file -> jars.add(file.getAbsolutePath()));
    command.add(String.join(File.pathSeparator, jars));
    command.addAll(Arrays.asList(Trial.class.getName(), own.toString(), word));
    return command;
  }

  private static File trial() {
    try {
      return new File(Trial.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void parse(String line, List<Step> steps, String word, Consumer<String> progress) {
    String[] parts = line.split("\t", -1);
    if (parts.length == 4 && parts[1].equals(word)) {
      steps.add(new Step(parts[0], parts[2], parts[3]));
      progress.accept(word + ": " + parts[0] + ": " + parts[2]);
    }
  }

  private static void delete(Path tree) {
    try (Stream<Path> files = Files.walk(tree)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).collect(Collectors.toList())) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      System.err.println("evenkeel: could not remove " + tree + ": " + e.getMessage());
    }
  }
}
