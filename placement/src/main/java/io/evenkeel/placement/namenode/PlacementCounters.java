package io.evenkeel.placement.namenode;

import io.evenkeel.placement.core.BlockTargets;
import io.evenkeel.placement.core.BlockTargets.Relaxation;
import io.evenkeel.placement.core.EligibleHosts;
import io.evenkeel.placement.core.TargetChecks.NotChosenReason;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * What the policies of one NameNode did since it started. That a rule cannot be kept because hosts
 * are too few is logged as well, at most once a minute for each kind. Thread-safe.
 */
public final class PlacementCounters {
  private static final long INTERVAL_MS = TimeUnit.MINUTES.toMillis(1);

  private final LongSupplier clock;
  private final Consumer<String> log;
  private final AtomicLong sharedAt = new AtomicLong(Long.MIN_VALUE);
  private final AtomicLong tooFewAt = new AtomicLong(Long.MIN_VALUE);
  private final AtomicLong stripesAt = new AtomicLong(Long.MIN_VALUE);
  private final LongAdder choices = new LongAdder();
  private final LongAdder replicas = new LongAdder();
  private final LongAdder shortChoices = new LongAdder();
  private final LongAdder nanos = new LongAdder();
  private final LongAdder undecided = new LongAdder();
  private final LongAdder[] refusals = adders(NotChosenReason.values().length);
  private final LongAdder[] relaxations = adders(Relaxation.values().length);

  /**
   * Creates counters.
   *
   * @param clock milliseconds that only grow
   * @param log told what an operator should know
   */
  PlacementCounters(LongSupplier clock, Consumer<String> log) {
    this.clock = clock;
    this.log = log;
  }

  private static LongAdder[] adders(int count) {
    LongAdder[] adders = new LongAdder[count];
    for (int i = 0; i < count; i++) {
      adders[i] = new LongAdder();
    }
    return adders;
  }

  /**
   * Counts one choice.
   *
   * @param wanted replicas or internal blocks asked for
   * @param eligible the hosts that could take one
   * @param strict whether replicas never share a host
   */
  void chose(
      BlockTargets targets, int wanted, long tookNanos, EligibleHosts eligible, boolean strict) {
    choices.increment();
    replicas.add(targets.size());
    nanos.add(tookNanos);
    if (targets.size() < wanted) {
      shortChoices.increment();
    }
    for (NotChosenReason refusal : NotChosenReason.values()) {
      refusals[refusal.ordinal()].add(targets.refusals(refusal));
    }
    for (Relaxation relaxation : Relaxation.values()) {
      relaxations[relaxation.ordinal()].add(targets.relaxations(relaxation));
    }
    if (targets.relaxations(Relaxation.SHARED_HOST) > 0) {
      sharedHost(targets.mostOnOneHost(), eligible);
    } else if (targets.size() < wanted && strict) {
      tooFewHosts(targets.size(), wanted, eligible);
    }
  }

  private void sharedHost(int onOneHost, EligibleHosts eligible) {
    if (isDue(sharedAt)) {
      log.accept(
          "A block has "
              + onOneHost
              + " replicas on one host: "
              + eligible.hosts()
              + " hosts can take one (evenkeel.placement.few-hosts=best-effort). When more hosts"
              + " are there, run 'hdfs fsck / -replicate' (Hadoop 3.0, 3.1: fail over).");
    }
  }

  private void tooFewHosts(int got, int wanted, EligibleHosts eligible) {
    if (isDue(tooFewAt)) {
      log.accept(
          "A block got "
              + got
              + " of "
              + wanted
              + " replicas: "
              + eligible.hosts()
              + " hosts can take one, and evenkeel.placement.few-hosts=strict allows one on each.");
    }
  }

  /**
   * A new striped block was placed.
   *
   * @param onOneHost most internal blocks on one host
   * @param internalBlocks of the block in all
   */
  public void choseStriped(int onOneHost, int internalBlocks) {
    int parity = parity(internalBlocks);
    if (onOneHost > parity && onOneHost > 1 && isDue(stripesAt)) {
      log.accept(
          "A striped block of "
              + internalBlocks
              + " internal blocks has "
              + onOneHost
              + " of them on one host, more than its parity of "
              + parity
              + ": losing that host loses the block. Add hosts or use a code with fewer internal"
              + " blocks.");
    }
  }

  /** Parity of the codes that come with HDFS, told by their internal blocks; 1 for others. */
  private static int parity(int internalBlocks) {
    switch (internalBlocks) {
      case 5: // RS-3-2
        return 2;
      case 9: // RS-6-3
        return 3;
      case 14: // RS-10-4
        return 4;
      default: // XOR-2-1, and whoever adds a code is told early
        return 1;
    }
  }

  private boolean isDue(AtomicLong last) {
    long now = clock.getAsLong();
    long before = last.get();
    boolean due = before == Long.MIN_VALUE || now - before >= INTERVAL_MS;
    return due && last.compareAndSet(before, now);
  }

  /** Counts one check that could not tell whether a block is as well placed as it could be. */
  public void undecided() {
    undecided.increment();
  }

  /** Number of such checks. */
  public long undecidedChecks() {
    return undecided.sum();
  }

  /** Number of choices, each for one or more replicas of a block. */
  public long choices() {
    return choices.sum();
  }

  /** Replicas chosen. */
  public long replicas() {
    return replicas.sum();
  }

  /** Choices with fewer replicas than wanted. */
  public long shortChoices() {
    return shortChoices.sum();
  }

  /** Nanoseconds spent on choices. */
  public long nanos() {
    return nanos.sum();
  }

  /** Times a DataNode refused for this reason. */
  public long refusals(NotChosenReason reason) {
    return refusals[reason.ordinal()].sum();
  }

  /** Times this wish or rule gave way. */
  public long relaxations(Relaxation relaxation) {
    return relaxations[relaxation.ordinal()].sum();
  }
}
