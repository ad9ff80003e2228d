package io.evenkeel.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.common.config.ConfigException;
import io.evenkeel.common.plugin.Fit;
import io.evenkeel.common.testing.LogLines;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.RoundRobinVolumeChoosingPolicy;
import org.apache.hadoop.util.DiskChecker.DiskOutOfSpaceException;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.Test;

class PerTypeRoundRobinVolumeChoosingPolicyTest {
  private static final Fit FITS = new Fit("3.4.3", List.of(), "");

  private static final long BLOCK = 128L << 20;
  private static final String BEAN =
      "io.evenkeel:type=Plugin,module=volume,class=PerTypeRoundRobinVolumeChoosingPolicy";

  private final Configuration conf = new Configuration(false);
  private final AtomicLong clock = new AtomicLong();

  private PerTypeRoundRobinVolumeChoosingPolicy<FsVolumeSpi> configured(Fit hadoop) {
    PerTypeRoundRobinVolumeChoosingPolicy<FsVolumeSpi> policy =
        new PerTypeRoundRobinVolumeChoosingPolicy<>(hadoop, clock::get);
    policy.setConf(conf);
    return policy;
  }

  private static Object bean(String attribute) throws Exception {
    return ManagementFactory.getPlatformMBeanServer().getAttribute(new ObjectName(BEAN), attribute);
  }

  /** A list in another order at each choice: only our own rotation serves it exactly. */
  private static boolean rotatesVolumes(PerTypeRoundRobinVolumeChoosingPolicy<?> policy)
      throws IOException {
    FakeVolume a = FakeVolume.roomy("a", StorageType.DISK);
    FakeVolume b = FakeVolume.roomy("b", StorageType.DISK);
    PolicyUnderTest test = new PolicyUnderTest(policy);
    FsVolumeSpi first = test.choose(BLOCK, List.of(a, b));
    return test.choose(BLOCK, List.of(b, a)) != first;
  }

  @Test
  void setConf_testedRelease_isActive() throws Exception {
    conf.setLong(KeptFree.KEY, 4096);
    PerTypeRoundRobinVolumeChoosingPolicy<FsVolumeSpi> policy = configured(FITS);
    assertThat(bean("State")).isEqualTo("active");
    assertThat(bean("Reason")).isEqualTo("");
    assertThat(bean("HadoopVersion")).isEqualTo("3.4.3");
    assertThat((String[]) bean("Settings"))
        .contains("evenkeel.volume.allow-untested=false", KeptFree.KEY + "=4096");
    assertThat(rotatesVolumes(policy)).isTrue();
    assertThat(policy.getConf()).isSameAs(conf);
  }

  @Test
  void setConf_runningRelease_isDeclaredAsTested() throws Exception {
    configured(VolumeKeys.MODULE.fit(VersionInfo.getVersion()));
    assertThat(bean("State")).isEqualTo("active");
  }

  @Test
  void setConf_untestedRelease_letsStockDecide() throws Exception {
    PerTypeRoundRobinVolumeChoosingPolicy<FsVolumeSpi> policy =
        configured(new Fit("3.4.99", List.of("method x.Y.z is missing"), ""));
    assertThat(bean("State")).isEqualTo("fallback");
    assertThat(bean("Reason").toString())
        .contains(
            "Hadoop 3.4.99 is not as this jar knows it (method x.Y.z is missing",
            "evenkeel.volume.allow-untested=true");
    assertThat(rotatesVolumes(policy)).isFalse();
    assertThatThrownBy(() -> new PolicyUnderTest(policy).choose(BLOCK, List.of()))
        .isExactlyInstanceOf(DiskOutOfSpaceException.class);
  }

  @Test
  void setConf_untestedReleaseButAllowed_isActive() throws Exception {
    conf.setBoolean("evenkeel.volume.allow-untested", true);
    PerTypeRoundRobinVolumeChoosingPolicy<FsVolumeSpi> policy =
        configured(new Fit("4.0.0-vendor7", List.of("method x.Y.z is missing"), ""));
    assertThat(bean("State")).isEqualTo("active");
    assertThat(bean("Reason").toString())
        .contains("Hadoop 4.0.0-vendor7 is not as this jar knows it");
    assertThat(rotatesVolumes(policy)).isTrue();
  }

  @Test
  void setConf_untestedRelease_givesStockItsConfiguration() {
    conf.setLong(KeptFree.KEY, 1000);
    PolicyUnderTest policy =
        new PolicyUnderTest(configured(new Fit("9.9.9", List.of("method x.Y.z is missing"), "")));
    FakeVolume volume = new FakeVolume("a", StorageType.DISK, BLOCK + 1000);
    if (Configurable.class.isAssignableFrom(RoundRobinVolumeChoosingPolicy.class)) {
      assertThatThrownBy(() -> policy.choose(BLOCK, List.of(volume)))
          .isExactlyInstanceOf(DiskOutOfSpaceException.class);
    } else {
      assertThat(chosen(policy, volume)).isSameAs(volume.spi);
    }
  }

