package io.evenkeel.bench.cluster;

import io.evenkeel.bench.runtime.HadoopRuntime;
import io.evenkeel.bench.runtime.Jvm;
import io.evenkeel.bench.runtime.Programs;
import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A cluster of real processes in a directory.
 *
 * <p>Holds nothing but the path: every call reads {@code cluster.json} and the process table anew,
 * so several programs may use the same cluster. Calls that change something exclude each other by a
 * lock in the directory; the loser fails at once. Thread-safe.
 */
public final class Cluster {
  private static final Duration REVIVE_LIMIT = Duration.ofSeconds(120);
  private static final Duration CLIENT_LIMIT = Duration.ofSeconds(30); // it may end a job first
  private static final Duration SOCKET_LIMIT = Duration.ofSeconds(10);

  private static final String TOOLS = "org.apache.hadoop.hdfs.tools.";
  private static final Map<String, String> CLIENT_PROGRAMS =
      new TreeMap<>(
          Map.of(
              "fs", "org.apache.hadoop.fs.FsShell",
              "dfs", "org.apache.hadoop.fs.FsShell",
              "dfsadmin", TOOLS + "DFSAdmin",
              "fsck", TOOLS + "DFSck",
              "storagepolicies", TOOLS + "StoragePolicyAdmin",
              "ec", TOOLS + "ECAdmin",
              "balancer", "org.apache.hadoop.hdfs.server.balancer.Balancer",
              "mover", "org.apache.hadoop.hdfs.server.mover.Mover",
              "jar", "org.apache.hadoop.util.RunJar",
              "examples", "org.apache.hadoop.examples.ExampleDriver"));

  private final Path dir;
  private final Processes processes;

  private Cluster(Path dir) {
    this.dir = dir;
    processes = new Processes(dir);
  }

  /** The cluster of a directory, whether it exists or not. */
  public static Cluster in(Path directory) {
    return new Cluster(directory.toAbsolutePath().normalize());
  }

  /** The directory, absolute. */
  public Path directory() {
    return dir;
  }

  /**
   * Starts a cluster and returns when all DataNodes (and NodeManagers) are live.
   *
   * <p>On failure everything that was started is ended; logs stay until the next start or stop.
   * When the JVM is told to end meanwhile, everything is ended and deleted.
   *
   * @throws CommandException when the directory is not free, a cluster runs in it, or it does not
   *     start in time
   */
  public void start(ClusterRequest request, Consumer<String> progress) {
    ClusterSpec spec = request.checked();
    HadoopRuntime.checkVersion(spec.hadoop());
    try (ClusterDirectory directory = ClusterDirectory.claim(dir)) {
      refuseSecond();
      directory.clear();
      ClusterStart start = new ClusterStart(dir, spec, progress);
      Thread hook = Jvm.atExit("cluster-interrupted", () -> interrupted(start, directory));
      try {
        start.run();
      } catch (RuntimeException e) {
        if (!isInterruption(e)) { // else the hook cleans up
          start.abort();
          cleanUpFailed(directory);
        }
        throw e;
      } finally {
        Jvm.cancelAtExit(hook); // false: the JVM is ending already and the hook does its work
      }
    } catch (IOException e) {
      throw new CommandException(
          ExitCode.COULD_NOT_RUN, "cannot write " + dir + ": " + e.getMessage(), e);
    }
  }

  private static boolean isInterruption(RuntimeException e) {
    return e instanceof CommandException c && c.exitCode() == ExitCode.INTERRUPTED;
  }

  /** The logs of daemons stay for the user to read; without any there is nothing to keep. */
  private void cleanUpFailed(ClusterDirectory directory) throws IOException {
    if (Files.exists(dir.resolve("nodes"))) {
      Files.deleteIfExists(dir.resolve(ClusterState.FILE));
    } else {
      directory.delete();
    }
  }

  private static void interrupted(ClusterStart start, ClusterDirectory directory) {
    start.abort();
    directory.delete();
  }

  private void refuseSecond() {
    List<Long> pids = processes.all().stream().map(ProcessHandle::pid).sorted().toList();
    if (!pids.isEmpty()) {
      throw new CommandException(
          ExitCode.COULD_NOT_RUN,
          "a cluster is running in "
              + dir
              + " (pids "
              + pids
              + "); stop it or choose another --dir");
    }
  }

