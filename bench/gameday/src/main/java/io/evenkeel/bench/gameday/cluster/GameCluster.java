package io.evenkeel.bench.gameday.cluster;

import io.evenkeel.bench.cluster.Cluster;
import io.evenkeel.bench.cluster.ClusterRequest;
import io.evenkeel.bench.gameday.cluster.ClusterView.LiveDataNode;
import io.evenkeel.bench.gameday.fault.ControlFile;
import io.evenkeel.bench.gameday.fault.FaultAgent;
import io.evenkeel.bench.gameday.fault.ReplicaLine;
import io.evenkeel.bench.gameday.schedule.Fault;
import io.evenkeel.bench.gameday.schedule.Fault.Kind;
import io.evenkeel.bench.runtime.Jvm;
import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.RollingUpgradeAction;

/**
 * A cluster of real processes on which faults begin and end. Faults may overlap in any way: what a
 * DataNode is to be follows from all that last ({@link LastingFaults}).
 *
 * <p>Thread-safe; beginnings and ends exclude each other, and each returns when the fault is in
 * force or over, or throws when it is not within its limit. What cannot be told at the moment,
 * because the process is dead or paused or the NameNode is, is in force as soon as it is back.
 */
public final class GameCluster implements AutoCloseable {
  /** Of a DataNode, in its directory. */
  public static final String CONTROL_FILE = "faults.txt"; // in the process's directory

  private static final Set<String> OUT_OF_SERVICE = Set.of("Decommissioned", "In Maintenance");
  private static final Duration START_LIMIT = Duration.ofMinutes(4);
  private static final Duration IN_FORCE_LIMIT = Duration.ofSeconds(30);
  private static final Duration LIVE_LIMIT = Duration.ofMinutes(2);
  private static final Duration RECONFIGURE_LIMIT = Duration.ofSeconds(60);
  private static final Duration SETTLE = Duration.ofSeconds(2);
  private static final long POLL_MILLIS = 100;

  private final Path dir;
  private final Cluster cluster;
  private final ClusterView view;
  private final NameNodes nameNodes;
  private final Map<String, Map<String, String>> original = new LinkedHashMap<>(); // as started
  private final Thread endsAll; // when this JVM ends before the cluster does
  private final LastingFaults lasting; // guarded by this
  private final Set<String> endedByThemselves = new TreeSet<>(); // guarded by this
  private String killedNameNode = ""; // of two; guarded by this
  private long version; // of control files, of all DataNodes together; guarded by this

  /** Something that is waited for. */
  private interface Check {
    boolean holds() throws IOException;
  }

  private GameCluster(Path dir, Cluster cluster, List<String> volumeTypes) {
    this.dir = dir;
    this.cluster = cluster;
    endsAll = Jvm.atExit("game-cluster", cluster::halt);
    view = new ClusterView(cluster, volumeTypes);
    nameNodes = new NameNodes(view);
    lasting = new LastingFaults(view.dataNodes());
    for (DataNodePlace node : view.dataNodes()) {
      Map<String, String> keys = new LinkedHashMap<>();
      view.conf(node.name()).forEach(entry -> keys.put(entry.getKey(), entry.getValue()));
      original.put(node.name(), keys);
    }
  }

  /**
   * Starts a cluster in a directory, which may hold one that was halted, and returns when all
   * DataNodes are live and their disks can be made to fail.
   *
   * @param progress gets a line before anything slow
   */
  public static GameCluster start(
      Path directory, ClusterDescription description, Consumer<String> progress)
      throws IOException {
    Path dir = Files.createDirectories(directory.toAbsolutePath().normalize());
    FaultAgent.pack(agent(dir));
    Files.writeString(hosts(dir), "[]\n");
    Cluster cluster = in(dir);
    cluster.start(request(dir, description), progress);
    boolean done = false;
    try {
      GameCluster game = new GameCluster(dir, cluster, description.volumes());
      game.prepare();
      done = true;
      return game;
    } finally {
      if (!done) {
        cluster.halt(); // its logs may tell why
      }
    }
  }

  private static Cluster in(Path dir) {
    return Cluster.in(dir.resolve("cluster"));
  }

  /**
   * Ends all processes of the cluster in a directory, also while it starts, and keeps its files.
   */
  public static void halt(Path dir) {
    in(dir).halt();
  }

