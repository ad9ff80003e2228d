package io.evenkeel.bench.gameday.round;

import io.evenkeel.bench.gameday.agreement.Agreement;
import io.evenkeel.bench.gameday.agreement.Block;
import io.evenkeel.bench.gameday.cluster.ClusterDescription;
import io.evenkeel.bench.gameday.cluster.DataNodePlace;
import io.evenkeel.bench.gameday.cluster.DataNodeState;
import io.evenkeel.bench.gameday.cluster.GameCluster;
import io.evenkeel.bench.gameday.history.Finding;
import io.evenkeel.bench.gameday.history.Finding.Kind;
import io.evenkeel.bench.gameday.history.History;
import io.evenkeel.bench.gameday.history.Timeline;
import io.evenkeel.bench.gameday.load.Load;
import io.evenkeel.bench.gameday.load.LoadPlan;
import io.evenkeel.bench.gameday.load.Verification;
import io.evenkeel.bench.gameday.schedule.Mix.Tool;
import io.evenkeel.bench.gameday.schedule.Schedule;
import io.evenkeel.common.cli.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.io.erasurecode.ErasureCodeConstants;

/**
 * Runs schedules, each on a new cluster: the load and the faults, calm, and then everything is
 * read. Confined to one thread.
 */
final class Round {
  /** Policy of the erasure-coded files, and name of their directory. */
  static final String ERASURE_CODING = "XOR-2-1-1024k";

  private static final String ROOT = "/game";
  private static final String TWINS = "/twins";

  private static final Duration PAUSE = Duration.ofMillis(20);
  private static final String BALANCER_OUTPUT = "balancer.out";
  private static final Duration CLOSING = Duration.ofMinutes(4);
  private static final Duration KEPT_ALIVE = Duration.ofMinutes(1);
  private static final Duration LOOK = Duration.ofSeconds(1);
  private static final Duration MOVER_PAUSE = Duration.ofSeconds(5);
  private static final Duration BALANCER_PAUSE = Duration.ofSeconds(20);
  private static final Duration BALANCER_LIMIT = Duration.ofMinutes(3);

  private final Path directory;
  private final ClusterDescription description;
  private final Limits limits;
  private final Consumer<String> progress;
  private final List<Lie> lies;

  /**
   * How long a round may take at most.
   *
   * @param load until the last acknowledgement
   * @param calm until all is replicated after the last fault
   */
  record Limits(Duration load, Duration calm) {}

  /** What is looked at when the load is over. */
  private record Playing(
      GameCluster cluster,
      DistributedFileSystem fs,
      History history,
      Movers movers,
      Proofs proofs) {}

  /** Something that is done behind the back of HDFS, so that there is something to be found. */
  interface Lie {
    /** Called when the load is over and all is calm, before anything is judged. */
    void tell(GameCluster cluster, DistributedFileSystem fs, History history) throws Exception;

    /** Whether it is told later, when the last mover has ended. */
    default boolean afterMover() {
      return false;
    }
  }

  /**
   * Prepares.
   *
   * @param directory of the cluster, which is deleted after a round without a finding
   * @param lies told in each round
   */
  Round(
      Path directory,
      ClusterDescription description,
      Limits limits,
      Consumer<String> progress,
      List<Lie> lies) {
    this.directory = directory;
    this.description = description;
    this.limits = limits;
    this.progress = progress;
    this.lies = List.copyOf(lies);
  }

  /** Runs one. */
  RoundResult run(Schedule schedule) throws IOException, InterruptedException {
    ClusterDescription own =
        description.with(schedule.mix().teraGenMegabytes() > 0, schedule.conf());
    GameCluster cluster = GameCluster.start(directory, own, progress);
    boolean clean = false;
    try (DistributedFileSystem fs =
        (DistributedFileSystem)
            FileSystem.newInstance(cluster.view().rpc(), cluster.view().client())) {
      RoundResult result = run(schedule, cluster, fs);
      clean = result.findings().isEmpty();
      return result;
    } finally {
      if (clean) {
        cluster.close();
      } else {
        cluster.halt(); // logs and disks may tell why
      }
    }
  }

