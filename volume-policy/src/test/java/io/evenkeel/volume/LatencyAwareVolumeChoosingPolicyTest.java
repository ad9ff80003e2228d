package io.evenkeel.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.common.config.ConfigException;
import io.evenkeel.common.plugin.Fit;
import io.evenkeel.common.plugin.Fit.Kind;
import io.evenkeel.common.testing.LogLines;
import io.evenkeel.volume.core.DeviceCounters;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.util.DiskChecker.DiskOutOfSpaceException;
import org.junit.jupiter.api.Test;

class LatencyAwareVolumeChoosingPolicyTest {
  private static final Fit FITS = new Fit("3.4.3", List.of(), "");

  private static final long BLOCK = 128L << 20;
  private static final String BEAN =
      "io.evenkeel:type=Plugin,module=volume,class=LatencyAwareVolumeChoosingPolicy";

  private final Configuration conf = new Configuration(false);

  /** Other test classes run beside this one and write to the same log, of other volumes. */
  private static final Predicate<String> OF_THIS_TEST = line -> line.contains(" /v");

  private final AtomicLong clock = new AtomicLong();
  private final FakeVolumeSignals signals = new FakeVolumeSignals();
  private final List<FakeVolume> volumes = new ArrayList<>();

  LatencyAwareVolumeChoosingPolicyTest() {
    for (int i = 0; i < 4; i++) {
      volumes.add(FakeVolume.roomy("v" + i, StorageType.DISK));
    }
  }

  private LatencyAwareVolumeChoosingPolicy<FsVolumeSpi> configured(Fit hadoop) {
    LatencyAwareVolumeChoosingPolicy<FsVolumeSpi> policy =
        new LatencyAwareVolumeChoosingPolicy<>(new PolicyEnvironment(hadoop, clock::get, signals));
    policy.setConf(conf);
    return policy;
  }

  private PolicyUnderTest tested(LatencyAwareVolumeChoosingPolicy<FsVolumeSpi> policy) {
    return new PolicyUnderTest(policy);
  }

  private List<FsVolumeSpi> list() {
    List<FsVolumeSpi> list = new ArrayList<>();
    volumes.forEach(v -> list.add(v.spi));
    return list;
  }

