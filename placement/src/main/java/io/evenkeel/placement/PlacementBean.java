package io.evenkeel.placement;

import io.evenkeel.placement.core.BlockTargets.Relaxation;
import io.evenkeel.placement.core.TargetChecks.NotChosenReason;
import io.evenkeel.placement.namenode.DataNodeIndex;
import io.evenkeel.placement.namenode.NameNodePlacement;
import io.evenkeel.placement.namenode.Observer;
import io.evenkeel.placement.namenode.PlacementCounters;
import java.lang.ref.WeakReference;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;

/**
 * Answers JMX for one NameNode without keeping it alive: the platform's MBean server lives as long
 * as the JVM. Maxima and means are computed when asked for, in one pass over the DataNodes.
 * Thread-safe.
 */
final class PlacementBean implements PlacementMXBean {
  private final WeakReference<NameNodePlacement> nameNode;

  PlacementBean(NameNodePlacement nameNode) {
    this.nameNode = new WeakReference<>(nameNode);
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
  public long getChoices() {
    return count(PlacementCounters::choices);
  }

  @Override
  public long getReplicas() {
    return count(PlacementCounters::replicas);
  }

  @Override
  public long getShortChoices() {
    return count(PlacementCounters::shortChoices);
  }

  @Override
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
  public long getUndecidedChecks() {
    return count(PlacementCounters::undecidedChecks);
  }

  @Override
  public long getMisplacedBlocksEstimate() {
    NameNodePlacement there = nameNode.get();
    return there == null ? -1 : there.misplacedBlocks();
  }

  @Override
  public double getReplicasMaxOverMean() {
    return maxOverMean(index -> index.maxOverMean(i -> index.node(i).numBlocks()));
  }

  @Override
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
  public double getObservedStockMaxOverMean() {
    Observer observer = observer();
    return observer == null ? 0 : observer.maxOverMeanByStock();
  }

  @Override
  public double getObservedOursMaxOverMean() {
    Observer observer = observer();
    return observer == null ? 0 : observer.maxOverMeanByOurs();
  }

  @Override
  public int getDataNodes() {
    return look(DataNodeIndex::size);
  }

  @Override
  public int getEligibleHosts() {
    return look(index -> index.eligible().hosts());
  }

  @Override
  public int getEligibleRacks() {
    return look(index -> index.eligible().racks());
  }

  @Override
  public String getHostKey() {
    DataNodeIndex index = index();
    return index == null ? "unknown" : index.hostIdentity().kind().key();
  }
}