  private static Path agent(Path dir) {
    return dir.resolve("agent.jar");
  }

  private static Path hosts(Path dir) {
    return dir.resolve("hosts.json");
  }

  private static ClusterRequest request(Path dir, ClusterDescription description) {
    Map<String, String> keys = new LinkedHashMap<>();
    keys.put("dfs.datanode.plugins", FaultAgent.class.getName());
    keys.put("dfs.hosts", hosts(dir).toString());
    keys.put(
        "dfs.namenode.hosts.provider.classname",
        "org.apache.hadoop.hdfs.server.blockmanagement.CombinedHostFileManager");
    keys.put("dfs.namenode.redundancy.interval.seconds", "1");
    keys.put("dfs.namenode.decommission.interval", "1");
    // A copy that a killed DataNode was to make is ordered again after this, not after 5 minutes.
    keys.put("dfs.namenode.reconstruction.pending.timeout-sec", "30");
    keys.put("dfs.blockreport.intervalMsec", "30000");
    keys.put("dfs.datanode.max.locked.memory", Integer.toString(64 << 20)); // RAM_DISK needs it
    keys.put("dfs.datanode.non.local.lazy.persist", "true"); // the load stands on no DataNode
    keys.put("dfs.datanode.du.reserved", Integer.toString(1 << 20));
    keys.put("dfs.datanode.directoryscan.interval", "-1");
    keys.put("dfs.datanode.disk.check.min.gap", "1s");
    keys.put("dfs.datanode.failed.volumes.tolerated", "-1"); // runs while it has one
    if (description.yarn()) { // of the files of a job; there are four hosts
      keys.put("mapreduce.client.submit.file.replication", "3");
    }
    keys.putAll(description.conf());
    List<String> conf = new ArrayList<>();
    keys.forEach((key, value) -> conf.add(key + "=" + value));
    return new ClusterRequest()
        .layout(
            description.layout().hosts(),
            description.layout().vmsPerHost(),
            description.layout().racks())
        .nameNodes(description.nameNodes())
        .hadoop(description.hadoop())
        .volumes(description.volumes())
        .plugins(description.plugins())
        .jars(description.jars())
        .yarn(description.yarn())
        .conf(conf)
        // Of each process that runs game days its own: another cluster must not take the ports of a
        // DataNode that is dead for a while. No address needs more than 24.
        .portsFrom(20_000 + 24 * (int) (ProcessHandle.current().pid() % 500))
        .dataNodeOptions(List.of("-javaagent:" + agent(dir) + "=" + CONTROL_FILE))
        .timeout(START_LIMIT);
  }

  private synchronized void prepare() throws IOException {
    refreshNodes();
    for (DataNodePlace node : view.dataNodes()) {
      order(node, "");
    }
  }

  /** What the daemons say, and how to reach them. */
  public ClusterView view() {
    return view;
  }

  /**
   * Runs a client program of Hadoop, such as {@code balancer}, as a process of its own.
   *
   * @param node whose configuration it uses; null for a client that stands nowhere
   * @param output name of the file that gets what it prints, see {@link #output}
   * @return its exit code
   * @throws CommandException when it takes longer than the limit, or this thread is interrupted
   */
  public int run(String node, List<String> arguments, String output, Duration limit) {
    return cluster.exec(node, arguments, output(output), limit); // beside faults: not synchronized
  }

  /** Where {@link #run} has a program print. */
  public Path output(String name) {
    return dir.resolve(name);
  }

  /** The faults that have begun and not ended. */
  public synchronized List<Fault> lasting() {
    return lasting.all();
  }

  /**
   * Begins a fault. It lasts even when this throws, until {@link #end} or {@link #calm}.
   *
   * @throws IOException when it is not in force within its limit, says why
   * @throws IllegalArgumentException when its target or volume is nowhere; then nothing has begun
   */
  public synchronized void begin(Fault fault) throws IOException {
    if (fault.kind() == Kind.FAILOVER && !view.hasTwoNameNodes()) {
      throw new IllegalArgumentException("there is one NameNode only for " + fault);
    }
    noteEnded(fault);
    lasting.add(fault);
    if (fault.kind() == Kind.KILL_NAMENODE) {
      killNameNode();
    } else if (fault.kind() == Kind.FAILOVER) {
      nameNodes.failOver();
    } else if (fault.kind() == Kind.KILL_HOST) {
      cluster.kill(fault.target()); // all at once, as when a host loses power
    } else if (fault.kind() == Kind.ROLLING_UPGRADE) {
      rollingUpgrade(RollingUpgradeAction.PREPARE);
    }
    Problems problems = new Problems();
    for (DataNodePlace node : lasting.targets(fault)) {
      problems.collect(() -> begin(fault.kind(), node));
    }
    problems.raise();
  }