  private RoundResult run(Schedule schedule, GameCluster cluster, DistributedFileSystem fs)
      throws IOException, InterruptedException {
    Map<String, DataNodeState> before = states(cluster);
    ExecutorService thread = Executors.newSingleThreadExecutor();
    Timeline timeline = new Timeline(System::nanoTime, Runnable::run);
    History history = new History(timeline);
    LoadPlan plan =
        new LoadPlan(
            ROOT,
            schedule.seed(),
            schedule.acknowledgements(),
            schedule.mix(),
            ERASURE_CODING,
            PAUSE);
    Load load = new Load(fs, plan, history, timeline);
    TeraGen teraGen = new TeraGen(cluster, timeline, schedule.mix().teraGenMegabytes());
    Steps steps = new Steps(cluster, timeline, thread, progress);
    steps.follow(schedule);
    if (schedule.mix().tools().contains(Tool.FOLLOWER_REQUESTS)) {
      fs.enableErasureCodingPolicy(ERASURE_CODING);
      encodeAllBut(ROOT, fs);
    }
    load.start();
    if (schedule.mix().teraGenMegabytes() > 0) {
      teraGen.start();
    }
    Duration end;
    FollowerRequests requests = new FollowerRequests(cluster, fs);
    Movers movers = new Movers(cluster, description.plugins(), ROOT);
    List<Repeated> tools = tools(schedule.mix().tools(), cluster, fs, requests, movers);
    try {
      follow(load, teraGen, timeline, steps);
      end = timeline.now();
    } finally {
      for (Repeated tool : tools) {
        tool.close();
      }
    }
    List<Finding> findings = new ArrayList<>();
    ofLoad(schedule.acknowledgements(), timeline.total(), limits.load()).ifPresent(findings::add);
    steps.endFailures();
    List<String> late = load.finish(CLOSING);
    if (!late.isEmpty()) {
      findings.add(new Finding(Kind.NOT_CALM, "", "", "did not come to an end: " + late));
    }
    findings.addAll(steps.finish(limits.calm()));
    tools.forEach(tool -> tool.finding().ifPresent(findings::add));
    progress.accept(
        "the load is over: " + timeline.total() + " acknowledgements, beside them " + tools);
    List<Finding> ofTeraGen = teraGen(schedule, teraGen, fs);
    findings.addAll(ofTeraGen);
    findings.addAll(requests.finish(limits.calm()));
    Proofs proofs = new Proofs(cluster, fs, history, schedule.fillsVolumes());
    Playing playing = new Playing(cluster, fs, history, movers, proofs);
    Duration calm = calm(playing, findings);
    tellLies(playing, false);
    Verification verification = verify(playing, before, findings);
    if (ofTeraGen.isEmpty()) {
      findings.addAll(teraGen(schedule, teraGen, fs)); // other replicas than before
    }
    history.findings().forEach(finding -> findings.add(proofs.mark(finding)));
    List<Steps.FaultTime> faults = steps.done();
    List<Finding> ofStock = findings.stream().filter(StockDefects::explains).toList();
    findings.removeAll(ofStock);
    return new RoundResult(
        schedule,
        description.plugins(),
        findings,
        ofStock,
        calm,
        timeline.longestPauses(Duration.ZERO, end),
        RoundResult.Refusals.of(timeline.refusals(), faults),
        timeline.perSecond(),
        faults,
        new RoundResult.Read(verification.files(), verification.replicas()));
  }

  private static List<Finding> teraGen(Schedule schedule, TeraGen teraGen, DistributedFileSystem fs)
      throws InterruptedException {
    return schedule.mix().teraGenMegabytes() > 0 ? teraGen.finish(fs) : List.of();
  }

  private void tellLies(Playing playing, boolean afterMover) {
    for (Lie lie : lies.stream().filter(each -> each.afterMover() == afterMover).toList()) {
      try {
        lie.tell(playing.cluster(), playing.fs(), playing.history());
      } catch (Exception e) {
        throw new IllegalStateException("a lie could not be told", e);
      }
    }
  }

