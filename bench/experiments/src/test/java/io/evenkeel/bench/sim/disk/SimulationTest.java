package io.evenkeel.bench.sim.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.evenkeel.bench.sim.disk.Scenario.Load;
import io.evenkeel.bench.sim.disk.Scenario.Node;
import io.evenkeel.bench.sim.disk.Scenario.Readers;
import io.evenkeel.volume.core.DeviceCounters;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** The model itself, against cases that were worked out by hand. */
class SimulationTest {
  private static final Offset<Double> EXACT = within(1e-6);

  private final List<Disk> disks = new ArrayList<>();

  private Disk disk(DiskSpec spec) {
    Disk disk = new Disk(spec, disks.size(), 0);
    disks.add(disk);
    return disk;
  }

  private Block block(Disk... on) {
    Block block = new Block(List.of(on), 128, Disk.REQUEST, 0);
    for (Disk disk : on) {
      disk.place(block);
      disk.streams.add(block);
    }
    return block;
  }

  private void assign(double... controllers) {
    FairShare.grant(disks, controllers, FairShare.STREAM_CAP);
    FairShare.assign(disks, FairShare.STREAM_CAP);
  }

  private static Outcome rotation(Scenario scenario) {
    return Simulation.run(scenario, Policy.ROUND_ROBIN, 1);
  }

  private static Node ssds(double... bandwidths) {
    return Node.of(StorageType.SSD, Arrays.stream(bandwidths).mapToObj(DiskSpec::ssd).toList());
  }

  @Test
  void assign_twoStreamsOnAHardDisk_shareWhatSeeksLeave() {
    Disk disk = disk(DiskSpec.hdd(102));
    List<Block> blocks = List.of(block(disk), block(disk));
    assign();
    assertThat(blocks).allSatisfy(b -> assertThat(b.rate).isEqualTo(50, EXACT));
    assertThat(disk.drain).isEqualTo(100, EXACT);
  }

  @Test
  void assign_diskFasterThanAWriter_writerSetsThePace() {
    Block block = block(disk(DiskSpec.ssd(5000)));
    assign();
    assertThat(block.rate).isEqualTo(1200, EXACT);
  }

  @Test
  void assign_blockOnASlowDiskToo_leavesTheRestOfTheFastOneToOthers() {
    Disk slow = disk(DiskSpec.ssd(50));
    Disk fast = disk(DiskSpec.ssd(200));
    Block replicated = block(slow, fast);
    Block alone = block(fast);
    assign();
    assertThat(replicated.rate).isEqualTo(50, EXACT);
    assertThat(alone.rate).isEqualTo(150, EXACT);
  }

  @Test
  void assign_disksOfOneController_shareItWhenBothAreBusy() {
    Disk first = disk(DiskSpec.ssd(200).on(0));
    Disk second = disk(DiskSpec.ssd(80).on(0));
    Block block = block(first);
    assign(250);
    assertThat(block.rate).isEqualTo(200, EXACT);
    Block other = block(second);
    assign(250);
    assertThat(block.rate).isEqualTo(170, EXACT);
    assertThat(other.rate).isEqualTo(80, EXACT);
  }

  @Test
  void run_oneWriterOnOneDisk_takesSetupAndTransfer() {
    Outcome outcome = rotation(Scenario.of(ssds(128), Load.of(1, 100)));
    assertThat(outcome.seconds(0)).isLessThan(1.01);
    assertThat(outcome.seconds(0.5)).isEqualTo(1 + Simulation.SETUP, EXACT);
    assertThat(outcome.blocks()).hasSize(100);
    assertThat(outcome.throughput()).isEqualTo(99 * 128 / 100.0, EXACT);
  }

  @Test
  void run_anyScene_everyByteIsOnADiskOrInItsCache() {
    for (long seed = 1; seed <= 12; seed++) {
      Scenario scenario = Scenarios.random(seed);
      Outcome outcome = Simulation.run(scenario, Policy.LATENCY_AWARE, seed);
      double acknowledged = outcome.throughput() * scenario.load().seconds();
      double onDisks = outcome.disks().stream().mapToDouble(d -> d.written() + d.dirty).sum();
      double ofBlocks =
          outcome.blocks().stream().mapToDouble(b -> scenario.load().block() - b.remaining).sum();
      assertThat(onDisks).as("seed %s", seed).isEqualTo(acknowledged, within(0.01));
      assertThat(ofBlocks).isEqualTo(acknowledged, within(0.01));
      double taken = 0;
      for (Disk disk : outcome.disks()) {
        taken += disk.spec.free() - disk.free();
      }
      assertThat(taken).isEqualTo(outcome.blocks().size() * scenario.load().block(), within(0.01));
    }
  }

  @Test
  void run_pageCache_writesAtMemorySpeedUntilItIsFull() {
    Scenario scenario =
        Scenario.of(ssds(200).cache(1000), new Load(1, 100_000, 1, 0, 0, Readers.NONE, 10));
    Outcome outcome = rotation(scenario);
    // Full after 1000 / (1200 - 200) = 1 s and the setup.
    assertThat(outcome.throughput(0, 1)).isEqualTo(1200 * 0.99, EXACT);
    assertThat(outcome.throughput(2, 10)).isEqualTo(200, EXACT);
    assertThat(outcome.disks().get(0).dirty).isEqualTo(1000, within(0.01));
  }

