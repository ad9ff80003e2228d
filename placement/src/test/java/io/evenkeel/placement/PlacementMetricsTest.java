package io.evenkeel.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.jmx.Published;
import io.evenkeel.common.testing.Await;
import io.evenkeel.common.testing.LogLines;
import io.evenkeel.common.testing.RefusingJmx;
import io.evenkeel.placement.namenode.NameNodePlacement;
import java.lang.ref.WeakReference;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.management.MBeanServerFactory;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricType;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** What a NameNode shows of its placement in metrics2; the names are API. */
class PlacementMetricsTest {
  private final Published<PlacementBean> published =
      PlacementMetrics.publishedIn(MBeanServerFactory.newMBeanServer());
  private final PlacementMetrics source = new PlacementMetrics(published);

  private final TestCluster three = TestCluster.flat(3, 1, 1);

  /** In a field, because the bean holds the NameNode weakly: a local one may be collected. */
  private UniformBlockPlacementPolicy held;

  private List<Map<String, Object>> records() {
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    source.getMetrics(collector, true);
    List<Map<String, Object>> found = new ArrayList<>();
    for (MetricsRecord record : collector.getRecords()) {
      assertThat(record.name()).isEqualTo("EvenkeelPlacement");
      assertThat(record.context()).isEqualTo("dfs");
      Map<String, Object> values = new TreeMap<>();
      for (AbstractMetric metric : record.metrics()) {
        values.put(metric.name(), metric.value());
      }
      found.add(values);
    }
    return found;
  }

  private static WeakReference<?> publishAndForget(Published<PlacementBean> in) {
    TestCluster two = TestCluster.flat(2, 1, 1);
    UniformBlockPlacementPolicy policy = two.ours();
    policy.index();
    in.publish(new PlacementBean(policy.nameNode()), () -> {});
    return new WeakReference<>(policy.nameNode());
  }

  @Test
  void metrics_noNameNode_areNone() {
    assertThat(records()).isEmpty();
  }

  @Test
  void metrics_severalNameNodes_areThoseOfTheLatest() throws Exception {
    WeakReference<?> before = publishAndForget(published);
    held = three.ours();
    TestCluster.choose(held, 3, null);
    published.publish(new PlacementBean(held.nameNode()), () -> {});
    assertThat(records())
        .singleElement(InstanceOfAssertFactories.map(String.class, Object.class))
        .containsEntry("DataNodes", 3)
        .containsEntry("Choices", 1L)
        .containsEntry("MisplacedBlocksEstimate", -1L)
        .containsOnlyKeys(
            "Choices",
            "Replicas",
            "ShortChoices",
            "UndecidedChecks",
            "MisplacedBlocksEstimate",
            "MovedDataNodes",
            "BlocksDoubledByMoves",
            "RefusedNotInService",
            "RefusedNodeStale",
            "RefusedNodeTooBusy",
            "RefusedNodeSlow",
            "RefusedNotEnoughStorageSpace",
            "RefusedNoRequiredStorageType",
            "RefusedNoOtherHostOrRack",
            "RelaxedShape",
            "RelaxedNotLocal",
            "RelaxedOneRack",
            "RelaxedMaintenanceHost",
            "RelaxedSharedHost",
            "MicrosPerChoice",
            "ReplicasMaxOverMean",
            "InFlightMaxOverMean",
            "ObservedStockMaxOverMean",
            "ObservedOursMaxOverMean",
            "DataNodes",
            "EligibleHosts",
            "EligibleRacks");
    Await.untilCollected(before);
    assertThat(records()).hasSize(1);
  }

  @Test
  void metrics_everyNumberOfTheBean_isThereOnce() {
    held = three.ours();
    published.publish(new PlacementBean(held.nameNode()), () -> {});
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    source.getMetrics(collector, true);
    Map<String, MetricType> types = new TreeMap<>();
    MetricsRecord only = collector.getRecords().get(0);
    for (AbstractMetric metric : only.metrics()) {
      assertThat(types.put(metric.name(), metric.type())).as(metric.name()).isNull();
      assertThat(metric.description()).as(metric.name()).isNotBlank();
    }
    for (Method getter : PlacementMXBean.class.getMethods()) {
      if (getter.getReturnType().isPrimitive()) {
        assertThat(types).containsKey(getter.getName().substring("get".length()));
      }
    }
    types.keySet().removeIf(name -> name.startsWith("Refused") || name.startsWith("Relaxed"));
    types.values().removeIf(type -> type == MetricType.GAUGE);
    assertThat(types).containsOnlyKeys("Choices", "Replicas", "ShortChoices", "UndecidedChecks");
  }

  @Test
  void metrics_nameNodeIsGone_areNone() throws Exception {
    Await.untilCollected(publishAndForget(published));
    assertThat(records()).isEmpty();
  }

  @Test
  void publish_unusualJmx_warnsAndIsInTheMetrics() {
    held = three.ours();
    NameNodePlacement nameNode = held.nameNode();
    Published<PlacementBean> unseen = PlacementMetrics.publishedIn(RefusingJmx.server());
    try (LogLines log = LogLines.of(PlacementMetrics.class)) {
      unseen.publish(new PlacementBean(nameNode), () -> {});
      assertThat(log.at("WARN"))
          .containsExactly(
              "The placement is not visible in JMX: javax.management.NotCompliantMBeanException:"
                  + " no");
    }
    assertThat(unseen.live()).hasSize(1);
  }
}