  private void later(long millis) {
    clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  private static Object bean(String attribute) throws Exception {
    return ManagementFactory.getPlatformMBeanServer().getAttribute(new ObjectName(BEAN), attribute);
  }

  private void refused(String key, String value, String... parts) {
    conf.set(key, value);
    try (LogLines log = LogLines.of(LatencyAwareVolumeChoosingPolicy.class)) {
      assertThatThrownBy(() -> configured(FITS))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining(key)
          .hasMessageContainingAll(parts);
      assertThat(log.at("ERROR")).singleElement().asString().contains("cannot start", key);
    }
    conf.unset(key);
  }

  @Test
  void setConf_testedRelease_isActive() throws Exception {
    try (LogLines log = LogLines.of(LatencyAwareVolumeChoosingPolicy.class)) {
      configured(FITS);
      assertThat(log.at("INFO")).singleElement().asString().contains("is active on Hadoop 3.4.3");
    }
    assertThat(bean("State")).isEqualTo("active");
    assertThat(bean("Reason")).isEqualTo("");
    assertThat((String[]) bean("Settings")).contains("evenkeel.volume.fill=off");
  }

  @Test
  void setConf_untestedRelease_stockDecides() throws Exception {
    try (LogLines log = LogLines.of(LatencyAwareVolumeChoosingPolicy.class)) {
      LatencyAwareVolumeChoosingPolicy<FsVolumeSpi> policy =
          configured(new Fit("3.4.2", List.of("method x.Y.z is missing"), ""));
      assertThat(log.at("WARN")).singleElement().asString().contains("fallback", "3.4.2");
      signals.users.put(volumes.get(0).spi, 100L);
      assertThat(tested(policy).counts(40, BLOCK, volumes)).containsOnly(10);
    }
    assertThat(bean("State")).isEqualTo("fallback");
  }

  @Test
  void setConf_untestedReleaseAllowed_isActive() throws IOException {
    conf.setBoolean("evenkeel.volume.allow-untested", true);
    LatencyAwareVolumeChoosingPolicy<FsVolumeSpi> policy =
        configured(new Fit("9.9.9", List.of("method x.Y.z is missing"), ""));
    volumes.forEach(v -> signals.users.put(v.spi, 100L));
    signals.users.put(volumes.get(2).spi, 3L);
    assertThat(tested(policy).choose(BLOCK, volumes)).isSameAs(volumes.get(2).spi);
  }

  @Test
  void setConf_badValues_doNotStartNamingKeyValueAndRange() {
    refused("evenkeel.volume.fill", "fast", "'fast'", "off | even");
    refused("evenkeel.volume.sample.interval", "10ms", "100ms..60s");
    refused("evenkeel.volume.eject.max", "5s", "eject.base = '10s' is longer than", "set both");
    refused("evenkeel.volume.eject.base", "1m", "eject.base = '1m' is longer than", "max = '45s'");
    refused("evenkeel.volume.outlier.min-latency.floppy", "5ms", "storage type", "ram_disk");
    refused("evenkeel.volume.class.a.dirs", "", "= ''", "directories of dfs.datanode.data.dir");
    refused("evenkeel.volume.outlier.multiplyer", "3", "evenkeel.volume.outlier.multiplier");
    refused(KeptFree.KEY, "-1", "0..");
  }

  @Test
  void setConf_stockExclusionIsOn_warnsWithTheReason() {
    conf.set("dfs.datanode.max.slowdisks.to.exclude", "1");
    try (LogLines log = LogLines.of(LatencyAwareVolumeChoosingPolicy.class)) {
      configured(FITS);
      assertThat(log.at("WARN"))
          .singleElement()
          .asString()
          .contains("dfs.datanode.max.slowdisks.to.exclude", "every volume", "Set it to 0");
    }
  }

  @Test
  void chooseVolume_bothSignatures_answerAlike() throws IOException {
    LatencyAwareVolumeChoosingPolicy<FsVolumeSpi> policy = configured(FITS);
    volumes.forEach(v -> signals.users.put(v.spi, 100L));
    signals.users.put(volumes.get(1).spi, 50L);
    assertThat(policy.chooseVolume(list(), BLOCK)).isSameAs(volumes.get(1).spi);
    assertThat(policy.chooseVolume(list(), BLOCK, "DS-1")).isSameAs(volumes.get(1).spi);
  }

  /** As on a vendor's build where a method is missing. */
  private LatencyAwareVolumeChoosingPolicy<FsVolumeSpi> broken() {
    PolicyEnvironment environment =
        new PolicyEnvironment(
            FITS,
            () -> {
              throw new NoSuchMethodError("test");
            },
            signals);
    LatencyAwareVolumeChoosingPolicy<FsVolumeSpi> policy =
        new LatencyAwareVolumeChoosingPolicy<>(environment);
    policy.setConf(conf);
    return policy;
  }

  @Test
  void chooseVolume_methodIsMissing_stockDecides() throws IOException {
    assertThat(tested(broken()).counts(40, BLOCK, volumes)).containsOnly(10);
  }

  @Test
  void observeOnly_methodIsMissing_stockDecides() throws IOException {
    conf.setBoolean("evenkeel.volume.observe-only", true);
    assertThat(tested(broken()).counts(40, BLOCK, volumes)).containsOnly(10);
  }

  @Test
  void chooseVolume_otherTypesInBetween_shareNothing() throws IOException {
    PolicyUnderTest policy = tested(configured(FITS));
    List<FakeVolume> ssds = List.of(FakeVolume.roomy("s", StorageType.SSD));
    long[] counts = new long[4];
    for (int i = 0; i < 40; i++) {
      policy.choose(BLOCK, ssds);
      long[] one = policy.counts(1, BLOCK, volumes);
      for (int v = 0; v < 4; v++) {
        counts[v] += one[v];
      }
    }
    assertThat(counts).containsOnly(10);
  }

  @Test
  void chooseVolume_observeOnly_stockDecidesAndDifferencesAreCounted() throws Exception {
    conf.setBoolean("evenkeel.volume.observe-only", true);
    LatencyAwareVolumeChoosingPolicy<FsVolumeSpi> policy = configured(FITS);
    signals.users.put(volumes.get(0).spi, 100L);
    for (int i = 0; i < 10; i++) {
      later(20);
      assertThat(policy.chooseVolume(list(), BLOCK, null)).isSameAs(volumes.get(i % 4).spi);
    }
    assertThat(bean("State")).isEqualTo("observe");
    List<VolumeReport> reports = policy.volumes();
    assertThat(reports).hasSize(4);
    assertThat(reports.get(0).getChoices()).isEqualTo(3);
    assertThat(reports.get(0).getWouldHaveChosen()).isZero();
    assertThat(reports.stream().mapToLong(VolumeReport::getWouldHaveChosen).sum()).isEqualTo(10);
  }

  @Test
  void chooseVolume_signalsThrow_rotates() throws IOException {
    PolicyUnderTest policy = tested(configured(FITS));
    signals.failure = new IllegalStateException("gone");
    assertThat(policy.counts(40, BLOCK, volumes)).containsOnly(10);
  }

  @Test
  void chooseVolume_errorOfOurOwn_stockDecidesWithOneWarning() throws IOException {
    LatencyAwareVolumeChoosingPolicy<FsVolumeSpi> policy =
        new LatencyAwareVolumeChoosingPolicy<>(
            new PolicyEnvironment(
                FITS,
                () -> {
                  throw new IllegalStateException("no clock");
                },
                signals));
    policy.setConf(conf);
    try (LogLines log = LogLines.of(LatencyAwareVolumeChoosingPolicy.class)) {
      assertThat(tested(policy).counts(8, BLOCK, volumes)).containsOnly(2);
      assertThat(log.at("WARN")).singleElement().asString().contains("stock round robin");
    }
  }

  @Test
  void chooseVolume_kept_freeSpaceIsNeverTouched() throws IOException {
    conf.setLong(KeptFree.KEY, 10 * BLOCK);
    LatencyAwareVolumeChoosingPolicy<FsVolumeSpi> policy = configured(FITS);
    volumes.forEach(v -> v.setAvailable(11 * BLOCK));
    assertThatThrownBy(() -> policy.chooseVolume(list(), BLOCK, null))
        .isExactlyInstanceOf(DiskOutOfSpaceException.class)
        .hasMessageContaining(KeptFree.KEY);
  }

  @Test
  void chooseVolume_tenTimesSlowerVolume_isEjectedSeenAndLogged() throws IOException {
    LatencyAwareVolumeChoosingPolicy<FsVolumeSpi> policy = configured(FITS);
    policy.chooseVolume(list(), BLOCK, null);
    try (LogLines log = LogLines.of(LatencyAwareVolumeChoosingPolicy.class)) {
      for (int second = 1; second <= 6; second++) {
        for (int v = 0; v < 4; v++) {
          long writes = 20L * second;
          double millis = writes * (v == 2 ? 400.0 : 40.0);
          signals.counters.put(volumes.get(v).spi, new DeviceCounters(writes, writes, millis, 1));
        }
        later(1000);
        policy.sample();
      }
      assertThat(log.at("WARN"))
          .filteredOn(OF_THIS_TEST)
          .singleElement()
          .asString()
          .contains("DISK volume", "v2", "EJECTED", "10.0 times the median");
    }
    VolumeReport slow = policy.volumes().get(2);
    assertThat(slow.getHealth()).isEqualTo("ejected");
    assertThat(slow.getEjections()).isEqualTo(1);
    assertThat(slow.getReason()).contains("peers");
    long[] counts = tested(policy).counts(30, BLOCK, volumes);
    assertThat(Arrays.stream(counts).sum()).isEqualTo(30);
    assertThat(counts[2]).isZero();
  }

  @Test
  void chooseVolume_aVolumeThatStaysSlow_isWarnedOfOnce() throws IOException {
    LatencyAwareVolumeChoosingPolicy<FsVolumeSpi> policy = configured(FITS);
    try (LogLines log = LogLines.of(LatencyAwareVolumeChoosingPolicy.class)) {
      for (int second = 1; second <= 300; second++) {
        policy.chooseVolume(list(), BLOCK, null);
        for (int v = 0; v < 4; v++) {
          long writes = 20L * second;
          double millis = writes * (v == 2 ? 400.0 : 40.0);
          signals.counters.put(volumes.get(v).spi, new DeviceCounters(writes, writes, millis, 1));
        }
        later(1000);
        policy.sample();
      }
      assertThat(policy.volumes().get(2).getEjections()).isGreaterThan(3);
      assertThat(log.at("WARN"))
          .filteredOn(OF_THIS_TEST)
          .singleElement()
          .asString()
          .contains("v2", "EJECTED");
    }
  }

  @Test
  void setConf_calledAgain_readsAgain() throws IOException {
    LatencyAwareVolumeChoosingPolicy<FsVolumeSpi> policy = configured(FITS);
    policy.chooseVolume(list(), BLOCK, null);
    conf.setLong(KeptFree.KEY, FakeVolume.ROOMY);
    policy.setConf(conf);
    assertThatThrownBy(() -> policy.chooseVolume(list(), BLOCK, null))
        .isInstanceOf(DiskOutOfSpaceException.class);
    policy.setConf(null);
    assertThat(policy.getConf()).isSameAs(conf);
  }

  /** A fallback could not be called either; seen as writes that failed, after a WARN. */
  @Test
  void setConf_hadoopWouldCallWhatIsNotThere_doesNotStartAndSaysWhatToRemove() {
    assertThatThrownBy(
            () ->
                configured(
                    new Fit("9.9.9", List.of("x: does not implement y"), "", Kind.NOT_IMPLEMENTED)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("x: does not implement y")
        .hasMessageContaining("remove dfs.datanode.fsdataset.volume.choosing.policy");
  }
}