  @Test
  void assign_readerBesideWriters_getsAsMuchAsOneOfThem() {
    Disk disk = disk(DiskSpec.ssd(150));
    Block written = block(disk);
    block(disk);
    Block read = new Block(List.of(disk), 128, Disk.REQUEST, 0);
    disk.reads.add(read);
    assign();
    assertThat(written.rate).isEqualTo(50, EXACT);
    assertThat(read.rate).isEqualTo(50, EXACT);
    disk.advance(1);
    DeviceCounters counters = disk.counters();
    assertThat(counters.bytesRead()).isEqualTo(50 << 20, EXACT);
    assertThat(counters.bytesWritten()).isEqualTo(100 << 20, EXACT);
    assertThat(counters.completed()).isEqualTo(300);
    assertThat(counters.writeMillis() / counters.writes()).isEqualTo(64 * 1000 / 300.0, EXACT);
  }

  @Test
  void run_readers_readTheNewestBlocksAndOnlyInTheirTime() {
    Scenario scenario = Scenario.of(ssds(128, 128), Load.of(1, 100));
    double alone = rotation(scenario).bothWays();
    Load read = scenario.load().readers(new Readers(1, 1, 0));
    Outcome always = rotation(scenario.with(read));
    assertThat(always.throughput()).isBetween(0.5 * alone, alone);
    assertThat(always.bothWays()).isBetween(1.1 * alone, 2 * alone);
    Outcome bursts = rotation(scenario.with(scenario.load().readers(new Readers(1, 1, 25))));
    double readInBursts = bursts.bothWays() - bursts.throughput();
    assertThat(readInBursts).as("half the time, 128 MB/s at most").isBetween(32.0, 65.0);
  }

  @Test
  void run_hang_nothingCompletesAndItsWritersWait() {
    Scenario scenario =
        Scenario.of(ssds(100, 100), Load.of(2, 50)).with(Fault.disk(1, 0, 10, Double.MAX_VALUE));
    Outcome outcome = rotation(scenario);
    Disk hung = outcome.disks().get(1);
    assertThat(hung.written()).isLessThanOrEqualTo(1000);
    assertThat(outcome.throughput(20, 50)).as("round robin: both writers").isZero();
    assertThat(outcome.seconds(1)).isGreaterThan(35);
    DeviceCounters before = hung.counters();
    hung.advance(10);
    assertThat(hung.counters().completed()).isEqualTo(before.completed());
    assertThat(hung.counters().writeMillis()).isEqualTo(before.writeMillis());
    assertThat(hung.counters().inFlight()).isEqualTo(64);
  }

  @Test
  void counters_deviceWithABacklog_showTheLatencyOfThePaper() {
    for (double[] known : new double[][] {{213, 150}, {107, 298}}) {
      Outcome outcome = rotation(Scenario.of(ssds(known[0]), Load.of(4, 60)));
      DeviceCounters counters = outcome.disks().get(0).counters();
      assertThat(counters.writeMillis() / counters.writes()).isEqualTo(known[1], within(2.0));
    }
  }

  @Test
  void counters_smallRequests_areMoreAndQuickerOfTheSameBytes() {
    Scenario scenario = Scenario.of(ssds(213), Load.of(4, 60));
    DeviceCounters large = rotation(scenario).disks().get(0).counters();
    DeviceCounters small =
        rotation(scenario.with(scenario.load().small(4))).disks().get(0).counters();
    assertThat(small.bytesWritten()).isEqualTo(large.bytesWritten(), within(1.0));
    assertThat((double) small.writes() / large.writes()).isEqualTo(32, within(0.01));
    assertThat(small.writeMillis() / small.writes()).isEqualTo(150 / 32.0, within(0.1));
  }

  @Test
  void throughput_ofTheIdeal_countsTheFastestDisksOnePerWriter() {
    Scenario scenario = Scenario.of(ssds(100, 200, 300), Load.of(2, 100));
    assertThat(Ideal.throughput(scenario)).isEqualTo(500, EXACT);
    Scenario faulty = scenario.with(Fault.disk(2, 0, 50, 100));
    assertThat(Ideal.throughput(faulty)).isEqualTo(400, EXACT);
    assertThat(Ideal.throughput(Scenarios.slowController(64))).isEqualTo(1280, EXACT);
  }

  @Test
  void run_sameSeed_sameResult() {
    Scenario scenario = Scenarios.pipeline(Scenarios.faulty(8, Scenarios.SLOW));
    for (Chooser.Factory policy : List.of(Policy.AVAILABLE_SPACE, Policy.LATENCY_AWARE)) {
      Outcome first = Simulation.run(scenario, policy, 5);
      Outcome second = Simulation.run(scenario, policy, 5);
      assertThat(second.throughput()).isEqualTo(first.throughput());
      assertThat(second.blocks()).hasSameSizeAs(first.blocks());
      assertThat(second.changes()).isEqualTo(first.changes());
      assertThat(Simulation.run(scenario, policy, 6).throughput()).isNotEqualTo(first.throughput());
    }
  }
}
