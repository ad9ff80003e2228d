package io.evenkeel.placement.namenode;

import io.evenkeel.placement.core.Placement;
import io.evenkeel.placement.core.Refusal;
import io.evenkeel.placement.core.Relaxation;
import java.util.concurrent.atomic.LongAdder;

/** What the policies of one NameNode did since it started. Thread-safe. */
public final class PlacementCounters {
  private final LongAdder choices = new LongAdder();
  private final LongAdder replicas = new LongAdder();
  private final LongAdder shortChoices = new LongAdder();
  private final LongAdder nanos = new LongAdder();
  private final LongAdder undecided = new LongAdder();
  private final LongAdder[] refusals = adders(Refusal.values().length);
  private final LongAdder[] relaxations = adders(Relaxation.values().length);

  private static LongAdder[] adders(int count) {
    LongAdder[] adders = new LongAdder[count];
    for (int i = 0; i < count; i++) {
      adders[i] = new LongAdder();
    }
    return adders;
  }

  /** Counts one choice. */
  public void chose(Placement placement, int wanted, long tookNanos) {
    choices.increment();
    replicas.add(placement.size());
    nanos.add(tookNanos);
    if (placement.size() < wanted) {
      shortChoices.increment();
    }
    for (Refusal refusal : Refusal.values()) {
      refusals[refusal.ordinal()].add(placement.refusals(refusal));
    }
    for (Relaxation relaxation : Relaxation.values()) {
      relaxations[relaxation.ordinal()].add(placement.relaxations(relaxation));
    }
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
  public long refusals(Refusal reason) {
    return refusals[reason.ordinal()].sum();
  }

  /** Times this wish or rule gave way. */
  public long relaxations(Relaxation relaxation) {
    return relaxations[relaxation.ordinal()].sum();
  }
}
