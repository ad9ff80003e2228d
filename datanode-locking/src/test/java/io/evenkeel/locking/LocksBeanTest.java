package io.evenkeel.locking;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.jmx.Published;
import io.evenkeel.common.testing.Await;
import io.evenkeel.common.testing.LogLines;
import io.evenkeel.common.testing.RefusingJmx;
import io.evenkeel.locking.core.Operation;
import io.evenkeel.locking.core.OperationKind;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a DataNode shows of its locks in JMX; the names are API. */
@Timeout(120)
class LocksBeanTest {
  private static final String SECOND = LocksBean.NAME + ",instance=2";

  private final MBeanServer server = MBeanServerFactory.newMBeanServer();
  private final Published<LocksBean> beans = LocksMetrics.publishedIn(server);
  private final LockMonitorFixture fixture = new LockMonitorFixture();

  @AfterEach
  void end() {
    fixture.close();
  }

  private LockMonitor published(String... keysAndValues) {
    LockMonitor monitor = fixture.monitor(keysAndValues);
    monitor.start(LockMonitorFixture.dataset("a", "b"));
    beans.publish(new LocksBean(monitor), () -> {});
    return monitor;
  }

  private Object read(String name, String attribute) throws JMException {
    return server.getAttribute(new ObjectName(name), attribute);
  }

  private CompositeData[] list(String attribute) throws JMException {
    return (CompositeData[]) read(LocksBean.NAME, attribute);
  }

  private CompositeData times(String attribute) throws JMException {
    return (CompositeData) read(LocksBean.NAME, attribute);
  }

  private Set<String> names() {
    Set<String> names = new TreeSet<>();
    server.queryNames(null, null).stream()
        .map(ObjectName::toString)
        .filter(name -> name.startsWith("io.evenkeel:"))
        .forEach(names::add);
    return names;
  }

  @Test
  void attributes_ofTheBean_areThese() throws Exception {
    published();
    assertThat(server.getMBeanInfo(new ObjectName(LocksBean.NAME)).getAttributes())
        .extracting(MBeanAttributeInfo::getName)
        .containsExactlyInAnyOrder(
            "State",
            "LiveLocks",
            "ThreadsWaiting",
            "ClosedPools",
            "Held",
            "Waited",
            "SlowHoldMillis",
            "SlowHolds",
            "BrokenRules",
            "LastBrokenRule",
            "Holders");
  }

  @Test
  void holders_twoThatHold_areListedLongestFirstWithTheirStack() throws Exception {
    LockMonitor monitor = published();
    CompletableFuture<Thread> holding = new CompletableFuture<>();
    CountDownLatch goOn = new CountDownLatch(1);
    Operation first = LockMonitorFixture.hold(monitor, OperationKind.APPEND, 1, "b");
    CompletableFuture<Void> second =
        CompletableFuture.runAsync(
            () -> {
              Operation operation = monitor.operations().begin(OperationKind.FINALIZE, "BP-1", 2);
              operation.lock(false);
              holding.complete(Thread.currentThread());
              uninterruptibly(goOn);
              operation.unlock();
              operation.close();
            });
    Thread holder = holding.get(60, TimeUnit.SECONDS);
    Await.until("it waits", () -> holder.getState() == Thread.State.WAITING);
    CompositeData[] holders = list("Holders");
    assertThat(holders).extracting(h -> h.get("blockId")).containsExactly(1L, 2L);
    assertThat(holders)
        .extracting(h -> h.get("operation"))
        .containsExactly("append", "finalizeBlock");
    assertThat(holders).extracting(h -> h.get("volume")).containsExactly("/data/b", "");
    assertThat(holders).extracting(h -> h.get("mode")).containsExactly("exclusive", "shared");
    assertThat(holders).extracting(h -> h.get("blockPool")).containsOnly("BP-1");
    assertThat(holders[0].get("thread")).isEqualTo(Thread.currentThread().getName());
    assertThat(String.join("\n", (String[]) holders[0].get("stack")))
        .contains("LocksBean", "holders_twoThatHold");
    assertThat(String.join("\n", (String[]) holders[1].get("stack"))).contains("uninterruptibly");
    assertThat(holders[0].getCompositeType().keySet())
        .containsExactlyInAnyOrder(
            "operation",
            "blockPool",
            "blockId",
            "volume",
            "mode",
            "thread",
            "heldMillis",
            "waiting",
            "stack");
    assertThat(read(LocksBean.NAME, "LiveLocks")).isEqualTo(2);
    goOn.countDown();
    second.get(60, TimeUnit.SECONDS);
    first.close();
    assertThat(list("Holders")).isEmpty();
    assertThat(read(LocksBean.NAME, "LiveLocks")).isEqualTo(0);
  }

