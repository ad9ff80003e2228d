package io.evenkeel.mover.core.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.mover.core.plan.Replica;
import io.evenkeel.mover.core.plan.ReplicaMove;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once") // says nothing about a Hadoop release
class MoveQueueTest {
  private static final long BACKOFF = TimeUnit.MILLISECONDS.toNanos(50);

  private final MovesPerDataNode permits =
      new MovesPerDataNode(4, new Backoff(new Random(5), 50, 5_000));
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
    while (permits.isFree(node)) {
      permits.acquire(node);
      taken.add(node);
    }
    taken.forEach(permits::release);
    return taken.size();
  }

  /** Of two requests, to two DataNodes; one that is not paced passes them. */
  @Test
  void paced_allThatShareAPace_startSoManyASecond() {
    TokenBucket pace = new TokenBucket(10);
    for (int i = 0; i < 30; i++) {
      Replica replica = new Replica("proxy" + i, "DISK", i, 1_000);
      ReplicaMove move = new ReplicaMove(replica, 1, "target" + i, "SSD", "proxy" + i);
      MoveQueue.Entry<String> entry =
          new MoveQueue.Entry<>(move, "owner", i % 2 == 0 ? unlimited : new TokenBucket(0), 0);
      entry.pacedBy(pace);
      queue.add(entry);
    }
    int started = 0;
    for (int tenths = 0; tenths < 10; tenths++) {
      while (poll() != null) {
        started++;
      }
      assertThat(wake).isBetween(1L, TimeUnit.MILLISECONDS.toNanos(200));
      now += TimeUnit.MILLISECONDS.toNanos(100);
    }
    assertThat(started).isBetween(9, 12);
    MoveQueue.Entry<String> other = add(100, "proxy100", "target100");
    assertThat(List.of(poll(), poll())).contains(other);
  }

  @Test
  void poll_targetThatMayHang_isGivenOneMoveAtATime() {
    add(1, "p1", "target");
    MoveQueue.Entry<String> probe = poll();
    add(2, "p2", "target");
    MoveQueue.Entry<String> other = add(3, "p3", "elsewhere");
    now += TimeUnit.SECONDS.toNanos(41);

    assertThat(poll()).isSameAs(other);
    assertThat(poll()).isNull();
    queue.notAnswered(probe.move(), now);
    queue.ended(probe, false);
    assertThat(poll()).as("the next one").isNotNull();
    add(4, "p4", "target");
    assertThat(poll()).isNull();
    now += TimeUnit.MINUTES.toNanos(10);
    assertThat(queue.removeOfStalledTargets(now)).hasSize(1);
  }

  @Test
  void poll_sourceThatTargetsComplainOf_isReadFromByOneAtATime() {
    add(1, "source", "t1");
    MoveQueue.Entry<String> first = poll();
    queue.notRead(first.move(), now);
    queue.ended(first, false);
    now += TimeUnit.SECONDS.toNanos(41);
    add(2, "source", "t2");
    MoveQueue.Entry<String> probe = poll();
    add(3, "source", "t3");

    assertThat(poll()).isNull();
    queue.wasRead(probe.move(), now);
    assertThat(poll()).isNotNull();
    queue.notRead(probe.move(), now);
    add(4, "source", "t4");
    add(5, "other", "source");
    now += TimeUnit.MINUTES.toNanos(10) + 1;
    assertThat(queue.removeOfStalledSources(now)).hasSize(1);
    assertThat(queue.removeOfStalledTargets(now)).isEmpty();
    assertThat(poll().move().target()).isEqualTo("source");
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

  @Test
  void poll_manyMovesReadFromADataNodeThatHangs_moveFromAnotherIsNotHeldUp() {
    for (int i = 0; i < 100; i++) {
      add(i, "hangs", "target" + i % 2);
    }
    MoveQueue.Entry<String> other = add(100, "proxy", "target0");
    for (int i = 0; i < 4; i++) {
      assertThat(poll().move().proxy()).isEqualTo("hangs");
    }

    assertThat(poll()).isSameAs(other);
    assertThat(poll()).as("the proxy has no permit left").isNull();
    assertThat(queue.size()).isEqualTo(96);
    assertThat(queue.permits()).isEqualTo(2 * 5);
  }

  @Test
  void poll_movesOfSeveralProxies_byPriorityAndAgeOverAllOfThem() {
    MoveQueue.Entry<String> old = add(1, "a", "target");
    MoveQueue.Entry<String> later = add(2, "b", "target");
    MoveQueue.Entry<String> within = add(3, "target", "target");
    MoveQueue.Entry<String> urgent = new MoveQueue.Entry<>(later.move(), "owner", unlimited, 1);
    queue.add(urgent);

    assertThat(List.of(poll(), poll(), poll(), poll())).containsExactly(urgent, old, later, within);
    assertThat(queue.size()).isZero();
  }

  @Test
  void poll_aMoveWasPutOff_youngerOnesOfItsProxyDoNotPassOthers() {
    add(1, "a", "target");
    MoveQueue.Entry<String> putOff = poll();
    queue.putOff(putOff, true, now, 10 * BACKOFF);
    MoveQueue.Entry<String> older = add(2, "b", "target");
    MoveQueue.Entry<String> younger = add(3, "a", "target");
    now += 2 * BACKOFF; // the proxy may be asked again

    assertThat(List.of(poll(), poll())).containsExactly(older, younger);
    assertThat(poll()).isNull();
    assertThat(wake).isEqualTo(8 * BACKOFF);
    now += 8 * BACKOFF;
    assertThat(poll()).isSameAs(putOff);
  }

  @Test
  void poll_movesToSeveralTargets_oneOfEachInTurn() {
    MoveQueue.Entry<String> first = add(1, "p1", "x");
    MoveQueue.Entry<String> second = add(2, "p2", "x");
    MoveQueue.Entry<String> other = add(3, "p3", "y");

    assertThat(List.of(poll(), poll(), poll())).containsExactly(first, other, second);
  }

  @Test
  void poll_theBandwidthOfARequestIsUsedUp_anotherRequestIsNotHeldUp() {
    TokenBucket slow = new TokenBucket(10);
    slow.take(20, now);
    ReplicaMove move = new ReplicaMove(new Replica("p", "DISK", 1, 10), 1, "target", "SSD", "p");
    MoveQueue.Entry<String> waits = new MoveQueue.Entry<>(move, "owner", slow, 1);
    queue.add(waits);
    MoveQueue.Entry<String> other = add(2, "p", "target");

    assertThat(poll()).isSameAs(other);
    assertThat(poll()).isNull();
    assertThat(wake).isEqualTo(TimeUnit.SECONDS.toNanos(2));
    now += wake;
    assertThat(poll()).isSameAs(waits);
  }

  @Test
  void poll_manyProxiesWithoutAPermitBefore_theNextIsSeen() {
    for (int i = 0; i < 100; i++) {
      String proxy = "busy" + i;
      while (permits.isFree(proxy)) {
        permits.acquire(proxy);
        add(i, proxy, "target");
      }
    }
    MoveQueue.Entry<String> free = add(999, "free", "target");

    assertThat(poll()).isSameAs(free);
  }

  @Test
  void poll_aMoveWithinTheTarget_needsOnePermitAndIsNotHeldUpByAProxy() {
    add(1, "proxy", "elsewhere");
    queue.putOff(poll(), true, now, 1);
    add(2, "proxy", "target");
    MoveQueue.Entry<String> within = add(3, "target", "target");

    assertThat(poll()).isSameAs(within);
    assertThat(queue.permits()).isEqualTo(1);
    assertThat(poll()).isNull();
  }

  @Test
  void poll_theTargetHasNoPermit_noneOfAProxyIsKept() {
    for (int i = 0; i < 5; i++) {
      add(i, "proxy" + i, "target");
    }
    for (int i = 0; i < 4; i++) {
      assertThat(poll()).isNotNull();
    }

    assertThat(poll()).isNull();
    assertThat(limit("proxy4")).isEqualTo(4);
  }

  @Test
  void anything_randomly_eachMoveStartsOnceAndNoneThatMayIsLeft() {
    for (int seed = 0; seed < 300; seed++) {
      new RandomQueue(new Random(seed)).run();
    }
  }

  /** Six DataNodes and three requests, one with a bandwidth. */
  private final class RandomQueue {
    private final Random random;
    private final MovesPerDataNode allowed;
    private final MoveQueue<Integer> moves;
    private final List<TokenBucket> requests =
        List.of(new TokenBucket(0), new TokenBucket(0), new TokenBucket(1_000));
    private final List<MoveQueue.Entry<Integer>> waiting = new ArrayList<>();
    private final List<MoveQueue.Entry<Integer>> moving = new ArrayList<>();
    private final Map<MoveQueue.Entry<Integer>, TokenBucket> requestOf = new HashMap<>();
    private final Map<MoveQueue.Entry<Integer>, Integer> priorityOf = new HashMap<>();
    private int added;

    RandomQueue(Random random) {
      this.random = random;
      this.allowed = new MovesPerDataNode(1 + random.nextInt(3), new Backoff(random, 50, 5_000));
      this.moves = new MoveQueue<>(allowed, 0);
    }

    void run() {
      for (int step = 0; step < 200; step++) {
        now += random.nextInt(10_000_000);
        int dice = random.nextInt(10);
        if (dice < 4) {
          addOne();
        } else if (dice < 8) {
          pollOne();
        } else if (dice < 9 || moving.isEmpty()) {
          removeSome();
        } else {
          endOne();
        }
        assertThat(moves.size()).isEqualTo(waiting.size());
      }
      while (!waiting.isEmpty() || !moving.isEmpty()) {
        now += TimeUnit.SECONDS.toNanos(10);
        pollOne();
        if (!moving.isEmpty()) {
          moves.ended(moving.remove(0), true);
        }
      }
      assertThat(moves.permits()).isZero();
    }

    private void addOne() {
      String source = "node" + random.nextInt(6);
      String target = "node" + random.nextInt(6);
      String proxy = source.equals(target) || random.nextBoolean() ? source : "node6";
      ReplicaMove move =
          new ReplicaMove(new Replica(source, "DISK", added, 10), 1, target, "SSD", proxy);
      TokenBucket request = requests.get(random.nextInt(3));
      int priority = random.nextInt(2);
      MoveQueue.Entry<Integer> entry = new MoveQueue.Entry<>(move, added++, request, priority);
      requestOf.put(entry, request);
      priorityOf.put(entry, priority);
      moves.add(entry);
      waiting.add(entry);
    }

    private void pollOne() {
      long[] told = {Long.MAX_VALUE};
      moving.forEach(each -> moves.answered(each.move(), now)); // none seems to hang
      List<MoveQueue.Entry<Integer>> may = waiting.stream().filter(this::mayStart).toList();
      MoveQueue.Entry<Integer> entry = moves.poll(now, wait -> told[0] = Math.min(told[0], wait));
      if (entry == null) {
        assertThat(may).isEmpty();
        assertThat(told[0] < Long.MAX_VALUE || !moving.isEmpty() || waiting.isEmpty())
            .as("somebody looks again")
            .isTrue();
      } else {
        assertThat(waiting.remove(entry)).isTrue();
        assertThat(may)
            .as("of its request, target and priority the oldest that may start")
            .noneMatch(other -> isBefore(other, entry));
        moving.add(entry);
      }
    }

    private boolean isBefore(MoveQueue.Entry<Integer> other, MoveQueue.Entry<Integer> entry) {
      return other.move().target().equals(entry.move().target())
          && requestOf.get(other) == requestOf.get(entry)
          && priorityOf.get(other).equals(priorityOf.get(entry))
          && other.owner() < entry.owner();
    }

    private boolean mayStart(MoveQueue.Entry<Integer> entry) {
      ReplicaMove move = entry.move();
      return entry.delayNanos(now) <= 0
          && requests.stream().allMatch(request -> request.delayNanos(now) == 0)
          && isFree(move.target())
          && (move.isLocal() || isFree(move.proxy()));
    }

    private boolean isFree(String node) {
      return allowed.isFree(node) && allowed.notBefore(node) <= now;
    }

    private void removeSome() {
      int rest = random.nextInt(7);
      List<MoveQueue.Entry<Integer>> out = moves.removeIf(entry -> entry.owner() % 7 == rest);
      assertThat(out).allMatch(entry -> entry.owner() % 7 == rest).allMatch(waiting::remove);
      assertThat(waiting).noneMatch(entry -> entry.owner() % 7 == rest);
    }

    private void endOne() {
      MoveQueue.Entry<Integer> entry = moving.remove(random.nextInt(moving.size()));
      if (random.nextInt(3) == 0) {
        moves.putOff(entry, random.nextBoolean(), now, random.nextInt(20_000_000));
        waiting.add(entry);
      } else {
        moves.ended(entry, random.nextBoolean());
      }
    }
  }
}
