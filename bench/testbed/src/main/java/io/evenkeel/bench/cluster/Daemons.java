package io.evenkeel.bench.cluster;

import io.evenkeel.bench.runtime.Jvm;
import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Writes what a process reads at its start, and starts it. Everything it needs later stands in its
 * own directory, so that it can be started again without knowing the plan.
 *
 * <p>Thread-safe: starting and closing exclude each other, so nothing starts after a Ctrl-C.
 */
final class Daemons {
  private static final String ARGS = "java.args";
  private static final Duration EXEC_LIMIT = Duration.ofSeconds(10);

  private final Path dir;
  private boolean closed; // guarded by this

  Daemons(Path dir) {
    this.dir = dir;
  }

  /** Writes the configuration and JVM arguments of one process; the source address may be null. */
  void prepare(Plan plan, String name, Software software) throws IOException {
    Path node = node(name);
    Files.createDirectories(node.resolve("tmp"));
    writeSites(node.resolve("conf"), plan.conf(name), name.equals(Plan.CLIENT) ? "WARN" : "INFO");
    List<Path> classpath = new ArrayList<>(List.of(node.resolve("conf")));
    classpath.addAll(software.jars());
    classpath.add(dir.resolve("harness"));
    List<String> args = new ArrayList<>(software.jvmArgs());
    args.add("-Xmx" + (name.startsWith("nn") || name.equals("rm") ? 320 : 256) + "m");
    args.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xss512k"));
    args.add("-XX:ErrorFile=" + node.resolve("hs_err.log"));
    args.add("-Djava.io.tmpdir=" + node.resolve("tmp"));
    args.add("-Djdk.net.hosts.file=" + dir.resolve("hosts"));
    args.add("-Dhadoop.log.dir=" + node);
    args.add("-Dyarn.log.dir=" + node);
    args.add("-Dhadoop.home.dir=" + node);
    if (plan.source(name) != null) {
      args.add("-Devenkeel.bench.address=" + plan.source(name));
    }
    args.addAll(plan.options(name));
    args.add("-cp");
    args.add(String.join(File.pathSeparator, classpath.stream().map(Path::toString).toList()));
    Files.writeString(node.resolve(ARGS), argumentFile(args));
  }

  /** The four site files and a log4j configuration that writes to standard error. */
  static void writeSites(Path conf, Map<String, String> keys, String level) throws IOException {
    Files.createDirectories(conf);
    for (Map.Entry<String, Map<String, String>> file : SiteXml.byFile(keys).entrySet()) {
      Files.writeString(conf.resolve(file.getKey()), SiteXml.text(file.getValue()));
    }
    Files.writeString(
        conf.resolve("log4j.properties"),
        """
        log4j.rootLogger=%s,err
        log4j.appender.err=org.apache.log4j.ConsoleAppender
        log4j.appender.err.target=System.err
        log4j.appender.err.layout=org.apache.log4j.PatternLayout
        log4j.appender.err.layout.ConversionPattern=%%d{ISO8601} %%-5p %%c{2}: %%m%%n
        log4j.logger.org.apache.hadoop.util.NativeCodeLoader=ERROR
        log4j.logger.http.requests=WARN
        """
            .formatted(level));
  }

  /** What every task of a job is started with, besides its own options. */
  void writeTaskArguments(Software software) throws IOException {
    List<String> args = new ArrayList<>(software.jvmArgs());
    args.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    args.add("-Djdk.net.hosts.file=" + dir.resolve("hosts"));
    Files.writeString(dir.resolve("conf/task.args"), argumentFile(args));
  }

  /** Puts the one class of ours that daemons load where their class path finds it. */
  void writeHarness() throws IOException {
    String name = Plan.SOCKET_FACTORY.replace('.', '/') + ".class";
    Path target = dir.resolve("harness").resolve(name);
    Files.createDirectories(target.getParent());
    try (InputStream in = Daemons.class.getClassLoader().getResourceAsStream(name)) {
      Files.write(target, in.readAllBytes());
    }
  }