  private static void encodeAllBut(String path, DistributedFileSystem fs) throws IOException {
    org.apache.hadoop.fs.Path replicated = new org.apache.hadoop.fs.Path(path);
    fs.mkdirs(replicated);
    fs.setErasureCodingPolicy(replicated, ErasureCodeConstants.REPLICATION_POLICY_NAME);
    fs.setErasureCodingPolicy(new org.apache.hadoop.fs.Path("/"), ERASURE_CODING);
  }

  private List<Repeated> tools(
      Set<Tool> tools,
      GameCluster cluster,
      DistributedFileSystem fs,
      FollowerRequests requests,
      Movers movers) {
    List<Repeated> running = new ArrayList<>();
    if (tools.contains(Tool.MOVER)) {
      running.add(new Repeated("mover", MOVER_PAUSE, movers::once));
    }
    if (tools.contains(Tool.BALANCER)) {
      running.add(new Repeated("balancer", BALANCER_PAUSE, () -> balance(cluster)));
    }
    if (tools.contains(Tool.TWIN_CREATIONS)) {
      TwinCreations twins = new TwinCreations(fs, TWINS);
      running.add(new Repeated("twin creations", PAUSE, twins::once));
    }
    if (description.plugins() && tools.contains(Tool.FOLLOWER_REQUESTS)) {
      running.add(new Repeated("requests", PAUSE, requests::once));
    }
    return running;
  }

  private static void balance(GameCluster cluster) throws IOException {
    try {
      List<String> command = List.of("balancer", "-threshold", "1");
      int code = cluster.run(null, command, BALANCER_OUTPUT, BALANCER_LIMIT);
      if (code == Movers.IO_EXCEPTION
          && isLeaseHeld(Files.readString(cluster.output(BALANCER_OUTPUT)))) {
        throw new Repeated.LeaseHeld();
      } else if (code == Movers.IO_EXCEPTION) {
        throw new IOException("hdfs balancer ended with " + code);
      }
    } catch (CommandException e) {
      throw new IOException(e);
    }
  }

  /**
   * Whether a Balancer found its file open: one that a fault ended, as when the NameNode is killed,
   * keeps others out for a minute.
   */
  static boolean isLeaseHeld(String output) {
    return output.contains("Failed to APPEND_FILE /system/balancer.id ")
        && output.contains("lease");
  }

  /** That the load could not do what it was to do, though all faults end when it stands still. */
  static Optional<Finding> ofLoad(long planned, long total, Duration limit) {
    String reason =
        "the load had %d of %d acknowledgements after %d s"
            .formatted(total, planned, limit.toSeconds());
    return total < planned
        ? Optional.of(new Finding(Kind.NOT_CALM, "", "", reason))
        : Optional.empty();
  }

  private void follow(Load load, TeraGen teraGen, Timeline timeline, Steps steps)
      throws InterruptedException {
    long deadline = System.nanoTime() + limits.load().toNanos();
    long count = 0;
    long since = System.nanoTime();
    while (System.nanoTime() < deadline) {
      boolean over = load.awaitAcknowledgements(LOOK);
      if (over && teraGen.ended()) {
        return;
      } else if (over) {
        TimeUnit.MILLISECONDS.sleep(LOOK.toMillis()); // TeraGen gets all the time it needs
      }
      if (timeline.total() != count) {
        count = timeline.total();
        since = System.nanoTime();
      } else if (System.nanoTime() - since > Steps.STANDSTILL.toNanos()) {
        steps.endOldest(Steps.STOOD_STILL);
        since = System.nanoTime();
      }
    }
  }

  private Map<String, DataNodeState> states(GameCluster cluster) throws IOException {
    Map<String, DataNodeState> states = new TreeMap<>();
    for (DataNodePlace node : cluster.view().dataNodes()) {
      states.put(node.name(), cluster.view().state(node.name()));
    }
    return states;
  }

  // Afterwards -----------------------------------------------------------------------------------

