package io.evenkeel.bench.sim.disk;

import io.evenkeel.bench.sim.disk.Scenario.Load;
import io.evenkeel.bench.sim.disk.Scenario.Node;
import io.evenkeel.bench.sim.disk.Scenario.Readers;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.StorageType;

/** The scenarios that are looked at. Stateless. */
final class Scenarios {
  /** The disk that fails where one does, and when. */
  static final int BAD = 3;

  static final double FAULT_FROM = 60;
  static final double FAULT_TO = 180;
  static final double SECONDS = 400;
  static final double SLOW = 0.1;
  static final double HANG = 0;

  private static final int DISKS = 8;

  /** The empty disk among full ones. */
  static final int EMPTY = DISKS - 1;

  /**
   * As many readers as disks; they follow the writers closely, or come in every other minute half.
   */
  static final Readers AT_ONCE = new Readers(DISKS, 16, 0);

  static final Readers IN_BURSTS = new Readers(DISKS, 64, 30);

  private static final double HDD = 150;
  private static final double FAST_SSD = 213;
  private static final double SLOW_SSD = 107;
  private static final double SHORT = 120;
  private static final double GIGABIT = 110;
  private static final double TEN_MINUTES = 600;
  private static final double SMALL_DISK = 40 * 1024;
  private static final int PIPELINE_NODES = 6;
  private static final int NOISY_WRITERS = 32;
  private static final int REPLICAS = 3;

  private Scenarios() {}

