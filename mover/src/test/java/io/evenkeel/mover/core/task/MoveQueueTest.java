package io.evenkeel.mover.core.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.mover.core.plan.Replica;
import io.evenkeel.mover.core.plan.ReplicaMove;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once") // says nothing about a Hadoop release
class MoveQueueTest {
  private static final long BACKOFF = TimeUnit.MILLISECONDS.toNanos(50);

  private final NodePermits permits = new NodePermits(4, new Backoff(new Random(5), 50, 5_000));
  private final MoveQueue<String> queue = new MoveQueue<>(permits, 0);
  private final TokenBucket unlimited = new TokenBucket(0);
  private long now = 1_000;
  private long wake;

  /** A move over the network of a replica of {@code proxy} itself. */
  private MoveQueue.Entry<String> add(long block, String proxy, String target) {
    Replica replica = new Replica(proxy, "DISK", block, 10);
    ReplicaMove move = new ReplicaMove(replica, 1, target, "SSD", proxy);
    MoveQueue.Entry<String> entry = new MoveQueue.Entry<>(move, "owner", unlimited, 0);
    queue.add(entry);
    return entry;
  }

  private MoveQueue.Entry<String> poll() {
    wake = Long.MAX_VALUE;
    return queue.poll(now, wait -> wake = Math.min(wake, wait));
  }

  /** How many moves the node may have at once. */
  private int limit(String node) {
    List<String> taken = new ArrayList<>();
    while (permits.tryAcquire(node)) {
      taken.add(node);
    }
    taken.forEach(permits::release);
    return taken.size();
  }

  @Test
  void putOff_theProxyRefused_theProxyIsBackedOffAndTheTargetTakesFromOthers() {
    add(1, "proxy", "target");
    queue.putOff(poll(), true, now, 1);
    MoveQueue.Entry<String> waiting = add(2, "proxy", "elsewhere");
    MoveQueue.Entry<String> other = add(3, "another", "target");
    now += 2;

    assertThat(limit("target")).isEqualTo(4);
    assertThat(limit("proxy")).isEqualTo(2);
    assertThat(poll()).isSameAs(other);
    assertThat(poll()).as("nothing is asked of the proxy for a while").isNull();
    assertThat(wake).isBetween(1L, 2 * BACKOFF);
    now += 2 * BACKOFF;
    assertThat(List.of(poll(), poll())).contains(waiting);
  }

  @Test
  void putOff_theTargetRefused_theProxyServesOthers() {
    add(1, "proxy", "target");
    queue.putOff(poll(), false, now, 1);
    MoveQueue.Entry<String> other = add(2, "proxy", "elsewhere");
    add(3, "another", "target");
    now += 2;

    assertThat(limit("target")).isEqualTo(2);
    assertThat(limit("proxy")).isEqualTo(4);
    assertThat(poll()).isSameAs(other);
    assertThat(poll()).isNull();
  }

  @Test
  void ended_manyTimes_theLimitOfAProxyThatRefusedGrowsAgain() {
    add(1, "proxy", "target");
    queue.putOff(poll(), true, now, 1);
    now += 2 * BACKOFF;
    queue.ended(poll(), true);
    for (int i = 0; i < 100; i++) {
      add(2 + i, "proxy", "target" + i);
      queue.ended(poll(), true);
    }

    assertThat(limit("proxy")).isGreaterThan(2);
    assertThat(queue.permits()).isZero();
  }
}
