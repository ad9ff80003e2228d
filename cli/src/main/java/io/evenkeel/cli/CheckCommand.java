package io.evenkeel.cli;

import io.evenkeel.cli.check.ClassPath;
import io.evenkeel.cli.check.core.Preflight;
import io.evenkeel.cli.check.core.StockKey;
import io.evenkeel.cli.core.Finding;
import io.evenkeel.cli.status.HadoopConf;
import io.evenkeel.cli.tools.InstalledHadoop;
import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.cli.ReportHead;
import io.evenkeel.common.cli.TextTable;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Judges the configuration and the class path of this host before a daemon is restarted. */
@Command(
    name = "check",
    description = {
      "Check the configuration and the class path of this host before a daemon is restarted.",
      "Nothing is asked over the network and nothing is changed."
    })
final class CheckCommand implements Callable<Integer> {
  private static final String SCHEMA = "evenkeel.check/1";
  private static final String[] OF_HDFS = {"core-site.xml", "hdfs-site.xml"};
  private static final String[] OF_JOBS = {"core-site.xml", "yarn-site.xml", "mapred-site.xml"};

  @Spec private CommandSpec spec;

  @Option(
      names = "--conf",
      paramLabel = "DIR",
      description =
          "Hadoop configuration directory to check (HADOOP_CONF_DIR, else etc/hadoop of the"
              + " installation).")
  private File conf;

  @Option(
      names = "--hadoop-home",
      paramLabel = "DIR",
      description =
          "Installation whose bin/hdfs tells the class path (HADOOP_HOME, else that of hadoop on"
              + " the PATH).")
  private File hadoopHome;

  @Option(
      names = "--classpath",
      paramLabel = "PATH",
      description = "Class path of the daemons, instead of asking bin/hdfs; DIR/* as in Java.")
  private String classPath;

  @Option(names = "--json", description = "Print JSON instead of text.")
  private boolean json;

  private final Function<String, String> environment;

  CheckCommand() {
    this(System::getenv);
  }

  /** For tests: {@code environment} gives environment variables. */
  CheckCommand(Function<String, String> environment) {
    this.environment = environment;
  }

  @Override
  public Integer call() throws InterruptedException {
    File home = home();
    File directory = directory(home);
    HadoopConf hdfs = read(directory, OF_HDFS);
    HadoopConf jobs = read(directory, OF_JOBS);
    ClassPath path = path(home, directory);
    Function<String, String> get = name -> hdfs.get(name, "");
    Map<String, Finding> each = new LinkedHashMap<>();
    for (Finding finding : Preflight.check(hdfs.names(), get, path)) {
      each.put(finding.toString(), finding);
    }
    for (Finding finding : Preflight.keys(jobs.names(), name -> jobs.get(name, ""), path)) {
      each.putIfAbsent(finding.toString(), finding); // of core-site.xml, which both read
    }
    List<Finding> findings = new ArrayList<>(each.values());
    ExitCode code = findings.isEmpty() ? ExitCode.OK : ExitCode.FINDING;
    List<Map<String, Object>> loaded = new ArrayList<>();
    Preflight.named(get).forEach((key, value) -> loaded.add(loaded(key, value, path)));
    Output.print(
        spec,
        json,
        () -> document(code, directory, path, loaded, findings),
        () -> text(directory, path, loaded, findings));
    return code.code();
  }

  private File home() {
    if (hadoopHome != null) {
      if (!hadoopHome.isDirectory()) {
        throw new CommandException(ExitCode.NO_SUCH_PATH, hadoopHome + " is not a directory");
      }
      return hadoopHome;
    }
    return ClusterOptions.hadoopHome(environment);
  }

