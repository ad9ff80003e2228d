package io.evenkeel.cli;

import io.evenkeel.bench.runtime.HadoopRuntime;
import io.evenkeel.cli.check.ClassPath;
import io.evenkeel.cli.check.TrialRun;
import io.evenkeel.cli.check.core.Module;
import io.evenkeel.cli.tools.InstalledHadoop;
import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.cli.ReportHead;
import io.evenkeel.common.cli.TextTable;
import io.evenkeel.common.plugin.Fit;
import io.evenkeel.common.proof.Acceptance;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Says before a restart which modules would be active on a Hadoop. */
@NeedsJava(value = 17, with = "--hadoop")
@Command(
    name = "prove",
    description = {
      "Show which modules fit a Hadoop, by its class files, as its daemons would find at start.",
      "No daemon is asked, and nothing is changed.",
      "With --run each module is also tried on a cluster of its own, in a scratch directory."
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
      converter = ModuleName.class,
      description = "Only this module: placement, volume, locking, mover or terasort; repeatable.")
  private List<Module> modules = new ArrayList<>();

  @Option(
      names = "--run",
      description =
          "Try what each module does on this Hadoop, some minutes each. One that is only unknown"
              + " and passes is accepted by a file beside its jar, which daemons read.")
  private boolean run;

  @Option(
      names = "--java",
      paramLabel = "HOME",
      description = "Java to try on, which should be the daemons' (JAVA_HOME, else this one).")
  private File java;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "Where --run makes its scratch directory (that of the system).")
  private File scratch;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where --run puts the files that accept, instead of beside the jars.")
  private File out;

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
    if (!run && (java != null || scratch != null || out != null)) {
      throw new CommandException(ExitCode.USAGE, "--java, --dir and --out go with --run");
    }
    ClassPath path = path();
    if (path.hadoopVersion() == null) {
      throw new CommandException(
          ExitCode.COULD_NOT_RUN,
          "there is no Hadoop on this class path (no hadoop-common jar); see --classpath");
    }
    Map<Module, Proved> proved = new EnumMap<>(Module.class);
    for (Module module : Module.values()) {
      if (modules.isEmpty() || modules.contains(module)) {
        proved.put(module, new Proved(path.prove(module)));
      }
    }
    if (run) {
      runAll(path, proved);
    }
    boolean all = proved.values().stream().allMatch(Proved::isGood);
    ExitCode code = all ? ExitCode.OK : ExitCode.FINDING;
    Output.print(spec, json, () -> document(code, path, proved), () -> text(path, proved));
    return code.code();
  }

  /** What is known of a module. */
  private static final class Proved {
    private final Fit fit;
    private List<TrialRun.Step> steps;
    private Path log;
    private Path accepted;

    Proved(Fit fit) {
      this.fit = fit;
    }

    boolean hasPassed() {
      return steps != null && steps.stream().allMatch(TrialRun.Step::isOk);
    }

    boolean isGood() {
      boolean fits = fit.problems().isEmpty() || accepted != null;
      return fits && (steps == null || hasPassed());
    }

    String atStart(Module module) {
      if (accepted != null) {
        return "active, with the file below";
      }
      return fit.problems().isEmpty() ? "active" : module.otherwise(fit);
    }

    /** What came of the trial, in a sentence. */
    String outcome() {
      if (steps == null) {
        return "not tried: it cannot work on this Hadoop";
      }
      long ok = steps.stream().filter(TrialRun.Step::isOk).count();
      if (hasPassed()) {
        return "all " + ok + " steps passed";
      }
      boolean tried = steps.stream().anyMatch(TrialRun.Step::isTried);
      return tried ? ok + " of " + steps.size() + " steps passed" : "it could not be tried here";
    }
  }

  private void runAll(ClassPath path, Map<Module, Proved> proved) throws InterruptedException {
    for (Map.Entry<Module, Proved> each : proved.entrySet()) {
      if (each.getValue().fit.isToBeTried()) {
        checkWritable(acceptedBy(path, each.getKey()));
      }
    }
    File parent = scratch == null ? new File(System.getProperty("java.io.tmpdir")) : scratch;
    TrialRun trial = new TrialRun(path, javaHome(), parent.toPath());
    try {
      for (Map.Entry<Module, Proved> each : proved.entrySet()) {
        runOne(path, trial, each.getKey(), each.getValue());
      }
    } finally {
      if (proved.values().stream().allMatch(of -> of.log == null)) {
        trial.clear();
      }
    }
  }

  private void runOne(ClassPath path, TrialRun trial, Module module, Proved of)
      throws InterruptedException {
    boolean fits = of.fit.problems().isEmpty();
    if (fits || of.fit.isToBeTried()) { // else something is missing that it refers to
      List<String> lines = fits ? null : path.acceptance(module);
      of.steps = trial.run(module, !fits, Output.progress(spec));
      of.log = of.hasPassed() ? null : trial.log(word(module));
      of.accepted = !fits && of.hasPassed() ? accept(path, module, lines) : null;
    }
  }

  private File javaHome() {
    String home = environment.apply("JAVA_HOME");
    boolean set = home != null && !home.isEmpty();
    return java != null ? java : new File(set ? home : System.getProperty("java.home"));
  }

  /** Where the file goes that accepts a module. */
  private Path acceptedBy(ClassPath path, Module module) {
    if (out != null) {
      return out.toPath().resolve(Acceptance.fileName(word(module)));
    }
    File jar =
        path.jarOf(module)
            .orElseThrow(
                () ->
                    new CommandException(
                        ExitCode.COULD_NOT_RUN,
                        "there is no jar of " + word(module) + "; see --out"));
    try {
      return Acceptance.fileOf(jar.toPath(), word(module));
    } catch (IOException e) {
      throw new CommandException(ExitCode.COULD_NOT_RUN, jar + " cannot be found", e);
    }
  }

  /** Before a trial of minutes. */
  private static void checkWritable(Path file) {
    Path folder = file.getParent();
    if (!Files.isDirectory(folder)) {
      throw new CommandException(ExitCode.NO_SUCH_PATH, folder + " is not a directory");
    }
    if (!Files.isWritable(Files.exists(file) ? file : folder)) {
      throw new CommandException(
          ExitCode.DENIED,
          "you may not write " + file + ", which would accept the module; see --out");
    }
  }

  private Path accept(ClassPath path, Module module, List<String> tried) {
    if (!path.acceptance(module).equals(tried)) {
      throw new CommandException(
          ExitCode.COULD_NOT_RUN,
          "jars of this Hadoop have changed during the trial of "
              + word(module)
              + "; run it again");
    }
    List<String> lines = new ArrayList<>();
    lines.add("# " + word(module) + " passed 'evenkeel prove --run' on " + LocalDate.now());
    lines.add("# with Hadoop " + path.hadoopVersion() + " and Java of " + javaHome());
    lines.addAll(tried);
    Path file = acceptedBy(path, module);
    try {
      return Files.write(file, lines);
    } catch (IOException e) {
      throw new CommandException(ExitCode.COULD_NOT_RUN, "cannot write " + file + "; see --out", e);
    }
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
      ExitCode code, ClassPath path, Map<Module, Proved> proved) {
    Map<String, Object> document = ReportHead.of(SCHEMA, code);
    document.put("hadoopVersion", path.hadoopVersion());
    List<Object> rows = new ArrayList<>();
    proved.forEach(
        (module, of) -> {
          Map<String, Object> row = new LinkedHashMap<>();
          row.put("module", word(module));
          row.put("fits", of.fit.problems().isEmpty());
          row.put("lookedAt", of.fit.lookedAt().isEmpty() ? null : of.fit.lookedAt());
          row.put("problems", of.fit.problems());
          row.put("toBeTried", of.fit.isToBeTried());
          row.put("switchedOn", of.atStart(module));
          row.put("trial", of.steps == null ? null : steps(of.steps));
          row.put("log", of.log == null ? null : of.log.toString());
          row.put("accepted", of.accepted == null ? null : of.accepted.toString());
          rows.add(row);
        });
    document.put("modules", rows);
    return document;
  }

  private static List<Object> steps(List<TrialRun.Step> steps) {
    List<Object> rows = new ArrayList<>();
    for (TrialRun.Step step : steps) {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("step", step.says());
      row.put("result", step.result());
      row.put("why", step.why().isEmpty() ? null : step.why());
      rows.add(row);
    }
    return rows;
  }

  private String text(ClassPath path, Map<Module, Proved> proved) {
    StringBuilder text = new StringBuilder("Hadoop ").append(path.hadoopVersion()).append("\n\n");
    TextTable table = new TextTable("MODULE", "IF SWITCHED ON", "LOOKED AT");
    proved.forEach(
        (module, of) ->
            table.add(
                word(module),
                of.atStart(module),
                of.fit.lookedAt().isEmpty() ? "-" : of.fit.lookedAt()));
    table.appendTo(text);
    proved.forEach(
        (module, of) -> {
          List<String> problems = of.fit.problems();
          String accepted = of.accepted == null ? "" : "accepted: ";
          problems.stream().limit(SHOWN).forEach(each -> line(text, module, accepted + each));
          int more = problems.size() - SHOWN;
          if (more > 0) {
            line(text, module, "and " + more + " more; --json shows all");
          }
          conclude(text, module, of);
        });
    return text.append(text.charAt(text.length() - 1) == '\n' ? "" : "\n").toString();
  }

  private void conclude(StringBuilder text, Module module, Proved of) {
    if (!run) {
      if (of.fit.isToBeTried()) {
        line(text, module, "only unknown: --run tries whether it works, and can accept it");
      } else if (!of.fit.problems().isEmpty()) {
        line(text, module, "it cannot work on this Hadoop: leave it switched off");
      }
      return;
    }
    line(text, module, of.outcome());
    for (TrialRun.Step step : of.steps == null ? new ArrayList<TrialRun.Step>() : of.steps) {
      if (!step.isOk() && (step.isTried() || !step.why().isEmpty())) {
        line(text, module, step.result() + ": " + step.says());
        if (!step.why().isEmpty()) {
          line(text, module, "  " + step.why());
        }
      }
    }
    if (of.log != null) {
      line(text, module, "see " + of.log + "; until that is understood leave it switched off");
    }
    if (of.accepted != null) {
      line(text, module, "accepted by " + of.accepted);
      line(text, module, "it belongs beside the jar on every host, readable for the daemon");
    }
  }

  private static void line(StringBuilder text, Module module, String says) {
    text.append('\n').append(word(module)).append(": ").append(says);
  }

  /** Takes the name of a jar, too. */
  static final class ModuleName implements ITypeConverter<Module> {
    @Override
    public Module convert(String name) {
      List<String> names = new ArrayList<>();
      for (Module module : Module.values()) {
        String artifact = module.artifact().substring("evenkeel-".length());
        if (word(module).equalsIgnoreCase(name) || artifact.equalsIgnoreCase(name)) {
          return module;
        }
        names.add(word(module));
      }
      throw new TypeConversionException(
          "expected one of " + String.join(", ", names) + " but was '" + name + "'");
    }
  }
}
