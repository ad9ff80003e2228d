package io.evenkeel.mover.core.task;

import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * One DataNode with a quota of moves, other users that take a slowly changing part of it, and a
 * mover that starts as many as its permits allow. Steps of a millisecond.
 */
final class DataNodeSimulation {
  private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
  private static final String NODE = "dn";

  private final int quota;
  private final int othersMost;
  private final Random random;
  private final PriorityQueue<Long> running = new PriorityQueue<>();
  private final PriorityQueue<Long> refusals = new PriorityQueue<>();
  private int others;
  private long attempts;
  private long refused;
  private long placesFree;
  private long placesUsed;

  DataNodeSimulation(int quota, int othersMost, long seed) {
    this.quota = quota;
    this.othersMost = othersMost;
    this.random = new Random(seed);
  }

  long attempts() {
    return attempts;
  }

  long refused() {
    return refused;
  }

  /** Moves made at a time for each place the others left. */
  double used() {
    return placesUsed / (double) placesFree;
  }

  void run(MovesPerDataNode permits, long most) {
    for (long now = 0; attempts < most; now += MILLI) {
      if (now % (500 * MILLI) == 0) {
        int wanted = others + random.nextInt(3) - 1;
        others = Math.max(0, Math.min(Math.min(othersMost, quota - running.size()), wanted));
      }
      finish(permits, now);
      while (permits.notBefore(NODE) <= now && permits.isFree(NODE)) {
        permits.acquire(NODE);
        start(now);
      }
      placesFree += quota - others;
      placesUsed += running.size();
    }
  }

  private void start(long now) {
    attempts++;
    if (running.size() + others < quota) {
      running.add(now + (10 + random.nextInt(40)) * MILLI);
    } else {
      refused++;
      refusals.add(now + MILLI);
    }
  }

  private void finish(MovesPerDataNode permits, long now) {
    while (!running.isEmpty() && running.peek() <= now) {
      running.poll();
      permits.succeeded(NODE);
      permits.release(NODE);
    }
    while (!refusals.isEmpty() && refusals.peek() <= now) {
      refusals.poll();
      permits.busy(NODE, now);
      permits.release(NODE);
    }
  }
}
