package io.evenkeel.volume.signal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.evenkeel.volume.core.DeviceCounters;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.MetricsRegistry;
import org.apache.hadoop.metrics2.lib.MutableRate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MetricsSourceTest {
  private final MutableRate rate = new MetricsRegistry("test").newRate("writeIo");
  private final MetricsSource source = new MetricsSource();

  @BeforeEach
  void needsMetrics() {
    assumeTrue(MetricsSource.available(), "Hadoop 2.7 has no volume metrics");
  }

  private void snapshot() {
    MetricsCollector collector = new MetricsCollectorImpl();
    rate.snapshot(collector.addRecord("test"), true);
  }

  private void samples(int count, long millis) {
    for (int i = 0; i < count; i++) {
      rate.add(millis);
    }
  }

  private void expect(long writes, double millis) throws ReflectiveOperationException {
    DeviceCounters counters = source.read(rate);
    assertThat(counters.writes()).isEqualTo(writes);
    assertThat(counters.completed()).isEqualTo(writes);
    assertThat(counters.writeMillis()).isCloseTo(millis, offset(1e-6));
    assertThat(counters.inFlight()).isZero();
  }

  @Test
  void read_beforeAnySample_isNothing() throws ReflectiveOperationException {
    assertThat(source.read(rate)).isNull();
    snapshot();
    assertThat(source.read(rate)).isNull();
  }

  @Test
  void read_acrossSnapshots_risesByWhatWasMeasured() throws ReflectiveOperationException {
    samples(10, 100);
    expect(10, 1000);
    samples(5, 10);
    expect(15, 1050);
    snapshot();
    expect(15, 1050);
    samples(3, 2);
    expect(18, 1056);
  }

  @Test
  void read_snapshotBetweenReadings_missesNoSample() throws ReflectiveOperationException {
    samples(10, 10);
    expect(10, 100);
    samples(4, 1);
    snapshot();
    // More samples in the new interval than in the old one: by count alone it looks like the old.
    samples(20, 500);
    expect(34, 10104);
  }

  @Test
  void read_twoSnapshotsBetweenReadings_neverFalls() throws ReflectiveOperationException {
    samples(10, 10);
    expect(10, 100);
    samples(7, 10);
    snapshot();
    samples(2, 30);
    snapshot();
    samples(1, 5);
    expect(13, 165);
  }
}
