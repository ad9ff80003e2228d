package io.evenkeel.locking.stress;

import io.evenkeel.common.testing.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.ReconfigurationException;

/** Rounds over one DataNode, until a time or a number of rounds is reached. */
final class StressRun {
  /** Blocks of a round. */
  static final int BLOCKS = 6;

  /** Every so many rounds a volume goes, in turn by order and by failing, and comes back. */
  private static final int CHURN = 25;

  private static final long FIRST_ID = 1L << 20;
  private static final int KEPT = Integer.getInteger("evenkeel.locking.stress.examples", 3);

  private final StressDataNode node;
  private final long seed;
  private final boolean serial;
  private final Rules rules = new Rules(StressDataNode.TYPE_OF_VOLUME);
  private final Map<String, Integer> coverage = new TreeMap<>();
  private final Map<String, Integer> kinds = new TreeMap<>();
  private final Map<String, List<String>> examples = new TreeMap<>();
  private final Map<String, List<Plan>> faulty = new TreeMap<>();
  private long nextId = FIRST_ID;
  private long rounds;
  private long churned;
  private long failed;
  private long calls;
  private long excused;
  private long faultyBlocks;

  /**
   * A run.
   *
   * @param serial whether calls on one block run one at a time, to test the model itself
   */
  StressRun(StressDataNode node, long seed, boolean serial) {
    this.serial = serial;
    this.node = node;
    this.seed = seed;
  }