  /** Remembers which processes are dead that ought to live, before a fault hides that. */
  private void noteEnded(Fault fault) {
    if (fault.kind() == Kind.KILL_NAMENODE && !lasting.nameNodeKilled()) {
      noteEnded(view.nameNodes());
    }
    noteEnded(
        lasting.targets(fault).stream()
            .filter(lasting::shallLive)
            .map(DataNodePlace::name)
            .toList());
  }

  private void noteEnded(List<String> processes) {
    processes.stream().filter(name -> !cluster.alive(name)).forEach(endedByThemselves::add);
  }

  /** Of two NameNodes the other one takes over, as a failover controller has it do. */
  private void killNameNode() throws IOException {
    if (!view.hasTwoNameNodes()) {
      cluster.kill(ClusterView.NAMENODE);
    } else if (killedNameNode.isEmpty()) {
      String active = view.activeNameNode();
      killedNameNode = active;
      cluster.kill(active);
      nameNodes.activate(nameNodes.other(active));
    }
  }

  private void begin(Kind kind, DataNodePlace node) throws IOException {
    switch (kind) {
      case KILL_DATANODE, KILL_HOST -> cluster.kill(node.name());
      case PAUSE_DATANODE -> cluster.pause(node.name());
      case HANG_VOLUME, HANG_CREATIONS, SLOW_VOLUME, FULL_VOLUME, FAIL_VOLUME -> order(node, "");
      case REMOVE_VOLUME -> reconfigure(node);
      case DECOMMISSION, MAINTENANCE -> setAdminState(node);
      case RESTART_DATANODE -> restart(node);
      case RESTART_WITH_STOCK -> {
        configure(node);
        restart(node);
      }
      case KILL_NAMENODE, ROLLING_UPGRADE, FAILOVER ->
          throw new IllegalStateException("concerns no DataNode");
    }
  }

  /**
   * Ends a fault, and returns when processes are registered again and volumes are back.
   *
   * @throws IOException when that is not so within its limit, says what is missing; the fault is
   *     over all the same
   * @throws IllegalArgumentException when it has not begun
   */
  public synchronized void end(Fault fault) throws IOException {
    noteEnded(fault);
    lasting.remove(fault);
    if (fault.kind() == Kind.KILL_NAMENODE && !lasting.nameNodeKilled()) {
      reviveNameNodes();
      nameNodes.requireActive();
      for (DataNodePlace node : view.dataNodes()) {
        awaitLive(node);
      }
      awaitStandby();
    }
    if (fault.kind() == Kind.ROLLING_UPGRADE) {
      rollingUpgrade(RollingUpgradeAction.FINALIZE);
    }
    List<DataNodePlace> targets = lasting.targets(fault);
    if (fault.kind() == Kind.KILL_HOST && targets.stream().noneMatch(lasting::killed)) {
      cluster.revive(fault.target()); // all together, which is faster
    }
    Problems problems = new Problems();
    for (DataNodePlace node : targets) {
      problems.collect(() -> end(fault.kind(), node));
    }
    problems.raise();
  }

  private void reviveNameNodes() {
    killedNameNode = "";
    view.nameNodes().forEach(cluster::revive);
  }

  /** Waits until of two NameNodes one is active and the other one could be at once. */
  private void awaitStandby() throws IOException {
    if (view.hasTwoNameNodes()) {
      await(
          "a NameNode is standby, out of safe mode, and holds all DataNodes for alive",
          LIVE_LIMIT,
          () -> {
            String standby = nameNodes.other(view.activeNameNode());
            Set<String> live = view.live(standby).keySet();
            return view.haState(standby).equals(ClusterView.STANDBY)
                && !view.safeMode(standby)
                && view.dataNodes().stream()
                    .filter(this::reachable)
                    .allMatch(node -> live.contains(node.name()));
          });
    }
  }

