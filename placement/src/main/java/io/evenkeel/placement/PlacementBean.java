package io.evenkeel.placement;

import io.evenkeel.placement.core.BlockTargets.Relaxation;
import io.evenkeel.placement.core.TargetChecks.NotChosenReason;
import io.evenkeel.placement.namenode.DataNodeIndex;
import io.evenkeel.placement.namenode.NameNodePlacement;
import io.evenkeel.placement.namenode.Observer;
import io.evenkeel.placement.namenode.PlacementCounters;
import java.lang.ref.WeakReference;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.annotation.Metric;
import org.apache.hadoop.metrics2.lib.Interns;
import org.apache.hadoop.metrics2.lib.MetricsAnnotations;
import org.apache.hadoop.metrics2.lib.MetricsRegistry;

/**
 * Answers JMX and metrics2 for one NameNode without keeping it alive: the platform's MBean server
 * lives as long as the JVM. A getter with {@link Metric} is in both, under its name. Maxima and
 * means are computed when asked for, in one pass over the DataNodes. Thread-safe.
 */
final class PlacementBean implements PlacementMXBean, MetricsSource {
  private final WeakReference<NameNodePlacement> nameNode;

  /** What is annotated, in the context of the NameNode's own metrics. */
  private final MetricsRegistry numbers =
      new MetricsRegistry(PlacementMetrics.SOURCE).setContext("dfs");

  PlacementBean(NameNodePlacement nameNode) {
    this.nameNode = new WeakReference<>(nameNode);
    MetricsAnnotations.newSourceBuilder(this); // fills the registry
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    MetricsRecordBuilder record = collector.addRecord(numbers.info());
    numbers.snapshot(record, all);
    counters(record, "Refused", "Refusals of DataNodes: ", getRefusals());
    counters(record, "Relaxed", "Preferences and rules that gave way: ", getRelaxations());
    counters(record, "Observed", "Blocks compared with stock: ", getObserved());
  }

  private static void counters(
      MetricsRecordBuilder record, String prefix, String text, Map<String, Long> counts) {
    counts.forEach(
        (name, count) -> record.addCounter(Interns.info(prefix + camel(name), text + name), count));
  }

  private static String camel(String name) {
    StringBuilder camel = new StringBuilder();
    for (String word : name.split("_")) {
      camel.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
    }
    return camel.toString();
  }

  /** Whether the NameNode has been collected, so that the name is free for another. */
  boolean isGone() {
    return nameNode.get() == null;
  }

  private long count(ToLongFunction<PlacementCounters> counter) {
    NameNodePlacement there = nameNode.get();
    return there == null ? 0 : counter.applyAsLong(there.counters());
  }

  private int look(ToIntFunction<DataNodeIndex> value) {
    DataNodeIndex index = index();
    return index == null ? 0 : value.applyAsInt(index);
  }

  private double maxOverMean(ToDoubleFunction<DataNodeIndex> value) {
    DataNodeIndex index = index();
    return index == null ? 0 : value.applyAsDouble(index);
  }

  private DataNodeIndex index() {
    NameNodePlacement there = nameNode.get();
    return there == null ? null : there.latest();
  }

  @Override
  @Metric(value = "Choices of DataNodes for a block", type = Metric.Type.COUNTER)
  public long getChoices() {
    return count(PlacementCounters::choices);
  }

  @Override
  @Metric(value = "Replicas and internal blocks chosen", type = Metric.Type.COUNTER)
  public long getReplicas() {
    return count(PlacementCounters::replicas);
  }

  @Override
  @Metric(value = "Choices with fewer replicas than wanted", type = Metric.Type.COUNTER)
  public long getShortChoices() {
    return count(PlacementCounters::shortChoices);
  }

  @Override
  @Metric("Mean time of a choice since start")
  public double getMicrosPerChoice() {
    long choices = getChoices();
    return choices == 0 ? 0 : count(PlacementCounters::nanos) / 1e3 / choices;
  }

  @Override
  public Map<String, Long> getRefusals() {
    Map<String, Long> map = new LinkedHashMap<>();
    for (NotChosenReason refusal : NotChosenReason.values()) {
      map.put(refusal.name(), count(c -> c.refusals(refusal)));
    }
    return map;
  }

  @Override
  public Map<String, Long> getRelaxations() {
    Map<String, Long> map = new LinkedHashMap<>();
    for (Relaxation relaxation : Relaxation.values()) {
      map.put(relaxation.name(), count(c -> c.relaxations(relaxation)));
    }
    return map;
  }

  @Override
  @Metric(value = "Checks that could not know the storage types", type = Metric.Type.COUNTER)
  public long getUndecidedChecks() {
    return count(PlacementCounters::undecidedChecks);
  }

  @Override
  @Metric("Blocks a failover would have copied; -1: not known yet")
  public long getMisplacedBlocksEstimate() {
    NameNodePlacement there = nameNode.get();
    return there == null ? -1 : there.misplacedBlocks();
  }

  @Override
  @Metric("DataNodes on other hosts than when they registered")
  public int getMovedDataNodes() {
    NameNodePlacement there = nameNode.get();
    return there == null ? 0 : there.movedDataNodes();
  }

  @Override
  @Metric("Blocks with two replicas on one host because of that; -1: being counted")
  public long getBlocksDoubledByMoves() {
    NameNodePlacement there = nameNode.get();
    return there == null ? 0 : there.doubledBlocks();
  }

  @Override
  @Metric("Replicas on the fullest DataNode over the mean")
  public double getReplicasMaxOverMean() {
    return maxOverMean(index -> index.maxOverMean(i -> index.node(i).numBlocks()));
  }

  @Override
  @Metric("Blocks in flight on the busiest DataNode over the mean")
  public double getInFlightMaxOverMean() {
    return maxOverMean(index -> index.maxOverMean(index::scheduled));
  }

  private Observer observer() {
    NameNodePlacement there = nameNode.get();
    return there == null ? null : there.observer();
  }

  @Override
  public Map<String, Long> getObserved() {
    Observer observer = observer();
    Map<String, Long> map = new LinkedHashMap<>();
    if (observer != null) {
      map.put("COMPARED", observer.compared());
      map.put("NOT_COMPARED", observer.notCompared());
      observer.byStock().forEach((name, count) -> map.put("STOCK_" + name, count));
      observer.byOurs().forEach((name, count) -> map.put("OURS_" + name, count));
    }
    return map;
  }

  @Override
  @Metric("New replicas on the DataNode that stock used most, over the mean")
  public double getObservedStockMaxOverMean() {
    Observer observer = observer();
    return observer == null ? 0 : observer.maxOverMeanByStock();
  }

  @Override
  @Metric("The same if this policy had decided")
  public double getObservedOursMaxOverMean() {
    Observer observer = observer();
    return observer == null ? 0 : observer.maxOverMeanByOurs();
  }

  @Override
  @Metric("DataNodes known")
  public int getDataNodes() {
    return look(DataNodeIndex::size);
  }

  @Override
  @Metric("Hosts that could take a replica")
  public int getEligibleHosts() {
    return look(index -> index.eligible().hosts());
  }

  @Override
  @Metric("Racks that could take a replica")
  public int getEligibleRacks() {
    return look(index -> index.eligible().racks());
  }

  @Override
  public String getHostKey() {
    DataNodeIndex index = index();
    return index == null ? "unknown" : index.hostIdentity().kind().key();
  }
}