  /** Runs rounds {@code first..} until {@code nanos} have passed or {@code most} were run. */
  void run(long first, long most, long nanos) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + nanos;
    for (long round = first; round < first + most && System.nanoTime() < deadline; round++) {
      List<Plan> plans = new ArrayList<>();
      for (int i = 0; i < BLOCKS; i++) {
        plans.add(Planner.plan(seed, round, i));
      }
      Random random = new Random(seed ^ round);
      boolean churn = !serial && round % CHURN == CHURN - 1;
      for (BlockRound block : churn ? churnRound(plans, random) : round(plans, random)) {
        note(block, round);
      }
      rounds++;
      churned += churn ? 1 : 0;
    }
  }

  /** One round of the plans, a block each. */
  List<BlockRound> round(List<Plan> plans, Random random) throws IOException, InterruptedException {
    List<BlockRound> blocks = setUp(plans);
    List<Thread> threads = start(blocks, random);
    join(threads, blocks);
    node.disks().pace(SlowDisks.Pace.FAST);
    quiet();
    check(blocks);
    return blocks;
  }

  /** A round in which a volume is taken away, or fails, and comes back empty. */
  private List<BlockRound> churnRound(List<Plan> plans, Random random)
      throws IOException, InterruptedException {
    List<BlockRound> blocks = setUp(plans);
    int volume = random.nextInt(node.volumes());
    List<Thread> threads = start(blocks, random);
    try {
      Await.pauseUninterruptibly(Duration.ofNanos(1000L * random.nextInt(4_000)));
      if (random.nextBoolean()) {
        node.removeVolume(volume);
      } else {
        node.failVolume(volume);
        failed++;
      }
      join(threads, blocks);
      node.disks().pace(SlowDisks.Pace.FAST);
      quiet();
      node.emptyVolume(volume);
      for (BlockRound block : blocks) {
        block.checkWithoutVolume();
      }
      blocks.forEach(BlockRound::askToDelete);
      quiet();
      blocks.forEach(block -> block.checkGone(true));
      node.returnVolume(volume);
    } catch (ReconfigurationException e) {
      throw new IOException("seed " + seed + ": volume " + volume, e);
    }
    return blocks;
  }

  private List<BlockRound> setUp(List<Plan> plans) throws InterruptedException {
    List<BlockRound> blocks = new ArrayList<>();
    for (Plan plan : plans) {
      BlockRound block = new BlockRound(node, nextId++, plan, serial);
      block.setUp();
      blocks.add(block);
    }
    return blocks;
  }

  private List<Thread> start(List<BlockRound> blocks, Random random) {
    int[] longest = {1, 300, 3_000, 12_000};
    node.disks()
        .pace(new SlowDisks.Pace(10 + random.nextInt(50), longest[random.nextInt(longest.length)]));
    long start = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(1);
    List<Thread> threads = new ArrayList<>();
    blocks.forEach(block -> threads.addAll(block.threads(start, random)));
    threads.forEach(Thread::start);
    return threads;
  }

  private void check(List<BlockRound> blocks) throws IOException {
    List<BlockRound> pardoned = new ArrayList<>();
    for (BlockRound block : blocks) {
      boolean sound = block.check(rules);
      if (!sound) {
        pardoned.add(block);
      }
    }
    excused += pardoned.size();
    blocks.forEach(BlockRound::askToDelete);
    quiet();
    blocks.forEach(block -> block.checkGone(pardoned.contains(block)));
  }

  private void quiet() {
    if (!node.awaitDeletions()) {
      throw new IllegalStateException("STALL: deletions do not end, seed " + seed);
    }
  }

  private void join(List<Thread> threads, List<BlockRound> blocks) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
    for (Thread thread : threads) {
      thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
      if (thread.isAlive()) {
        StringBuilder b = new StringBuilder("STALL of " + thread.getName() + ", seed " + seed);
        blocks.forEach(block -> b.append('\n').append(block.report()));
        Thread.getAllStackTraces()
            .forEach(
                (t, stack) -> {
                  b.append('\n').append(t);
                  for (StackTraceElement e : stack) {
                    b.append("\n    at ").append(e);
                  }
                });
        throw new IllegalStateException(b.toString());
      }
    }
  }

  private void note(BlockRound block, long round) {
    for (Step step : block.made()) {
      calls++;
      coverage.merge(step.act + " " + step.outcome.result(), 1, Integer::sum);
    }
    if (block.faults().isEmpty()) {
      return;
    }
    faultyBlocks++;
    for (String kind : block.kinds()) {
      kinds.merge(kind, 1, Integer::sum);
      List<String> kept = examples.computeIfAbsent(kind, k -> new ArrayList<>());
      if (kept.size() < KEPT) {
        kept.add("seed " + seed + " round " + round + " " + block.report());
        faulty.computeIfAbsent(kind, k -> new ArrayList<>()).add(block.plan());
      }
    }
  }

  /** Adds to the report the smallest rounds with the faults seen. */
  void shrink() throws IOException, InterruptedException {
    for (Map.Entry<String, List<Plan>> each : faulty.entrySet()) {
      for (Plan plan : each.getValue()) {
        BlockRound small = new Shrinker(this, seed).shrink(plan, each.getKey());
        String text = small == null ? "did not go wrong again" : small.report();
        examples.get(each.getKey()).add("SMALLER: " + text);
      }
    }
  }

  long rounds() {
    return rounds;
  }

  long faultyBlocks() {
    return faultyBlocks;
  }

  Map<String, Integer> coverage() {
    return coverage;
  }

  /** Blocks with each kind of fault. */
  Map<String, Integer> kinds() {
    return kinds;
  }

  /** Counts, and the first examples of each kind of fault. */
  String report() {
    StringBuilder b = new StringBuilder();
    b.append("seed ")
        .append(seed)
        .append(": ")
        .append(rounds)
        .append(" rounds (")
        .append(churned)
        .append(" without a volume, ")
        .append(failed)
        .append(" of them as it failed), ")
        .append(calls)
        .append(" calls, ")
        .append(faultyBlocks)
        .append(" blocks with faults, ")
        .append(excused)
        .append(" excused\nkinds of faults: ")
        .append(kinds)
        .append("\ncalls by end: ")
        .append(coverage);
    examples.forEach((kind, kept) -> kept.forEach(e -> b.append("\n\n").append(e)));
    return b.toString();
  }
}
