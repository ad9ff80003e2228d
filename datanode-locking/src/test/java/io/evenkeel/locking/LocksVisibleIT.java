package io.evenkeel.locking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.evenkeel.common.json.Json;
import io.evenkeel.common.testing.Await;
import io.evenkeel.common.testing.LogLines;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider.OPERATION;
import org.apache.hadoop.hdfs.server.datanode.ReplicaHandler;
import org.apache.hadoop.hdfs.server.datanode.metrics.DataNodeMetrics;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A disk that hangs, as an operator sees it on a real DataNode's web server and in its log. */
@Timeout(180)
class LocksVisibleIT {
  private static final long BLOCK = 4711;

  @TempDir private Path dir;
  private OneDataNode one;
  private LogLines log;

  @BeforeEach
  void start() throws IOException {
    Configuration conf = OneDataNode.conf(true);
    conf.set("evenkeel.locking.slow-hold", "200ms");
    conf.setBoolean("hadoop.prometheus.endpoint.enabled", true);
    log = LogLines.of(FineGrainedDatasetFactory.class);
    one = OneDataNode.startWithNameNode(dir, conf);
  }

  @AfterEach
  void stop() {
    one.close();
    log.close();
  }

  private CompletableFuture<Void> create(long id) {
    return CompletableFuture.runAsync(
        () -> {
          ExtendedBlock block = new ExtendedBlock(one.pool(), id, 0, 1001);
          try (ReplicaHandler handler =
              one.dataset().createRbw(StorageType.DISK, null, block, false, 0)) {
            assertThat(handler.getReplica().getBlockId()).isEqualTo(id);
          } catch (IOException e) {
            throw new IllegalStateException(e);
          }
        },
        task -> new Thread(task, "create").start()); // the common pool may have one thread only
  }

  private String get(String path) throws IOException {
    URI uri = URI.create("http://127.0.0.1:" + one.node().getInfoPort() + path);
    try (InputStream in = uri.toURL().openStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @SuppressWarnings("unchecked")
  private Map<String, Object> bean() {
    try {
      String text = get("/jmx?qry=" + LocksBean.NAME + ",*");
      assertThat(text).doesNotContain("ERROR");
      return ((List<Map<String, Object>>) ((Map<String, Object>) Json.parse(text)).get("beans"))
          .stream().filter(bean -> "active".equals(bean.get("State"))).findFirst().orElseThrow();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> rows(Map<String, Object> bean, String attribute) {
    return (List<Map<String, Object>>) bean.get(attribute);
  }

  private List<String> slowLines() {
    return log.at("WARN").stream().filter(line -> line.startsWith("Slow holder")).toList();
  }

  @Test
  void hangingCreate_isSeenWithBlockAndStack_andLoggedOnce() throws Exception {
    String volume;
    try (ParkedIo io = ParkedIo.of(one.node())) {
      ParkedIo.Parking parking = io.park(OPERATION.OPEN, 1, thread -> true);
      CompletableFuture<Void> create = create(BLOCK);
      parking.awaitAll();
      volume = parking.directory();
      CompletableFuture<Void> second = create(BLOCK); // waits for the first, then is refused
      Await.until("the log line", () -> !slowLines().isEmpty());
      Await.until("a waiter", () -> bean().get("ThreadsWaiting").equals(1L));
      Map<String, Object> holder = rows(bean(), "Holders").get(0);
      assertThat(holder)
          .containsEntry("operation", "createRbw")
          .containsEntry("blockPool", one.pool())
          .containsEntry("blockId", BLOCK)
          .containsEntry("volume", volume)
          .containsEntry("mode", "exclusive")
          .containsEntry("thread", parking.thread().getName())
          .containsEntry("waiting", 1L);
      assertThat((Long) holder.get("heldMillis")).isGreaterThanOrEqualTo(200);
      assertThat(holder.get("stack").toString())
          .contains(ParkedIo.class.getName() + "$Parking.stop(", "FineGrainedDataset.createRbw(");
      create(BLOCK + 1).get(60, TimeUnit.SECONDS); // others go on meanwhile
      Await.pause(500); // several looks of the watching thread
      parking.release();
      create.get(60, TimeUnit.SECONDS);
      assertThat(second).failsWithin(java.time.Duration.ofSeconds(60));
    }
    Await.until("all released", () -> bean().get("LiveLocks").equals(0L));
    Await.pause(500);
    assertThat(slowLines())
        .singleElement()
        .asString()
        .startsWith("Slow holder: createRbw of " + one.pool() + ":" + BLOCK + " has held the lock")
        .contains(" ms and still does, volume " + volume + ", thread ");
    Map<String, Object> after = bean();
    assertThat(after)
        .containsEntry("SlowHolds", 1L)
        .containsEntry("ThreadsWaiting", 0L)
        .containsEntry("BrokenRules", 0L)
        .containsEntry("SlowHoldMillis", 200L);
    assertThat(rows(after, "Holders")).isEmpty();
    assertThat(times(after, "Waited")).containsEntry("count", 1L);
    assertThat((Long) times(after, "Held").get("maxMicros")).isGreaterThanOrEqualTo(700_000);
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> times(Map<String, Object> bean, String attribute) {
    return (Map<String, Object>) bean.get(attribute);
  }

  @Test
  void prometheusPage_hasTheLocks() throws Exception {
    create(BLOCK).get(60, TimeUnit.SECONDS);
    DefaultMetricsSystem.instance().publishMetricsNow();
    // The first web server of a JVM has the sink: here that of the NameNode, else its own.
    URI uri = one.cluster().getHttpUri(0) == null ? null : URI.create(one.cluster().getHttpUri(0));
    assumeTrue(uri != null);
    String page;
    try (InputStream in = uri.resolve("/prom").toURL().openStream()) {
      page = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    assertThat(page.split("\n"))
        .anyMatch(line -> line.startsWith("evenkeel_locks_hold_num_ops{") && !line.endsWith("} 0"))
        .anyMatch(line -> line.startsWith("evenkeel_locks_hold_p99_micros{"))
        .anyMatch(line -> line.startsWith("evenkeel_locks_live_locks{"));
  }

  @Test
  void stockMetrics_whereTheReleaseHasThem_areFed() throws Exception {
    assumeTrue(
        Arrays.stream(DataNodeMetrics.class.getMethods())
            .anyMatch(method -> method.getName().equals("addAcquireDataSetWriteLock")),
        "since 3.5");
    long before = stockWriteLocks();
    create(BLOCK).get(60, TimeUnit.SECONDS);
    assertThat(stockWriteLocks()).isGreaterThan(before);
  }

  private long stockWriteLocks() {
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    DefaultMetricsSystem.instance()
        .getSource(one.node().getMetrics().name())
        .getMetrics(collector, true);
    for (AbstractMetric metric : collector.getRecords().get(0).metrics()) {
      if (metric.name().equals("AcquireDatasetWriteLockNumOps")) {
        return metric.value().longValue();
      }
    }
    throw new AssertionError("no such metric");
  }

  @Test
  void shutdown_endsThreadAndBean() throws Exception {
    Await.until("those of other tests end", () -> watchThreads() == 1);
    bean();
    one.node().shutdown();
    Await.until("the thread ends", () -> watchThreads() == 0);
    Object state =
        java.lang.management.ManagementFactory.getPlatformMBeanServer()
            .getAttribute(new javax.management.ObjectName(LocksBean.NAME), "State");
    assertThat(state).isEqualTo("gone");
  }

  private static long watchThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("evenkeel-locking-watch"))
        .count();
  }
}
