package io.evenkeel.cli;

import io.evenkeel.bench.runtime.HadoopRuntime;
import io.evenkeel.cli.check.ClassPath;
import io.evenkeel.cli.check.core.Module;
import io.evenkeel.cli.tools.InstalledHadoop;
import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.cli.ReportHead;
import io.evenkeel.common.cli.TextTable;
import io.evenkeel.common.plugin.Fit;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Says before a restart which modules would be active on a Hadoop. */
@NeedsJava(value = 17, with = "--hadoop")
@Command(
    name = "prove",
    description = {
      "Show which modules fit a Hadoop, by its class files, as its daemons would find at start.",
      "No daemon is asked, and nothing is changed."
    })
final class ProveCommand implements Callable<Integer> {
  private static final String SCHEMA = "evenkeel.prove/1";
  private static final int SHOWN = 10;

  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "HADOOP_HOME",
      description =
          "Installation whose bin/hdfs tells the class path (HADOOP_HOME, else that of hadoop on"
              + " the PATH).")
  private File home;

  @Option(
      names = "--hadoop",
      paramLabel = "VERSION",
      description = "A release of Apache Hadoop instead, fetched with Maven.")
  private String release;

  @Option(
      names = "--classpath",
      paramLabel = "PATH",
      description = "Class path of the daemons, instead of asking bin/hdfs; DIR/* as in Java.")
  private String classPath;

  @Option(
      names = "--module",
      paramLabel = "NAME",
      description = "Only this module: placement, volume, locking, mover or terasort; repeatable.")
  private List<Module> modules = new ArrayList<>();

  @Option(names = "--json", description = "Print JSON instead of text.")
  private boolean json;

  private final Function<String, String> environment;

  ProveCommand() {
    this(System::getenv);
  }

  /** For tests: {@code environment} gives environment variables. */
  ProveCommand(Function<String, String> environment) {
    this.environment = environment;
  }

  @Override
  public Integer call() throws InterruptedException {
    ClassPath path = path();
    if (path.hadoopVersion() == null) {
      throw new CommandException(
          ExitCode.COULD_NOT_RUN, "there is no Hadoop on this class path; see --classpath");
    }
    Map<Module, Fit> proved = new EnumMap<>(Module.class);
    for (Module module : Module.values()) {
      if (modules.isEmpty() || modules.contains(module)) {
        proved.put(module, path.prove(module));
      }
    }
    boolean all = proved.values().stream().allMatch(each -> each.problems().isEmpty());
    ExitCode code = all ? ExitCode.OK : ExitCode.FINDING;
    Output.print(spec, json, () -> document(code, path, proved), () -> text(path, proved));
    return code.code();
  }

  private ClassPath path() throws InterruptedException {
    int given = (home == null ? 0 : 1) + (release == null ? 0 : 1) + (classPath == null ? 0 : 1);
    if (given > 1) {
      throw new CommandException(
          ExitCode.USAGE, "give one of HADOOP_HOME, --hadoop and --classpath");
    }
    File lib = InstalledHadoop.ofThisProcess().lib();
    if (classPath != null) {
      return new ClassPath(ClassPath.split(classPath), lib);
    }
    if (release != null) {
      List<File> jars = new ArrayList<>();
      for (Path jar : HadoopRuntime.resolve(release).classpath()) {
        jars.add(jar.toFile());
      }
      return new ClassPath(jars, lib);
    }
    File installed = home == null ? ClusterOptions.hadoopHome(environment) : home;
    if (installed == null) {
      throw new CommandException(
          ExitCode.USAGE, "name a Hadoop: HADOOP_HOME, --hadoop VERSION or --classpath PATH");
    }
    if (!installed.isDirectory()) {
      throw new CommandException(ExitCode.NO_SUCH_PATH, installed + " is not a directory");
    }
    for (String name : new String[] {"bin/hdfs", "bin/hadoop"}) {
      File script = new File(installed, name);
      if (script.canExecute()) {
        return new ClassPath(ClassPath.ask(script, ClusterOptions.confOf(installed)), lib);
      }
    }
    throw new CommandException(
        ExitCode.NO_SUCH_PATH, installed + " has neither bin/hdfs nor bin/hadoop to run");
  }

  private static String word(Module module) {
    return module.name().toLowerCase(Locale.ROOT);
  }

  private static Map<String, Object> document(
      ExitCode code, ClassPath path, Map<Module, Fit> proved) {
    Map<String, Object> document = ReportHead.of(SCHEMA, code);
    document.put("hadoopVersion", path.hadoopVersion());
    List<Object> rows = new ArrayList<>();
    proved.forEach(
        (module, of) -> {
          Map<String, Object> row = new LinkedHashMap<>();
          row.put("module", word(module));
          row.put("fits", of.problems().isEmpty());
          row.put("lookedAt", of.lookedAt().isEmpty() ? null : of.lookedAt());
          row.put("problems", of.problems());
          rows.add(row);
        });
    document.put("modules", rows);
    return document;
  }

  private static String text(ClassPath path, Map<Module, Fit> proved) {
    StringBuilder text = new StringBuilder("Hadoop ").append(path.hadoopVersion()).append("\n\n");
    TextTable table = new TextTable("MODULE", "AT START", "LOOKED AT");
    proved.forEach(
        (module, of) ->
            table.add(
                word(module),
                of.problems().isEmpty() ? "active" : module.otherwise(),
                of.lookedAt().isEmpty() ? "-" : of.lookedAt()));
    table.appendTo(text);
    proved.forEach(
        (module, of) -> {
          int more = of.problems().size() - SHOWN;
          of.problems().stream()
              .limit(SHOWN)
              .forEach(each -> text.append('\n').append(word(module)).append(": ").append(each));
          if (more > 0) {
            text.append('\n').append(word(module)).append(": and ").append(more);
            text.append(" more; --json shows all");
          }
        });
    return text.append(text.charAt(text.length() - 1) == '\n' ? "" : "\n").toString();
  }
}
