package io.evenkeel.mover.engine;

import io.evenkeel.mover.core.plan.BlockPlanner;
import io.evenkeel.mover.core.plan.ClusterView;
import io.evenkeel.mover.core.plan.ReplicaMove;
import io.evenkeel.mover.core.task.FileTask;
import io.evenkeel.mover.core.task.FileTask.Decision;
import io.evenkeel.mover.core.task.TaskRules;
import io.evenkeel.mover.core.task.TokenBucket;
import io.evenkeel.mover.request.MoveRequest;
import java.io.IOException;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** What all requests of an engine share. Thread-safe. */
final class EngineResources {
  /** The view of the cluster that is planned on is not older than this. */
  private static final long FRESH_MILLIS = 10_000;

  final Namespace namespace;
  final TaskRules rules;
  final BiConsumer<String, Throwable> warn;
  final Clock clock;
  final Pools pools;
  final FileOwners owners;
  final Dispatcher dispatcher;

  /** Of all paced requests; used under the dispatcher's lock alone. */
  final TokenBucket pace;

  /** Files of all requests that may be open while the move threads have too little to do. */
  private static final int MORE_FILES = 20_000;

  /** Files that were read and have not ended, of all requests. */
  final AtomicInteger openFiles = new AtomicInteger();

  /** Of all paced requests; guarded by itself. */
  private final TokenBucket listings;

  /** Guards the two below; held while the NameNode is asked for a new view. */
  private final Object planning = new Object();

  private BlockPlanner planner;
  private long plannedUntil;

  EngineResources(
      Namespace namespace,
      ReplicaMover mover,
      EngineSettings settings,
      BiConsumer<String, Throwable> warn,
      Clock clock) {
    this.namespace = namespace;
    this.owners = new FileOwners(namespace.name(), clock);
    this.rules = settings.rules;
    this.warn = warn;
    this.clock = clock;
    this.pools = new Pools(settings.threads);
    this.pace = new TokenBucket(settings.pacedReplicasPerSecond);
    this.listings = new TokenBucket(settings.pacedListingsPerSecond);
    this.dispatcher = new Dispatcher(mover, pools, clock, settings, warn);
  }

  /** The namespace as the request wants to see it. */
  Namespace namespaceOf(MoveRequest request) throws IOException {
    String policy = request.policyOverride();
    return policy == null ? namespace : namespace.withPolicy(policy);
  }

  /** Uses the planner that all requests share, alone. */
  <T> T plan(Function<BlockPlanner, T> use) throws IOException {
    synchronized (planning) {
      if (planner == null || clock.millis() >= plannedUntil) {
        ClusterView view = namespace.cluster();
        plannedUntil = clock.millis() + FRESH_MILLIS;
        planner = new BlockPlanner(view, namespace.movableRule(), new Random(), plannedUntil);
      }
      return use.apply(planner);
    }
  }

  /** Whether more files may be open than a few of each request. */
  boolean mayReadOn() {
    return openFiles.get() < MORE_FILES;
  }

  /** The decision, or the end of the file where it has moves and nothing may be moved now. */
  Decision allowed(FileTask task, Decision decision) {
    String refusal = decision.moves().isEmpty() ? null : namespace.refusal();
    if (refusal == null && decision.moves().stream().anyMatch(ReplicaMove::isLocal)) {
      refusal = dispatcher.localRefusal();
    }
    return refusal == null ? decision : task.held(decision, refusal);
  }

  /**
   * How long until the request may list a directory. Files that were named count nothing: many are
   * read with one call.
   */
  long listingDelayNanos(MoveRequest request) {
    if (!request.isPaced() || request.isFilesOnly()) {
      return 0;
    }
    synchronized (listings) {
      long now = clock.nanos();
      long delay = listings.delayNanos(now);
      listings.take(1, now);
      return delay;
    }
  }

  void close(int seconds) {
    owners.closing();
    pools.close(seconds);
    dispatcher.close();
    owners.close(dispatcher.filesThatGoOn());
  }
}