  /**
   * Looks at every process.
   *
   * @throws CommandException nothing to do, when there is no cluster
   */
  public ClusterStatus status() {
    ClusterState state = state();
    Optional<Map<String, Long>> known = NameNodeView.liveDataNodes(state.webs());
    List<ClusterStatus.Row> rows = new ArrayList<>();
    for (Member m : state.members()) {
      String live = m.kind() == Member.Kind.DATANODE ? said(m, known) : "";
      rows.add(new ClusterStatus.Row(m, processes.alive(m), live));
    }
    return new ClusterStatus(state, rows);
  }

  private static String said(Member m, Optional<Map<String, Long>> live) {
    return live.map(l -> l.containsKey(m.address() + ":" + m.port()) ? "live" : "dead")
        .orElse("unknown");
  }

  /**
   * Kills a process, or all of a host at once, as {@code kill -9} does.
   *
   * @param name such as dn3, nn or host2
   * @return the names of the processes that were alive
   */
  public List<String> kill(String name) {
    return onAlive(name, processes::kill);
  }

  /**
   * Ends a process, or all of a host, in an orderly way: SIGTERM, and kill -9 for what has not
   * ended after 30 s.
   *
   * @param name such as dn3, nn or host2
   * @return the names of the processes that were alive
   */
  public List<String> terminate(String name) {
    return onAlive(name, processes::terminate);
  }

  /** Halts a process, or all of a host, as SIGSTOP does; returns the names of those alive. */
  public List<String> pause(String name) {
    return onAlive(name, alive -> processes.signal(alive, "STOP"));
  }

  /** Lets what {@link #pause} halted go on; returns the names of those alive. */
  public List<String> resume(String name) {
    return onAlive(name, alive -> processes.signal(alive, "CONT"));
  }

  private List<String> onAlive(String name, Consumer<List<ProcessHandle>> action) {
    return change(
        state -> {
          List<Member> alive = state.named(name).stream().filter(processes::alive).toList();
          action.accept(alive.stream().flatMap(m -> processes.find(m).stream()).toList());
          return alive.stream().map(Member::name).toList();
        });
  }

  /** All processes as planned, alive or not, NameNodes first. */
  public List<Member> members() {
    return state().members();
  }

  /** Whether a process runs; a paused one does. */
  public boolean alive(String name) {
    return state().named(name).stream().allMatch(processes::alive);
  }

  /** The directory with a process's configuration files. */
  public Path configuration(String name) {
    return dir.resolve("nodes").resolve(name).resolve("conf");
  }

  /**
   * Replaces the configuration of a process, which reads it at its next start or when it is told
   * to. A reader never sees half a file.
   *
   * @param keys all of its keys
   */
  public void configure(String name, Map<String, String> keys) throws IOException {
    Path conf = configuration(name);
    for (Map.Entry<String, Map<String, String>> file : SiteXml.byFile(keys).entrySet()) {
      Path next = conf.resolve(file.getKey() + ".new");
      Files.writeString(next, SiteXml.text(file.getValue()));
      Files.move(next, conf.resolve(file.getKey()), StandardCopyOption.ATOMIC_MOVE);
    }
  }

  /**
   * Starts what is dead of a process's or host's name, and waits until the NameNode hears of it.
   *
   * @return the names of the processes that were dead
   */
  public List<String> revive(String name) {
    return change(
        state -> {
          List<Member> dead = state.named(name).stream().filter(m -> !processes.alive(m)).toList();
          Daemons daemons = new Daemons(dir);
          ClusterState now = state;
          try {
            for (Member m : dead) {
              // The system closes the sockets of a killed process a moment after it is gone; until
              // then it would be taken for the new one.
              Processes.await(SOCKET_LIMIT, () -> !Addresses.answers(m.address(), m.port()));
              now = now.with(daemons.start(m));
              now.write(dir);
            }
          } catch (IOException e) {
            throw new CommandException(ExitCode.COULD_NOT_RUN, "cannot write " + dir, e);
          }
          awaitBack(now, dead.stream().map(Member::name).toList());
          return dead.stream().map(Member::name).toList();
        });
  }

