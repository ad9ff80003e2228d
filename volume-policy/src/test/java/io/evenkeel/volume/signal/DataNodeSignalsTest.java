package io.evenkeel.volume.signal;

import static io.evenkeel.volume.core.VolumeSignals.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.evenkeel.common.testing.Await;
import io.evenkeel.common.testing.LogLines;
import io.evenkeel.volume.core.Space;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DataNodeSignalsTest {
  @TempDir private Path temp;
  private Path blockDevices;
  private Path data;
  private String number;
  private TellingVolume volume;
  private LogLines log;

  @BeforeEach
  void makeVolume() throws IOException {
    blockDevices = Files.createDirectory(temp.resolve("block"));
    data = Files.createDirectory(temp.resolve("data"));
    number = DeviceSource.numberOf(data);
    volume = TellingVolume.of(data);
    volume.answers.put("getStorageType", StorageType.DISK);
    log = LogLines.of(DataNodeSignals.class);
  }

  @AfterEach
  void stopLog() {
    log.close();
  }

  private DataNodeSignals signals(String mode) {
    return new DataNodeSignals(mode, v -> data.toString(), blockDevices);
  }

  private Path stat() throws IOException {
    return Files.createDirectories(blockDevices.resolve(number)).resolve("stat");
  }

  private void device(int writes, int millis) throws IOException {
    Files.writeString(stat(), "1 0 0 0 " + writes + " 0 0 " + millis + " 2 0 0\n");
  }

  @Test
  void memorySignals_dataNodesVolume_areItsCounters() {
    DataNodeSignals signals = signals("in-flight");
    assertThat(signals.references(volume.spi)).isEqualTo(3);
    assertThat(signals.unacknowledgedBytes(volume.spi)).isEqualTo(70);
    FsVolumeSpi old = TellingVolume.old(data).spi;
    assertThat(signals.references(old)).isEqualTo(UNKNOWN);
    assertThat(signals.unacknowledgedBytes(old)).isEqualTo(80);
    assertThat(signals.describe(old)).isEqualTo("unacknowledged bytes");
  }

  @Test
  void memorySignals_otherVolume_areUnknown() throws IOException {
    DataNodeSignals signals = signals("in-flight");
    FsVolumeSpi silent = TellingVolume.silent(data).spi;
    assertThat(signals.references(silent)).isEqualTo(UNKNOWN);
    assertThat(signals.unacknowledgedBytes(silent)).isEqualTo(UNKNOWN);
    Space space = signals.space(silent);
    assertThat(space.available()).isEqualTo(1000);
    assertThat(space.capacity()).isNegative();
    assertThat(signals.describe(silent)).isEqualTo("none");
  }

  @Test
  void memorySignals_thatThrow_areUnknownAndLoggedOnce() throws IOException {
    DataNodeSignals signals = signals("in-flight");
    volume.answers.put("getReferenceCount", new IllegalStateException("test"));
    volume.answers.put("getReservedForReplicas", new NoSuchMethodError("test"));
    volume.answers.put("getCapacity", new IllegalStateException("test"));
    assertThat(signals.references(volume.spi)).isEqualTo(UNKNOWN);
    assertThat(signals.unacknowledgedBytes(volume.spi)).isEqualTo(UNKNOWN);
    assertThat(signals.space(volume.spi).available()).isEqualTo(1000);
    assertThat(signals.device(volume.spi)).isNull();
    assertThat(signals.device(volume.spi)).isNull();
    assertThat(signals.describe(volume.spi)).isEqualTo("none");
    assertThat(log.at("WARN")).singleElement().asString().contains(data.toString(), "users");
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "device"})
  void device_withStatistics_areReadOnceSpaceWasAsked(String mode) throws IOException {
    DataNodeSignals signals = signals(mode);
    device(10, 500);
    assertThat(signals.device(volume.spi)).isNull();
    signals.space(volume.spi);
    assertThat(signals.describe(volume.spi)).isEqualTo("references, device " + number);
    assertThat(signals.device(volume.spi).writes()).isEqualTo(10);
    device(12, 700);
    assertThat(signals.device(volume.spi).writeMillis()).isEqualTo(700);
    assertThat(signals.device(volume.spi).inFlight()).isEqualTo(2);
    assertThat(log.at("INFO")).isEmpty();
    assertThat(log.at("WARN")).isEmpty();
  }

  @Test
  void device_inFlightOnly_isNeverLookedFor() throws IOException {
    DataNodeSignals signals = signals("in-flight");
    device(10, 500);
    signals.space(volume.spi);
    assertThat(signals.device(volume.spi)).isNull();
    assertThat(signals.describe(volume.spi)).isEqualTo("references");
    assertThat(log.at("INFO")).isEmpty();
  }

  @Test
  void device_withoutStatistics_isLoggedOnceForEachVolume() throws IOException {
    DataNodeSignals signals = signals("device");
    for (int i = 0; i < 3; i++) {
      signals.space(volume.spi);
      assertThat(signals.device(volume.spi)).isNull();
    }
    assertThat(log.at("INFO"))
        .singleElement()
        .asString()
        .contains(data.toString(), number, "only its work in flight counts");
    assertThat(signals.describe(volume.spi)).isEqualTo("references");
    signals.space(TellingVolume.of(data).spi);
    assertThat(log.at("INFO")).hasSize(2);
  }

  @Test
  void device_vanishedStatistics_areLoggedOnceAndReadAgainWhenBack() throws IOException {
    DataNodeSignals signals = signals("device");
    device(10, 500);
    signals.space(volume.spi);
    assertThat(signals.device(volume.spi)).isNotNull();
    Files.delete(stat());
    assertThat(signals.device(volume.spi)).isNull();
    assertThat(signals.device(volume.spi)).isNull();
    assertThat(signals.describe(volume.spi)).isEqualTo("references");
    assertThat(log.at("WARN")).singleElement().asString().contains(data.toString(), number);
    device(11, 510);
    assertThat(signals.device(volume.spi).writes()).isEqualTo(11);
    assertThat(signals.describe(volume.spi)).isEqualTo("references, device " + number);
  }

  @Test
  void device_providedVolume_isNotThatOfALocalPath() throws IOException {
    Optional<StorageType> provided =
        Arrays.stream(StorageType.values()).filter(t -> t.name().equals("PROVIDED")).findAny();
    assumeTrue(provided.isPresent(), "Hadoop 2 has no PROVIDED storage");
    volume.answers.put("getStorageType", provided.get());
    DataNodeSignals signals = signals("device");
    device(10, 500);
    signals.space(volume.spi);
    assertThat(signals.device(volume.spi)).isNull();
    assertThat(log.at("INFO")).singleElement().asString().contains("not a local directory");
  }

  @Test
  void device_volumeThatCannotTellItsType_hasNone() throws IOException {
    DataNodeSignals signals = signals("device");
    device(10, 500);
    volume.answers.put("getStorageType", new IllegalStateException("test"));
    assertThat(signals.space(volume.spi).capacity()).isEqualTo(5000);
    assertThat(signals.device(volume.spi)).isNull();
  }

  @Test
  void metrics_anyRelease_areAvailableWhereVolumesHaveThem() {
    assertThat(MetricsSource.available())
        .isEqualTo(
            Arrays.stream(FsVolumeSpi.class.getMethods())
                .anyMatch(m -> m.getName().equals("getMetrics")));
  }

  @Test
  void metrics_afterTheDeviceIsGone_areNeverComparedWithIt() throws Exception {
    assumeTrue(MetricsSource.available(), "Hadoop 2.7 has no volume metrics");
    Class<?> type = FsVolumeSpi.class.getMethod("getMetrics").getReturnType();
    Object metrics =
        type.getMethod("create", Configuration.class, String.class)
            .invoke(null, new Configuration(false), data.toString());
    volume.answers.put("getMetrics", metrics);
    type.getMethod("addWriteIoLatency", long.class).invoke(metrics, 40L);
    DataNodeSignals signals = signals("auto");
    device(10, 500);
    signals.space(volume.spi);
    assertThat(signals.device(volume.spi).writes()).isEqualTo(10);
    Files.delete(stat());
    assertThat(signals.device(volume.spi)).isNull();
    assertThat(signals.device(volume.spi).writeMillis()).isEqualTo(40);
    assertThat(signals.describe(volume.spi)).isEqualTo("references, metrics");
    device(11, 510);
    assertThat(signals.device(volume.spi)).isNull();
    assertThat(signals.device(volume.spi).writes()).isEqualTo(11);
  }

  @Test
  void metrics_thatThrow_areLoggedOnce() throws IOException {
    assumeTrue(MetricsSource.available(), "Hadoop 2.7 has no volume metrics");
    volume.answers.put("getMetrics", new IllegalStateException("test"));
    DataNodeSignals signals = signals("metrics");
    signals.space(volume.spi);
    assertThat(signals.device(volume.spi)).isNull();
    assertThat(signals.device(volume.spi)).isNull();
    assertThat(log.at("WARN")).singleElement().asString().contains(data.toString(), "metrics");
  }

  @Test
  void space_volumeThatCannotTell_isAnIoException() {
    DataNodeSignals signals = signals("auto");
    IOException failure = new IOException("test");
    volume.answers.put("getAvailable", failure);
    assertThatThrownBy(() -> signals.space(volume.spi)).isSameAs(failure);
    volume.answers.put("getAvailable", new IllegalStateException("test"));
    assertThatThrownBy(() -> signals.space(volume.spi))
        .isInstanceOf(IOException.class)
        .hasRootCauseMessage("test");
  }

  @Test
  void volume_thatIsRemoved_isNotHeld() throws Exception {
    DataNodeSignals signals = signals("auto");
    device(10, 500);
    signals.space(volume.spi);
    signals.device(volume.spi);
    WeakReference<Object> gone = new WeakReference<>(volume.spi);
    volume = null;
    Await.untilCollected(gone);
    assertThat(signals.references(TellingVolume.of(data).spi)).isEqualTo(3);
  }
}