  private void end(Kind kind, DataNodePlace node) throws IOException {
    switch (kind) {
      case KILL_DATANODE, KILL_HOST -> start(node);
      case PAUSE_DATANODE -> {
        if (!lasting.paused(node)) {
          cluster.resume(node.name());
          awaitLive(node);
          adjustVolumes(node);
        }
      }
      case HANG_VOLUME, HANG_CREATIONS -> {
        order(node, "");
        adjustVolumes(node);
      }
      case SLOW_VOLUME, FULL_VOLUME -> order(node, "");
      case FAIL_VOLUME -> {
        order(node, "");
        start(node); // one that has lost its last volume ends
        // A check that failed just before may take a moment to have its effect.
        pause(SETTLE.toMillis());
        adjustVolumes(node);
      }
      case REMOVE_VOLUME -> reconfigure(node);
      case DECOMMISSION, MAINTENANCE -> setAdminState(node);
      case RESTART_WITH_STOCK -> {
        configure(node);
        restart(node);
      }
      case RESTART_DATANODE, KILL_NAMENODE, ROLLING_UPGRADE, FAILOVER -> {}
    }
  }

  /**
   * Waits until whatever is being taken out of service is.
   *
   * @return names of the DataNodes that were not in time
   */
  public synchronized List<String> awaitOutOfService(Duration limit) {
    List<String> left = new ArrayList<>();
    for (DataNodePlace node : view.dataNodes()) {
      if (!lasting.inService(node)) {
        try {
          await(
              node.name() + " is out of service",
              limit,
              () -> {
                LiveDataNode live = view.live().get(node.name());
                return live != null && OUT_OF_SERVICE.contains(live.adminState());
              });
        } catch (IOException e) {
          left.add(node.name());
        }
      }
    }
    return left;
  }

  /**
   * Ends every fault that still lasts and waits until all DataNodes are live, in service and have
   * all their volumes, and the NameNode is out of safe mode; of two NameNodes one has to be active
   * and one standby. Goes on after a failure, and starts a process that ended by itself, now or
   * before a fault after which it was started.
   *
   * @throws IOException when anything was not as it should be, says all of it
   */
  public synchronized void calm() throws IOException {
    Problems problems = new Problems();
    List<Fault> rest = new ArrayList<>(lasting.all());
    Collections.reverse(rest);
    // Without a NameNode nobody could tell that a DataNode is back.
    rest.sort(Comparator.comparing(fault -> fault.kind() != Kind.KILL_NAMENODE));
    for (Fault fault : rest) {
      problems.collect(() -> end(fault));
    }
    for (String nameNode : view.nameNodes()) {
      problems.collect(() -> requireAlive(nameNode));
    }
    reviveNameNodes();
    problems.collect(nameNodes::requireActive);
    for (DataNodePlace node : view.dataNodes()) {
      problems.collect(() -> requireAlive(node.name()));
      problems.collect(() -> start(node));
      problems.collect(() -> awaitLive(node));
      problems.collect(() -> adjustVolumes(node));
    }
    problems.collect(() -> leaveSafeMode());
    problems.collect(() -> awaitStandby());
    for (String process : endedByThemselves) {
      problems.collect(() -> ended(process));
    }
    endedByThemselves.clear();
    problems.raise();
  }

  private void rollingUpgrade(RollingUpgradeAction action) throws IOException {
    try (DistributedFileSystem fs = administrator()) {
      if (action == RollingUpgradeAction.PREPARE && !view.hasTwoNameNodes()) {
        // It needs an image to go back to, which otherwise the standby writes.
        fs.setSafeMode(SafeModeAction.ENTER);
        try {
          fs.rollingUpgrade(action);
        } finally {
          fs.setSafeMode(SafeModeAction.LEAVE);
        }
      } else {
        fs.rollingUpgrade(action);
      }
    }
  }

  /** Waits for the end of safe mode, and ends one that does not as an operator would. */
  private void leaveSafeMode() throws IOException {
    try {
      await("the NameNode leaves safe mode", LIVE_LIMIT, () -> !view.safeMode());
    } catch (IOException e) {
      try (DistributedFileSystem fs = administrator()) {
        fs.setSafeMode(SafeModeAction.FORCE_EXIT);
      }
      throw e;
    }
  }

