package io.evenkeel.mover.engine;

import io.evenkeel.mover.core.task.FileTask;
import io.evenkeel.mover.core.task.Step;
import io.evenkeel.mover.core.task.TaskRules;
import io.evenkeel.mover.core.task.TokenBucket;
import io.evenkeel.mover.request.MoveRequest;
import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BiConsumer;

/** What all requests of an engine share. Thread-safe. */
final class Context {
  private final Namespace namespace;
  private final EngineSettings settings;
  private final BiConsumer<String, Throwable> warn;
  private final Clock clock;
  private final Pools pools;
  private final Claims claims;
  private final Planning planning;
  private final Dispatcher dispatcher;

  /** Of all paced requests; used under the dispatcher's lock alone. */
  private final TokenBucket pace;

  /** Of all paced requests; guarded by itself. */
  private final TokenBucket listings;

  Context(
      Namespace namespace,
      ReplicaMover mover,
      EngineSettings settings,
      BiConsumer<String, Throwable> warn,
      Clock clock) {
    this.namespace = namespace;
    this.claims = new Claims(namespace.name());
    this.settings = settings;
    this.warn = warn;
    this.clock = clock;
    this.pools = new Pools(settings.threads());
    this.planning = new Planning(namespace, clock);
    this.pace = new TokenBucket(settings.pacedReplicasPerSecond());
    this.listings = new TokenBucket(settings.pacedListingsPerSecond());
    this.dispatcher = new Dispatcher(mover, pools, clock, settings);
  }

  Namespace namespace() {
    return namespace;
  }

  /** The namespace as the request wants to see it. */
  Namespace namespaceOf(MoveRequest request) throws IOException {
    String policy = request.policyOverride();
    return policy == null ? namespace : namespace.withPolicy(policy);
  }

  /** The step, or the end of the file where it has moves and nothing may be moved now. */
  Step allowed(FileTask task, Step step) {
    String refusal = step.moves().isEmpty() ? null : namespace.refusal();
    return refusal == null ? step : task.held(step, refusal);
  }

  TaskRules rules() {
    return settings.rules();
  }

  Clock clock() {
    return clock;
  }

  Claims claims() {
    return claims;
  }

  Planning planning() {
    return planning;
  }

  Dispatcher dispatcher() {
    return dispatcher;
  }

  TokenBucket pace() {
    return pace;
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

  ScheduledExecutorService timer() {
    return pools.timer();
  }

  Executor readers() {
    return pools.readers();
  }

  /** See {@link Pools#answer}. */
  void answer(Runnable tell) {
    pools.answer(tell);
  }

  boolean isClosed() {
    return pools.timer().isShutdown();
  }

  void warn(String what, Throwable e) {
    warn.accept(what, e);
  }

  void close(int seconds) {
    pools.close(seconds);
    claims.close();
  }
}