  /** Ends all faults and waits for full replication; what is still wrong then is a finding. */
  private Duration calm(Playing playing, List<Finding> findings) throws InterruptedException {
    try {
      playing.cluster().calm();
    } catch (IOException e) {
      findings.add(new Finding(Kind.NOT_CALM, "", "", String.valueOf(e.getMessage())));
    }
    long begin = System.nanoTime();
    Agreement.Rules rules = new Agreement.Rules(true, true, false, description.plugins());
    List<Finding> last = settled(playing, rules);
    findings.addAll(last);
    Duration calm = Duration.ofNanos(System.nanoTime() - begin);
    progress.accept("replicated after " + calm.toSeconds() + " s: " + last.size() + " findings");
    return calm;
  }

  /** Looks until there is no difference or the time is over. */
  private List<Finding> settled(Playing playing, Agreement.Rules rules)
      throws InterruptedException {
    long deadline = System.nanoTime() + limits.calm().toNanos();
    ClusterReader reader = new ClusterReader(playing.cluster(), playing.fs());
    List<Finding> last;
    do {
      TimeUnit.MILLISECONDS.sleep(LOOK.toMillis());
      try {
        Set<String> paths = new LinkedHashSet<>(playing.history().present());
        paths.addAll(reader.paths()); // those of jobs and tools too
        List<Block> blocks = List.copyOf(reader.blocks(paths));
        last =
            new Agreement(blocks, reader.open(), reader.dataNodes(), rules)
                .findings().stream().map(playing.proofs()::mark).toList();
      } catch (IOException e) {
        last = List.of(new Finding(Kind.NOT_CALM, "", "", String.valueOf(e.getMessage())));
      }
    } while (!last.stream().allMatch(StockDefects::explains) && System.nanoTime() < deadline);
    return last;
  }

  /** Bytes, then storage types after a mover and bytes again, then what is left over. */
  private Verification verify(
      Playing playing, Map<String, DataNodeState> before, List<Finding> findings)
      throws IOException, InterruptedException {
    Verification verification = new Verification(playing.fs(), playing.history(), ROOT, CLOSING);
    verification.run();
    boolean clean =
        playing.history().findings().stream()
            .map(playing.proofs()::mark)
            .allMatch(StockDefects::explains);
    if (clean && findings.stream().allMatch(StockDefects::explains)) {
      findings.retainAll(lasting(findings));
      try {
        playing.movers().rest();
      } catch (IOException | RuntimeException e) { // what the mover throws has other packages there
        findings.add(new Finding(Kind.NOT_CALM, ROOT, "", "the mover failed: " + e));
      }
      findings.addAll(
          settled(playing, new Agreement.Rules(true, true, true, description.plugins())));
      tellLies(playing, true);
      // Other replicas than before. What is open or away for long has been told already.
      new Verification(playing.fs(), playing.history(), ROOT, KEPT_ALIVE).run();
    }
    findings.addAll(playing.movers().findings());
    findings.addAll(leaks(playing.cluster(), before));
    return verification;
  }

  /** Of what was found when all was calm, what is not found again. */
  static List<Finding> lasting(List<Finding> findings) {
    return findings.stream().filter(finding -> finding.kind() == Kind.LEAK).toList();
  }

  /** What is held by a connection that waits for another request goes away by itself. */
  private List<Finding> leaks(GameCluster cluster, Map<String, DataNodeState> before)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + KEPT_ALIVE.toNanos();
    List<Finding> leaks = Leaks.among(before, states(cluster), receivers(cluster));
    while (!leaks.stream().allMatch(StockDefects::explains) && System.nanoTime() < deadline) {
      TimeUnit.MILLISECONDS.sleep(LOOK.toMillis());
      leaks = Leaks.among(before, states(cluster), receivers(cluster));
    }
    return leaks;
  }

  private static Map<String, Long> receivers(GameCluster cluster) throws IOException {
    Map<String, Long> counts = new TreeMap<>();
    for (DataNodePlace node : cluster.view().dataNodes()) {
      counts.put(node.name(), Leaks.receivers(cluster.view(), node.name()));
    }
    return counts;
  }
}