  private DistributedFileSystem administrator() throws IOException {
    return (DistributedFileSystem) FileSystem.newInstance(view.rpc(), view.client());
  }

  private void requireAlive(String process) throws IOException {
    if (!cluster.alive(process)) {
      endedByThemselves.remove(process); // once is enough
      ended(process);
    }
  }

  private static void ended(String process) throws IOException {
    throw new IOException(process + " has ended by itself; see its log");
  }

  /**
   * The replica map of a DataNode at one moment.
   *
   * @throws IOException when it does not tell within 30 s, as while a disk hangs
   */
  public synchronized List<ReplicaLine> replicas(String dataNode) throws IOException {
    DataNodePlace node = view.dataNode(dataNode);
    Path dump = file(node, "replicas-" + (version + 1));
    order(node, dump.toString());
    await(dataNode + " tells its replicas", IN_FORCE_LIMIT, () -> Files.exists(dump));
    List<ReplicaLine> lines = new ArrayList<>();
    for (String line : Files.readAllLines(dump)) {
      lines.add(ReplicaLine.parse(line));
    }
    Files.delete(dump);
    order(node, ""); // a DataNode that starts anew would list them once more
    return lines;
  }

  /** Ends all processes and keeps logs and data, for a look at them. */
  public synchronized void halt() {
    cluster.halt();
    Jvm.cancelAtExit(endsAll);
  }

  /** Ends all processes and deletes what the cluster made. */
  @Override
  public synchronized void close() throws IOException {
    cluster.stop();
    Jvm.cancelAtExit(endsAll);
    Files.deleteIfExists(agent(dir));
    Files.deleteIfExists(hosts(dir));
  }

  private Path file(DataNodePlace node, String name) {
    return cluster.configuration(node.name()).resolveSibling(name);
  }

  /** Writes a DataNode's control file and waits until it is in force, where the process can. */
  private void order(DataNodePlace node, String dump) throws IOException {
    version++;
    write(file(node, CONTROL_FILE), new ControlFile(version, lasting.orders(node), dump).toText());
    awaitInForce(node, version);
  }

  private void awaitInForce(DataNodePlace node, long wanted) throws IOException {
    await(
        node.name() + " follows its control file",
        IN_FORCE_LIMIT,
        () -> !reachable(node) || inForce(node, wanted));
  }

  private boolean inForce(DataNodePlace node, long wanted) throws IOException {
    DataNodeState state = view.state(node.name());
    if (!state.problem().isEmpty()) {
      throw new IOException(state.problem());
    }
    return state.version() >= wanted || (state.version() < 0 && lasting.nameNodeKilled());
  }

  private boolean reachable(DataNodePlace node) {
    return !lasting.paused(node) && cluster.alive(node.name());
  }