  /** Starts a daemon in a session of its own, so that a terminal's Ctrl-C does not reach it. */
  synchronized Member start(Member member) {
    List<String> arguments = new ArrayList<>(List.of(member.kind().mainClass()));
    Process process = spawn(member.name(), arguments, dir.resolve(member.log()));
    return member.running(process.pid(), Processes.startMillis(process.toHandle()));
  }

  /** Formats the NameNode's directory, and the JournalNodes', in a JVM of its own. */
  synchronized Process format(Member nameNode) {
    return once(nameNode, nameNode.kind().mainClass(), "-format", "-nonInteractive");
  }

  /** Makes the directory of a second NameNode from what the first one has, in the same way. */
  synchronized Process bootstrapStandby(Member nameNode) {
    return once(nameNode, nameNode.kind().mainClass(), "-bootstrapStandby", "-nonInteractive");
  }

  /** Makes a standby active, as an operator does. */
  synchronized Process activate(Member nameNode) {
    return once(
        nameNode,
        "org.apache.hadoop.hdfs.tools.DFSHAAdmin",
        "-transitionToActive",
        nameNode.name());
  }

  private Process once(Member member, String... program) {
    return spawn(member.name(), List.of(program), dir.resolve(member.log()));
  }

  /** True once nothing may be started any more. */
  synchronized boolean closed() {
    return closed;
  }

  /** Ensures that nothing is started from now on. */
  synchronized void close() {
    closed = true;
  }

  /** The command for a client program, with the configuration of that node. */
  List<String> clientCommand(String node, List<String> program) {
    List<String> command = new ArrayList<>(List.of(Jvm.java()));
    command.add("@" + node(node).resolve(ARGS));
    command.addAll(program);
    return command;
  }

  private Process spawn(String name, List<String> program, Path log) {
    if (closed) {
      throw new CommandException(ExitCode.INTERRUPTED, "interrupted");
    }
    List<String> command = new ArrayList<>();
    if (Files.isExecutable(Path.of("/usr/bin/setsid"))) {
      command.add("/usr/bin/setsid");
    }
    command.add(Jvm.java());
    command.addAll(Processes.marks(dir, name));
    command.add("@" + node(name).resolve(ARGS));
    command.addAll(program);
    ProcessBuilder builder = new ProcessBuilder(command).directory(node(name).toFile());
    builder.redirectErrorStream(true).redirectInput(new File("/dev/null"));
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    Map<String, String> env = builder.environment();
    // Settings of an installed Hadoop must not leak in.
    env.keySet().removeIf(k -> k.startsWith("HADOOP_") || k.startsWith("YARN_"));
    env.remove("CLASSPATH");
    env.put("HADOOP_CONF_DIR", node(name).resolve("conf").toString());
    env.put("JAVA_HOME", System.getProperty("java.home"));
    try {
      Process process = builder.start();
      awaitCommandLine(process.toHandle());
      return process;
    } catch (IOException e) {
      throw new CommandException(
          ExitCode.COULD_NOT_RUN, "cannot start " + name + ": " + e.getMessage(), e);
    }
  }

  /**
   * While setsid becomes java the process has no command line, and whoever looks at it would take
   * it for one that has ended.
   */
  private static void awaitCommandLine(ProcessHandle process) {
    Processes.await(
        EXEC_LIMIT,
        () ->
            !process.isAlive()
                || (process.info().command().filter(c -> !c.endsWith("/setsid")).isPresent()
                    && process.info().commandLine().isPresent()));
  }

  /** JVM arguments in the syntax of {@code java @file}. */
  static String argumentFile(List<String> args) {
    StringBuilder text = new StringBuilder();
    for (String arg : args) {
      text.append('"').append(arg.replace("\\", "\\\\").replace("\"", "\\\"")).append("\"\n");
    }
    return text.toString();
  }

  private Path node(String name) {
    return dir.resolve("nodes").resolve(name);
  }
}