  private static void uninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void holders_severalOnOneVolume_onlyTheLongestHasAStack() throws Exception {
    LockMonitor monitor = published();
    Operation one = LockMonitorFixture.hold(monitor, OperationKind.APPEND, 1, "a");
    Await.pause(2); // two holds that differ
    Operation two = LockMonitorFixture.hold(monitor, OperationKind.EVICT, 2, "a");
    CompositeData[] holders = list("Holders");
    assertThat((String[]) holders[0].get("stack")).isNotEmpty();
    assertThat((String[]) holders[1].get("stack")).isEmpty();
    assertThat(holders[1].get("blockId")).isEqualTo(2L);
    two.close();
    one.close();
  }

  @Test
  void holders_moreThanAHundred_areCut() throws Exception {
    LockMonitor monitor = published();
    Operation[] all = new Operation[LocksBean.MOST_HOLDERS + 5];
    for (int i = 0; i < all.length; i++) {
      all[i] = LockMonitorFixture.hold(monitor, OperationKind.APPEND, i, "a");
    }
    assertThat(list("Holders")).hasSize(LocksBean.MOST_HOLDERS);
    assertThat(read(LocksBean.NAME, "LiveLocks")).isEqualTo(all.length);
    for (int i = all.length - 1; i >= 0; i--) {
      all[i].close();
    }
  }

  @Test
  void times_afterHolds_areThoseOfAllOperations() throws Exception {
    LockMonitor monitor = published("slow-hold", "1ms");
    Operation slow = LockMonitorFixture.hold(monitor, OperationKind.FINALIZE, 1, "a");
    Await.pause(20);
    slow.close();
    LockMonitorFixture.hold(monitor, OperationKind.CREATE_RBW, 1, "gone").close();
    CompositeData held = times("Held");
    assertThat(held.get("count")).isEqualTo(2L);
    assertThat((Long) held.get("maxMicros")).isGreaterThanOrEqualTo(19_000);
    assertThat(times("Waited").get("count")).isEqualTo(0L);
    assertThat((Long) read(LocksBean.NAME, "SlowHolds")).isGreaterThanOrEqualTo(1);
    assertThat(held.getCompositeType().keySet())
        .containsExactlyInAnyOrder("count", "totalMicros", "p50Micros", "p99Micros", "maxMicros");
  }

  @Test
  void brokenRules_lockOfASecondBlock_areCountedWithTheLast() throws Exception {
    LockMonitor monitor = published();
    Operation outer = LockMonitorFixture.hold(monitor, OperationKind.APPEND, 1, "a");
    LockMonitorFixture.hold(monitor, OperationKind.FINALIZE, 2, "a").close();
    outer.close();
    assertThat(read(LocksBean.NAME, "BrokenRules")).isEqualTo(1L);
    assertThat(read(LocksBean.NAME, "LastBrokenRule").toString())
        .contains("finalizeBlock of BP-1:2", "while its thread holds that of append of BP-1:1");
  }

  @Test
  void closedPools_oneClosing_isNamed() throws Exception {
    LockMonitor monitor = published();
    monitor.operations().pool("BP-9").gate().close(0);
    assertThat((String[]) read(LocksBean.NAME, "ClosedPools")).containsExactly("BP-9");
  }

  @Test
  void publish_secondDataNodeOfTheJvm_getsANumber_andTheFirstFreesItsName() throws Exception {
    LockMonitor first = published("slow-hold", "1s");
    LockMonitor second = published("slow-hold", "2s");
    assertThat(names()).containsExactly(LocksBean.NAME, SECOND);
    assertThat(read(SECOND, "SlowHoldMillis")).isEqualTo(2000L);
    first.close();
    assertThat(read(LocksBean.NAME, "State")).isEqualTo("gone");
    assertThat(read(LocksBean.NAME, "SlowHoldMillis")).isEqualTo(0L);
    assertThat(times("Held").get("count")).isEqualTo(0L);
    published("slow-hold", "3s");
    assertThat(names()).containsExactly(LocksBean.NAME, SECOND);
    assertThat(read(LocksBean.NAME, "SlowHoldMillis")).isEqualTo(3000L);
    assertThat(second.isClosed()).isFalse();
  }

  @Test
  void publish_serverRefuses_warnsOnceAndGoesOn() {
    try (LogLines log = LogLines.of(FineGrainedDatasetFactory.class)) {
      LocksMetrics.publishedIn(RefusingJmx.server())
          .publish(new LocksBean(fixture.monitor()), () -> {});
      assertThat(log.at("WARN"))
          .containsExactly(
              "The locks are not visible in JMX: javax.management.NotCompliantMBeanException: no");
    }
  }
}