  private static FsVolumeSpi chosen(PolicyUnderTest policy, FakeVolume volume) {
    try {
      return policy.choose(BLOCK, List.of(volume));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void setConf_unknownKey_failsNamingTheNearest() {
    conf.set("evenkeel.volume.allow-untestd", "true");
    assertThatThrownBy(() -> configured(FITS))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("evenkeel.volume.allow-untestd")
        .hasMessageContaining("nearest known key: evenkeel.volume.allow-untested");
  }

  @Test
  void setConf_badValueOnUntestedRelease_failsAsWell() {
    conf.set("evenkeel.volume.allow-untested", "yes");
    assertThatThrownBy(() -> configured(new Fit("9.9.9", List.of("method x.Y.z is missing"), "")))
        .isInstanceOf(ConfigException.class)
        .hasMessage("evenkeel.volume.allow-untested = 'yes' is not allowed; use true | false");
  }

  @Test
  void setConf_spaceToKeepFreeIsNoSize_failsNamingKeyValueAndRange() {
    for (String bad : Arrays.asList("lots", "-1")) {
      conf.set(KeptFree.KEY, bad);
      assertThatThrownBy(() -> configured(FITS))
          .isInstanceOf(ConfigException.class)
          .hasMessage(
              KeptFree.KEY + " = '" + bad + "' is not allowed; use 0..9223372036854775807 (bytes)");
    }
  }

  @Test
  void setConf_spaceToKeepFreeNotSet_isStocksDefault() {
    long expected =
        Configurable.class.isAssignableFrom(RoundRobinVolumeChoosingPolicy.class) ? 1L << 30 : 0;
    assertThat(KeptFree.read(conf)).isEqualTo(expected);
  }

  @Test
  void setConf_twice_isToldOnce() {
    try (LogLines log = LogLines.of(PerTypeRoundRobinVolumeChoosingPolicy.class)) {
      configured(FITS).setConf(conf);
      assertThat(log.at("INFO")).singleElement().asString().contains("is active on Hadoop");
    }
  }

  @Test
  void chooseVolume_hugeSizes_doNotOverflow() {
    conf.setLong(KeptFree.KEY, Long.MAX_VALUE);
    PolicyUnderTest policy = new PolicyUnderTest(configured(FITS));
    FakeVolume volume = FakeVolume.roomy("a", StorageType.DISK);
    assertThatThrownBy(() -> policy.choose(BLOCK, List.of(volume)))
        .isExactlyInstanceOf(DiskOutOfSpaceException.class)
        .hasMessageContaining(KeptFree.KEY);
  }

  @Test
  void chooseVolume_bothSignatures_shareOneRotation() throws IOException {
    conf.setLong(KeptFree.KEY, 0);
    PerTypeRoundRobinVolumeChoosingPolicy<FsVolumeSpi> policy = configured(FITS);
    List<FsVolumeSpi> volumes = new ArrayList<>();
    VolumeChoosingPolicyContract.roomy(2, StorageType.DISK).forEach(v -> volumes.add(v.spi));
    assertThat(policy.chooseVolume(volumes, BLOCK)).isSameAs(volumes.get(0));
    assertThat(policy.chooseVolume(volumes, BLOCK, "DS-1")).isSameAs(volumes.get(1));
    assertThat(policy.chooseVolume(volumes, BLOCK)).isSameAs(volumes.get(0));
  }

  @Test
  void chooseVolume_noStorageType_sharesTheDefaultTypesRotation() throws IOException {
    PolicyUnderTest policy = new PolicyUnderTest(configured(FITS));
    FakeVolume untyped = FakeVolume.roomy("untyped", null);
    FakeVolume disk = FakeVolume.roomy("disk", StorageType.DEFAULT);
    assertThat(policy.choose(BLOCK, List.of(untyped, disk))).isSameAs(untyped.spi);
    assertThat(policy.choose(BLOCK, List.of(disk, untyped))).isSameAs(disk.spi);
    assertThat(policy.choose(BLOCK, List.of(disk, untyped))).isSameAs(untyped.spi);
  }

  @Test
  void chooseVolume_fullVolumesPassedOver_warnsOncePerInterval() throws IOException {
    List<FakeVolume> volumes = VolumeChoosingPolicyContract.roomy(3, StorageType.DISK);
    volumes.get(0).setAvailable(77);
    PolicyUnderTest policy = new PolicyUnderTest(configured(FITS));
    try (LogLines log = LogLines.of(PerTypeRoundRobinVolumeChoosingPolicy.class)) {
      policy.counts(100, BLOCK, volumes);
      assertThat(log.at("WARN")).hasSize(1);
      assertThat(log.at("WARN").get(0)).contains("DISK-0", "77 B", BLOCK + " B");
      clock.addAndGet(TimeUnit.SECONDS.toNanos(60));
      policy.counts(100, BLOCK, volumes);
      assertThat(log.at("WARN")).hasSize(2);
      assertThat(log.at("WARN").get(1)).contains("99 more such choices");
    }
  }

  @Test
  void setConf_testedRelease_saysSoInOneInfoLine() {
    try (LogLines log = LogLines.of(PerTypeRoundRobinVolumeChoosingPolicy.class)) {
      configured(new Fit("3.1.4", List.of(), ""));
      assertThat(log.at("WARN")).isEmpty();
      assertThat(log.at("INFO"))
          .singleElement()
          .asString()
          .contains("PerTypeRoundRobinVolumeChoosingPolicy", "is active on Hadoop 3.1.4");
    }
  }

  @Test
  void setConf_untestedRelease_saysSoInOneWarning() {
    try (LogLines log = LogLines.of(PerTypeRoundRobinVolumeChoosingPolicy.class)) {
      configured(new Fit("3.1.1.7.1.7.0-551", List.of("method x.Y.z is missing"), ""));
      assertThat(log.at("INFO")).isEmpty();
      assertThat(log.at("WARN"))
          .singleElement()
          .asString()
          .contains("is fallback", "x.Y.z is missing");
    }
  }

  @Test
  void chooseVolume_volumeHasRoom_asksOnlyTheOneChosen() throws IOException {
    List<FakeVolume> volumes = VolumeChoosingPolicyContract.roomy(12, StorageType.DISK);
    new PolicyUnderTest(configured(FITS)).choose(BLOCK, volumes);
    assertThat(volumes.stream().mapToLong(v -> v.asked.get()).sum()).isEqualTo(1);
  }
}