  private static List<DiskSpec> times(int count, DiskSpec spec) {
    List<DiskSpec> disks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      disks.add(spec);
    }
    return disks;
  }

  private static Node hdds() {
    return Node.of(StorageType.DISK, times(DISKS, DiskSpec.hdd(HDD)));
  }

  /** Four SSDs of 213 MB/s and four of 107 MB/s. */
  static Scenario unequal(int writers) {
    return Scenario.of(unequalNode(), Load.of(writers, SHORT));
  }

  private static Node unequalNode() {
    List<DiskSpec> disks = times(DISKS / 2, DiskSpec.ssd(FAST_SSD));
    disks.addAll(times(DISKS / 2, DiskSpec.ssd(SLOW_SSD)));
    return Node.of(StorageType.SSD, disks);
  }

  /** Eight equal SSDs, four of them on a controller with half of their bandwidth. */
  static Scenario slowController(int writers) {
    List<DiskSpec> disks = times(DISKS / 2, DiskSpec.ssd(FAST_SSD));
    disks.addAll(times(DISKS / 2, DiskSpec.ssd(FAST_SSD).on(0)));
    Node node = Node.of(StorageType.SSD, disks).controllers(DISKS / 2 * SLOW_SSD);
    return Scenario.of(node, Load.of(writers, SHORT));
  }

  /** Eight equal hard disks that stay healthy. */
  static Scenario healthy(int writers) {
    return Scenario.of(hdds(), Load.of(writers, SECONDS));
  }

  /** Eight equal hard disks, one of which keeps {@code factor} of its bandwidth for two minutes. */
  static Scenario faulty(int writers, double factor) {
    return healthy(writers).with(Fault.disk(BAD, factor, FAULT_FROM, FAULT_TO));
  }

  /** The healthy ones, with all but two of the writers syncing small requests. */
  static Scenario mixed(int writers) {
    Scenario scenario = healthy(writers);
    return scenario.with(scenario.load().small(writers - 2));
  }

  /** The same with one controller for each half of the disks, enough for three of its four. */
  static Scenario coupled(int writers) {
    List<DiskSpec> disks = times(DISKS / 2, DiskSpec.hdd(HDD).on(0));
    disks.addAll(times(DISKS / 2, DiskSpec.hdd(HDD).on(1)));
    double each = (DISKS / 2 - 1) * HDD;
    Node node = Node.of(StorageType.DISK, disks).controllers(each, each);
    return Scenario.of(node, Load.of(writers, SECONDS));
  }

  /** Seven hard disks that are 90 % full and an empty one. */
  static Scenario oneEmpty(int writers) {
    return Scenario.of(oneEmptyNode(), Load.of(writers, SHORT));
  }

  /** The same with so many MB of page cache for all disks. */
  static Scenario oneEmptyCached(int writers, double cache) {
    return Scenario.of(oneEmptyNode().cache(cache), Load.of(writers, TEN_MINUTES));
  }

  /** The same with clients that have the network for 1 Gbit/s each. */
  static Scenario oneEmptySlowClients(int writers, double cache) {
    return Scenario.of(oneEmptyNode().cache(cache).network(GIGABIT), Load.of(writers, TEN_MINUTES));
  }

  /** The same for ten minutes, with readers of the newest blocks. */
  static Scenario oneEmptyRead(int writers, Readers readers) {
    return Scenario.of(oneEmptyNode(), Load.of(writers, TEN_MINUTES).readers(readers));
  }

  private static Node oneEmptyNode() {
    List<DiskSpec> disks = times(DISKS - 1, DiskSpec.hdd(HDD).filled(0.9));
    disks.add(DiskSpec.hdd(HDD).filled(0));
    return Node.of(StorageType.DISK, disks);
  }

  /** Four empty hard disks of 40 GB and four of 80 GB, until rotation has filled 55 % of them. */
  static Scenario twoSizes(int writers) {
    List<DiskSpec> disks = times(DISKS / 2, DiskSpec.hdd(HDD).sized(SMALL_DISK));
    disks.addAll(times(DISKS / 2, DiskSpec.hdd(HDD).sized(2 * SMALL_DISK)));
    double seconds = 0.55 * DISKS * 1.5 * SMALL_DISK / (HDD * Math.min(writers, DISKS));
    return Scenario.of(Node.of(StorageType.DISK, disks), Load.of(writers, seconds));
  }

  /** Eight equal hard disks whose latency is reported up to half too low or high. */
  static Scenario noisy(double seconds) {
    return Scenario.of(hdds(), Load.of(NOISY_WRITERS, seconds)).noisy(0.5);
  }

  /** A scenario with six DataNodes and three replicas of each block; writers per DataNode. */
  static Scenario pipeline(Scenario one) {
    Load load = one.load();
    int writers = load.writers() * PIPELINE_NODES / REPLICAS;
    return new Scenario(
        one.node(),
        PIPELINE_NODES,
        new Load(
            writers,
            load.block(),
            REPLICAS,
            load.jitter(),
            load.small(),
            load.readers(),
            load.seconds()),
        one.faults(),
        one.noise());
  }

  /**
   * A random DataNode with one fault: 3 to 14 unequal volumes, a page cache in half of them, blocks
   * of 16 to 128 MB, and fewer writers than volumes when the seed is divisible by 3.
   */
  static Scenario random(long seed) {
    Random random = new Random(seed * 0x9E3779B97F4A7C15L);
    int count = 3 + random.nextInt(12);
    boolean ssd = random.nextBoolean();
    List<DiskSpec> disks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      double part = 0.4 + 0.6 * random.nextDouble();
      DiskSpec spec = ssd ? DiskSpec.ssd(400 * part) : DiskSpec.hdd(HDD * part);
      disks.add(spec.filled(0.95 * random.nextDouble()));
    }
    boolean few = Math.floorMod(seed, 3L) == 0;
    int writers = few ? 2 + random.nextInt(count - 2) : count + random.nextInt(64 - count);
    double block = 16 << random.nextInt(4);
    double cache = random.nextBoolean() ? 1024 * Math.pow(16, random.nextDouble()) : 0;
    boolean hang = random.nextInt(5) == 0;
    double factor = hang ? HANG : 0.02 * Math.pow(25, random.nextDouble());
    double from = 20 + 60 * random.nextDouble();
    double to = from + 20 + 100 * random.nextDouble();
    Node node = Node.of(ssd ? StorageType.SSD : StorageType.DISK, disks).cache(cache);
    return Scenario.of(node, new Load(writers, block, 1, 0.5, 0, Readers.NONE, 240))
        .with(Fault.disk(random.nextInt(count), factor, from, to));
  }
}