  private File directory(File home) {
    String named = environment.apply("HADOOP_CONF_DIR");
    File directory = conf;
    if (directory == null && hadoopHome == null && named != null && !named.isEmpty()) {
      directory = new File(named);
    }
    if (directory == null && home != null) {
      directory = ClusterOptions.confOf(home);
    }
    if (directory == null) {
      throw new CommandException(
          ExitCode.COULD_NOT_RUN,
          "no configuration named; give --conf DIR, or set HADOOP_CONF_DIR or HADOOP_HOME");
    }
    if (!directory.isDirectory()) {
      throw new CommandException(
          ExitCode.NO_SUCH_PATH, directory + " is not a directory; give --conf");
    }
    String[] files = directory.list((where, name) -> name.endsWith("-site.xml"));
    if (files == null || files.length == 0) {
      throw new CommandException(ExitCode.COULD_NOT_RUN, directory + " has no *-site.xml");
    }
    return directory;
  }

  private static HadoopConf read(File directory, String... names) {
    List<File> files = new ArrayList<>();
    for (String name : names) {
      File file = new File(directory, name);
      if (file.isFile()) {
        files.add(file);
      }
    }
    try {
      return HadoopConf.read(files.toArray(new File[0]));
    } catch (IOException e) {
      throw new CommandException(ExitCode.COULD_NOT_RUN, e.getMessage(), e);
    }
  }

  private ClassPath path(File home, File directory) throws InterruptedException {
    File lib = InstalledHadoop.ofThisProcess().lib();
    if (classPath != null) {
      return new ClassPath(ClassPath.split(classPath), lib);
    }
    for (String name : new String[] {"bin/hdfs", "bin/hadoop"}) {
      File script = home == null ? null : new File(home, name);
      if (script != null && script.canExecute()) {
        return new ClassPath(ClassPath.ask(script, directory), lib);
      }
    }
    if (hadoopHome != null) {
      throw new CommandException(
          ExitCode.NO_SUCH_PATH, hadoopHome + " has neither bin/hdfs nor bin/hadoop to run");
    }
    return ClassPath.unknown(lib);
  }

  private static Map<String, Object> loaded(StockKey key, String value, ClassPath path) {
    List<String> jars = path.having(value);
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("key", key.key());
    row.put("class", value);
    row.put("jar", jars.isEmpty() ? null : jars.get(0));
    row.put("version", jars.isEmpty() ? null : path.ourJars().get(jars.get(0)));
    return row;
  }

  private static Map<String, Object> document(
      ExitCode code,
      File directory,
      ClassPath path,
      List<Map<String, Object>> loaded,
      List<Finding> findings) {
    Map<String, Object> document = ReportHead.of(SCHEMA, code);
    document.put("conf", directory.getPath());
    document.put("classPathEntries", path.isKnown() ? path.size() : null);
    document.put("hadoopVersion", path.hadoopVersion());
    document.put("classes", loaded);
    document.put("findings", Finding.json(findings));
    return document;
  }

  private static String text(
      File directory, ClassPath path, List<Map<String, Object>> loaded, List<Finding> findings) {
    StringBuilder text = new StringBuilder("Configuration: ").append(directory).append('\n');
    text.append("Class path: ");
    if (!path.isKnown()) {
      text.append(
          "not known, so only keys and values were judged; give --hadoop-home or --classpath\n\n");
    } else {
      String hadoop = path.hadoopVersion();
      text.append(path.size()).append(" entries, Hadoop ");
      text.append(hadoop == null ? "not found" : hadoop).append("\n\n");
    }
    Finding.append(text, findings);
    text.append(findings.isEmpty() ? "No findings.\n\n" : "\n");
    TextTable table = new TextTable("KEY", "CLASS", "VERSION", "JAR");
    for (Map<String, Object> row : loaded) {
      table.add(cell(row, "key"), cell(row, "class"), cell(row, "version"), cell(row, "jar"));
    }
    if (loaded.isEmpty()) {
      text.append("No key names a class: all is stock.\n");
    } else {
      table.appendTo(text);
    }
    return text.toString();
  }

  private static String cell(Map<String, Object> row, String name) {
    Object value = row.get(name);
    return value == null ? "-" : value.toString();
  }
}
