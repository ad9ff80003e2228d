package io.evenkeel.volume;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.jmx.Published;
import io.evenkeel.common.testing.Await;
import io.evenkeel.common.testing.LogLines;
import io.evenkeel.common.testing.RefusingJmx;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import org.apache.hadoop.fs.StorageType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a DataNode shows of its volumes in JMX; the names are API. */
@Timeout(120)
class VolumesBeanTest {
  private static final String SECOND = VolumesBean.NAME + ",instance=2";

  private final MBeanServer server = MBeanServerFactory.newMBeanServer();
  private final Published<VolumesBean> beans = VolumesMetrics.publishedIn(server);
  private final FakeVolume a = FakeVolume.roomy("data/a", StorageType.DISK);
  private final FakeVolume b = FakeVolume.roomy("data/b", StorageType.DISK);
  private final FakeVolume s = FakeVolume.roomy("data/s", StorageType.SSD);

  /** The beans hold policies weakly, and a policy of a local variable may be collected early. */
  private final List<WatchedPolicy> held = new ArrayList<>();

  private WatchedPolicy held(String... keysAndValues) {
    WatchedPolicy watched = new WatchedPolicy(keysAndValues);
    held.add(watched);
    return watched;
  }

  private Object read(String name, String attribute) throws JMException {
    return server.getAttribute(new ObjectName(name), attribute);
  }

  private CompositeData[] volumes(String name) throws JMException {
    return (CompositeData[]) read(name, "Volumes");
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
    beans.publish(new VolumesBean(held().policy), () -> {});
    assertThat(server.getMBeanInfo(new ObjectName(VolumesBean.NAME)).getAttributes())
        .extracting(MBeanAttributeInfo::getName)
        .containsExactlyInAnyOrder(
            "State", "Choices", "OutOfSpace", "Rescued", "WouldDiffer", "Volumes");
  }

  @Test
  void attributes_ofAVolume_areThese() throws Exception {
    WatchedPolicy watched = held();
    beans.publish(new VolumesBean(watched.policy), () -> {});
    watched.choose(1, a);
    assertThat(volumes(VolumesBean.NAME)[0].getCompositeType().keySet())
        .containsExactlyInAnyOrder(
            "directory",
            "storageType",
            "deviceClass",
            "weight",
            "health",
            "healthSeconds",
            "reason",
            "choices",
            "share",
            "recentShare",
            "wouldHaveChosen",
            "inFlight",
            "idleUsers",
            "score",
            "latencyMillis",
            "ejections",
            "probes",
            "availableBytes",
            "capacityBytes",
            "sampleAgeSeconds",
            "signal");
  }

  @Test
  void volumes_afterChoices_showWhatHappened() throws Exception {
    WatchedPolicy watched = held();
    beans.publish(new VolumesBean(watched.policy), () -> {});
    watched.choose(4, b, a);
    watched.choose(3, s);
    watched.pass(7);
    assertThat(read(VolumesBean.NAME, "State")).isEqualTo("active");
    assertThat(read(VolumesBean.NAME, "Choices")).isEqualTo(7L);
    CompositeData[] volumes = volumes(VolumesBean.NAME);
    assertThat(volumes)
        .extracting(v -> v.get("directory"))
        .containsExactly("/data/a", "/data/b", "/data/s");
    assertThat(volumes).extracting(v -> v.get("choices")).containsExactly(2L, 2L, 3L);
    assertThat(volumes).extracting(v -> v.get("share")).containsExactly(0.5, 0.5, 1.0);
    assertThat(volumes).extracting(v -> v.get("health")).containsOnly("in_use");
    assertThat(volumes).extracting(v -> v.get("sampleAgeSeconds")).containsOnly(7.0);
    assertThat(volumes).extracting(v -> v.get("latencyMillis")).containsOnly(-1.0);
    assertThat(volumes)
        .extracting(v -> v.get("availableBytes"))
        .containsExactly(
            FakeVolume.ROOMY - (2 << 20),
            FakeVolume.ROOMY - (2 << 20),
            FakeVolume.ROOMY - (3 << 20));
    assertThat(volumes)
        .extracting(v -> v.get("capacityBytes"))
        .containsOnly(WatchedPolicy.CAPACITY);
  }