  private void awaitBack(ClusterState state, List<String> names) {
    List<Member> members = state.members().stream().filter(m -> names.contains(m.name())).toList();
    boolean back =
        Processes.await(REVIVE_LIMIT, () -> members.stream().allMatch(m -> isBack(state, m)));
    if (!back) {
      throw new CommandException(
          ExitCode.COULD_NOT_RUN,
          String.join(", ", names)
              + " not back after "
              + REVIVE_LIMIT.toSeconds()
              + " s; see the log in "
              + dir.resolve("nodes"));
    }
  }

  private boolean isBack(ClusterState state, Member m) {
    if (!processes.alive(m)) {
      throw new CommandException(
          ExitCode.COULD_NOT_RUN, m.name() + " ended again; see " + dir.resolve(m.log()));
    }
    if (m.kind() == Member.Kind.NAMENODE) {
      String web = state.webs().get(state.of(m.kind()).indexOf(m));
      return NameNodeView.liveDataNodes(web).isPresent();
    }
    if (m.kind() != Member.Kind.DATANODE) {
      return Addresses.answers(m.address(), m.port());
    }
    // The NameNode may still take the killed process for alive: ask the new one itself, and want a
    // heartbeat that is younger than it.
    return Addresses.answers(m.address(), m.port())
        && NameNodeView.liveDataNodes(state.webs())
            .map(l -> l.getOrDefault(m.address() + ":" + m.port(), 9L) <= 1)
            .orElse(state.of(Member.Kind.NAMENODE).stream().noneMatch(processes::alive));
  }

  /**
   * Ends every process of the directory, recorded or not, and deletes what the cluster made.
   *
   * @return how many processes were ended
   */
  public int stop() {
    try (ClusterDirectory directory = ClusterDirectory.open(dir)) {
      int ended = processes.stopAll();
      directory.delete();
      return ended;
    }
  }

  /**
   * Ends every process of the directory and keeps all files; {@link #stop} deletes them. Does not
   * wait for a change that is under way, so that it can be called when this JVM ends, and ends what
   * that starts meanwhile.
   */
  public void halt() {
    while (processes.stopAll() > 0) {
      // Again, for what was started meanwhile.
    }
  }

  /**
   * Runs a Hadoop client program against the cluster, with this program's standard streams.
   *
   * @param node whose configuration and address to use, for example dn3; null for a client that
   *     stands on no DataNode
   * @param arguments for example {@code fs -ls /}, or a class name and its arguments
   * @return the exit code of the program
   */
  public int exec(String node, List<String> arguments) {
    List<String> command = clientCommand(node, arguments);
    try {
      return Programs.client(command, CLIENT_LIMIT);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandException(ExitCode.INTERRUPTED, "interrupted", e);
    }
  }

  /**
   * The same with its output in a file.
   *
   * @param limit how long it may take
   * @throws CommandException when it takes longer, or this thread is interrupted
   */
  public int exec(String node, List<String> arguments, Path output, Duration limit) {
    return Programs.run(clientCommand(node, arguments), output, limit, () -> {});
  }

  private List<String> clientCommand(String node, List<String> arguments) {
    ClusterState state = state();
    List<Member> named = node == null ? List.of() : state.named(node);
    if (node != null && named.size() != 1) {
      throw new CommandException(
          ExitCode.USAGE, "--on " + node + ": name one process, such as dn3");
    }
    String where = node == null ? Plan.CLIENT : named.get(0).name(); // node may be a host
    return new Daemons(dir).clientCommand(where, program(arguments));
  }

  /** Replaces the command's name by its class; a class name stays. */
  private static List<String> program(List<String> arguments) {
    String name = arguments.isEmpty() ? "" : arguments.get(0);
    String mainClass = CLIENT_PROGRAMS.getOrDefault(name, name);
    if (!mainClass.contains(".")) {
      throw new CommandException(
          ExitCode.USAGE,
          "say what to run: one of "
              + String.join(", ", CLIENT_PROGRAMS.keySet())
              + ", or a class name; for example: cluster exec -- fs -ls /");
    }
    List<String> program = new ArrayList<>(arguments);
    program.set(0, mainClass);
    return program;
  }

  private <T> T change(Function<ClusterState, T> action) {
    try (ClusterDirectory held = ClusterDirectory.open(dir)) {
      return action.apply(state());
    }
  }

  private ClusterState state() {
    return ClusterState.read(dir)
        .orElseThrow(
            () -> new CommandException(ExitCode.NOTHING_TO_DO, "there is no cluster in " + dir));
  }
}