  private static void write(Path file, String text) throws IOException {
    Path next = file.resolveSibling(file.getFileName() + ".new");
    Files.writeString(next, text);
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE); // others read it at any time
  }

  private void configure(DataNodePlace node) throws IOException {
    cluster.configure(node.name(), lasting.conf(node, original.get(node.name())));
  }

  /**
   * Writes a DataNode's configuration and has the process read it. While a disk hangs, that may not
   * come to its end, and is not waited for; {@link #adjustVolumes} does the rest.
   */
  private void reconfigure(DataNodePlace node) throws IOException {
    configure(node);
    if (!reachable(node)) {
      return;
    }
    String address = original.get(node.name()).get("dfs.datanode.ipc.address");
    try (Reconfiguration task = new Reconfiguration(view.client(), address)) {
      if (!ends(task, node)) { // an earlier one
        return;
      }
      boolean hadMemory = hasMemory(node);
      task.start();
      if (!ends(task, node)) {
        return;
      }
      List<String> errors = task.errors();
      if (!errors.isEmpty()) {
        throw new IOException(node.name() + " was not reconfigured: " + errors);
      }
      if (!hadMemory && hasMemory(node)) {
        // Otherwise nothing in memory is ever saved again, and the log fills its disk: stock's.
        restart(node);
      }
    }
  }

  private boolean hasMemory(DataNodePlace node) throws IOException {
    return view.state(node.name()).volumes().stream()
        .anyMatch(volume -> volume.type().equals("RAM_DISK") && !volume.removed());
  }

  /** Waits for the end of a reconfiguration; false when a hang may be what it waits for. */
  private boolean ends(Reconfiguration task, DataNodePlace node) throws IOException {
    boolean hangs = lasting.hangs(node);
    try {
      String what = node.name() + " ends its reconfiguration";
      await(what, hangs ? SETTLE : RECONFIGURE_LIMIT, task::ended);
      return true;
    } catch (IOException e) {
      if (hangs) {
        return false;
      }
      throw e;
    }
  }

  /**
   * Has a DataNode take out or put back volumes where it does not have those it should, as one that
   * gave up a volume which failed, or that could not be told.
   */
  private void adjustVolumes(DataNodePlace node) throws IOException {
    boolean failing = lasting.all().stream().anyMatch(f -> isFailureOf(f, node));
    if (failing || lasting.hangs(node) || !reachable(node) || hasItsVolumes(node)) {
      return;
    }
    reconfigure(node);
    await(node.name() + " has the volumes it should", IN_FORCE_LIMIT, () -> hasItsVolumes(node));
  }

  private boolean hasItsVolumes(DataNodePlace node) throws IOException {
    List<String> wanted =
        lasting.volumes(node).stream().map(DataNodePlace.Volume::name).sorted().toList();
    return view.state(node.name()).volumeNames().equals(wanted);
  }

  private boolean isFailureOf(Fault fault, DataNodePlace node) {
    return fault.kind() == Kind.FAIL_VOLUME && lasting.targets(fault).contains(node);
  }

  private void setAdminState(DataNodePlace node) throws IOException {
    refreshNodes();
    await(
        node.name() + (lasting.inService(node) ? " is" : " is no longer") + " in service",
        IN_FORCE_LIMIT,
        () -> {
          if (noNameNode() || !reachable(node)) {
            return true;
          }
          LiveDataNode live = view.live().get(node.name());
          return live != null && live.adminState().equals("In Service") == lasting.inService(node);
        });
  }

  private void refreshNodes() throws IOException {
    write(hosts(dir), lasting.hostsFile());
    if (view.hasTwoNameNodes()) {
      nameNodes.refreshNodes();
    } else if (!noNameNode()) {
      try (DistributedFileSystem fs = administrator()) {
        fs.refreshNodes();
      }
    }
  }

  /** Whether nobody can tell anything of a DataNode. */
  private boolean noNameNode() {
    return lasting.nameNodeKilled() && !view.hasTwoNameNodes();
  }

  /** Ends a DataNode in an orderly way and starts it; one that is dead stays so. */
  private void restart(DataNodePlace node) throws IOException {
    if (lasting.killed(node)) {
      return;
    }
    requireAlive(node.name());
    if (lasting.paused(node)) {
      cluster.kill(node.name()); // a paused process does not hear of anything else
    } else {
      cluster.terminate(node.name());
    }
    start(node);
  }

  /** Starts a DataNode unless it runs or another fault keeps it dead. */
  private void start(DataNodePlace node) throws IOException {
    if (lasting.killed(node)) {
      return;
    }
    if (!cluster.revive(node.name()).isEmpty()) {
      awaitInForce(node, 0);
      if (lasting.paused(node)) {
        cluster.pause(node.name());
      }
    }
  }

  private void awaitLive(DataNodePlace node) throws IOException {
    await(
        "the NameNode holds " + node.name() + " for alive",
        LIVE_LIMIT,
        () -> {
          if (noNameNode() || !reachable(node)) {
            return true;
          }
          LiveDataNode live = view.live().get(node.name());
          return live != null && live.lastContact() <= 2;
        });
  }

  private static void await(String what, Duration limit, Check check) throws IOException {
    long deadline = System.nanoTime() + limit.toNanos();
    IOException last = null;
    while (true) {
      try {
        if (check.holds()) {
          return;
        }
        last = null;
      } catch (IOException e) {
        last = e;
      }
      if (System.nanoTime() >= deadline) {
        throw new IOException(
            "not within "
                + limit.toSeconds()
                + " s: "
                + what
                + (last == null ? "" : " (" + last.getMessage() + ")"),
            last);
      }
      pause(POLL_MILLIS);
    }
  }

  private static void pause(long millis) {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandException(ExitCode.INTERRUPTED, "interrupted", e);
    }
  }
}