  @Test
  void volumes_neverSampled_sayUnknownAndNoNaN() throws Exception {
    WatchedPolicy watched = held();
    beans.publish(new VolumesBean(watched.policy), () -> {});
    a.failWith(new IOException("gone"));
    try {
      watched.choose(1, a);
    } catch (IOException e) {
      assertThat(e).hasMessage("gone");
    }
    CompositeData volume = volumes(VolumesBean.NAME)[0];
    assertThat(volume.get("health")).isEqualTo("failing");
    assertThat(volume.get("availableBytes")).isEqualTo(-1L);
    assertThat(volume.get("sampleAgeSeconds")).isEqualTo(-1.0);
    assertThat(volume.values().stream().filter(Double.class::isInstance).map(Double.class::cast))
        .isNotEmpty()
        .allMatch(Double::isFinite);
  }

  @Test
  void volumes_observing_showWhatWouldHaveBeen() throws Exception {
    WatchedPolicy watched = held("evenkeel.volume.observe-only", "true");
    beans.publish(new VolumesBean(watched.policy), () -> {});
    watched.choose(4, a, b);
    assertThat(read(VolumesBean.NAME, "State")).isEqualTo("observe");
    assertThat(
            Arrays.stream(volumes(VolumesBean.NAME))
                .mapToLong(v -> (long) v.get("wouldHaveChosen"))
                .sum())
        .isEqualTo(4);
  }

  @Test
  void publish_secondPolicyOfTheJvm_getsANumber() throws Exception {
    WatchedPolicy first = held();
    WatchedPolicy second = held();
    beans.publish(new VolumesBean(first.policy), () -> {});
    beans.publish(new VolumesBean(second.policy), () -> {});
    second.choose(1, a);
    assertThat(names()).containsExactly(VolumesBean.NAME, SECOND);
    assertThat(read(VolumesBean.NAME, "Choices")).isEqualTo(0L);
    assertThat(read(SECOND, "Choices")).isEqualTo(1L);
  }

  @Test
  void publish_nameTakenBySomebodyElse_takesTheNext() throws Exception {
    Published<VolumesBean> other = VolumesMetrics.publishedIn(server);
    WatchedPolicy first = held();
    WatchedPolicy second = held();
    other.publish(new VolumesBean(first.policy), () -> {});
    beans.publish(new VolumesBean(second.policy), () -> {});
    assertThat(names()).containsExactly(VolumesBean.NAME, SECOND);
  }

  @Test
  void publish_policyCollected_answersEmptyAndFreesItsName() throws Exception {
    WeakReference<?> gone = publishAndForget();
    WatchedPolicy second = held();
    beans.publish(new VolumesBean(second.policy), () -> {});
    Await.untilCollected(gone);
    assertThat(read(VolumesBean.NAME, "State")).isEqualTo("gone");
    assertThat(read(VolumesBean.NAME, "Choices")).isEqualTo(0L);
    assertThat(volumes(VolumesBean.NAME)).isEmpty();
    WatchedPolicy third = held();
    beans.publish(new VolumesBean(third.policy), () -> {});
    third.choose(2, a);
    assertThat(names()).containsExactly(VolumesBean.NAME, SECOND);
    assertThat(read(VolumesBean.NAME, "Choices")).isEqualTo(2L);
  }

  private WeakReference<?> publishAndForget() throws IOException {
    WatchedPolicy watched = new WatchedPolicy();
    beans.publish(new VolumesBean(watched.policy), () -> {});
    watched.choose(1, a);
    return new WeakReference<>(watched.policy);
  }

  @Test
  void publish_serverRefuses_warnsOnceAndGoesOn() throws Exception {
    WatchedPolicy watched = held();
    try (LogLines log = LogLines.of(LatencyAwareVolumeChoosingPolicy.class)) {
      VolumesMetrics.publishedIn(RefusingJmx.server())
          .publish(new VolumesBean(watched.policy), () -> {});
      assertThat(log.at("WARN"))
          .containsExactly(
              "The volumes are not visible in JMX: javax.management.NotCompliantMBeanException:"
                  + " no");
    }
  }

  @Test
  void publish_beanUnregisteredBySomebodyElse_theNameIsUsedAgain() throws Exception {
    WeakReference<?> gone = publishAndForget();
    Await.untilCollected(gone);
    server.unregisterMBean(new ObjectName(VolumesBean.NAME));
    WatchedPolicy next = held();
    beans.publish(new VolumesBean(next.policy), () -> {});
    assertThat(read(VolumesBean.NAME, "State")).isEqualTo("active");
  }
}
