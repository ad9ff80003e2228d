package io.evenkeel.volume;

import io.evenkeel.common.config.ConfigException;
import io.evenkeel.common.config.Key;
import io.evenkeel.common.config.Settings;
import io.evenkeel.volume.core.Choice;
import io.evenkeel.volume.core.GroupSettings;
import io.evenkeel.volume.core.Health;
import io.evenkeel.volume.core.HealthChange;
import io.evenkeel.volume.core.InlineProbes;
import io.evenkeel.volume.core.Request;
import io.evenkeel.volume.core.SpaceProbes;
import io.evenkeel.volume.core.VolumeGroup;
import io.evenkeel.volume.core.VolumeSignals;
import io.evenkeel.volume.core.VolumeView;
import io.evenkeel.volume.signal.DataNodeSignals;
import io.evenkeel.volume.signal.Sampler;
import io.evenkeel.volume.signal.WatchedProbes;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The groups of one DataNode, one per storage type, with what they share: settings, signals and
 * counters, but no state of a volume. Thread-safe.
 */
final class VolumeGroups {
  private static final Logger LOG = LoggerFactory.getLogger(LatencyAwareVolumeChoosingPolicy.class);

  private final Map<String, VolumeGroup<FsVolumeSpi>> byType = new ConcurrentHashMap<>();
  private final Settings settings;
  private final long keptFree;
  private final DeviceClasses classes;
  private final VolumeSignals<FsVolumeSpi> signals;
  private final SpaceProbes<FsVolumeSpi> probes;
  private final LongSupplier nanoTime;
  private final Counters counters = new Counters();
  private Sampler sampler; // null while no samples are taken; guarded by this

  private VolumeGroups(
      PolicyStart start,
      DeviceClasses classes,
      VolumeSignals<FsVolumeSpi> signals,
      SpaceProbes<FsVolumeSpi> probes,
      LongSupplier nanoTime) {
    this.settings = start.settings();
    this.keptFree = start.keptFree();
    this.classes = classes;
    this.signals = signals;
    this.probes = probes;
    this.nanoTime = nanoTime;
  }

  /**
   * Creates the groups.
   *
   * @param environment null on a DataNode
   * @throws ConfigException naming key, value and what is allowed
   */
  static VolumeGroups create(PolicyStart start, String dataDirs, PolicyEnvironment environment) {
    Settings settings = start.settings();
    checkEjection(settings);
    checkStorageTypes(settings);
    DeviceClasses classes = DeviceClasses.read(settings, dataDirs);
    if (environment != null) {
      VolumeSignals<FsVolumeSpi> signals = environment.signals();
      SpaceProbes<FsVolumeSpi> probes = new InlineProbes<>(signals, environment.nanoTime());
      return new VolumeGroups(start, classes, signals, probes, environment.nanoTime());
    }
    VolumeSignals<FsVolumeSpi> signals =
        DataNodeSignals.create(settings.get(VolumeKeys.SIGNALS), VolumeDirectory::of);
    SpaceProbes<FsVolumeSpi> probes = new WatchedProbes<>(signals);
    return new VolumeGroups(start, classes, signals, probes, System::nanoTime);
  }

  private static void checkEjection(Settings settings) {
    Key<Duration> base = VolumeKeys.EJECT_BASE;
    Key<Duration> max = VolumeKeys.EJECT_MAX;
    if (settings.get(base).compareTo(settings.get(max)) > 0) {
      Map<String, String> texts = settings.inForce();
      throw new ConfigException(
          String.format(
              "%s = '%s' is longer than %s = '%s'; set both",
              base, texts.get(base.name()), max, texts.get(max.name())));
    }
  }

  private static void checkStorageTypes(Settings settings) {
    for (String name : settings.matching(VolumeKeys.MIN_LATENCY).keySet()) {
      try {
        StorageType.valueOf(name.toUpperCase(Locale.ROOT));
      } catch (IllegalArgumentException e) {
        throw new ConfigException(
            VolumeKeys.MIN_LATENCY.name().replace("*", name)
                + " names no storage type; use one of "
                + Arrays.toString(StorageType.values()).toLowerCase(Locale.ROOT));
      }
    }
  }

  private VolumeGroup<FsVolumeSpi> group(List<? extends FsVolumeSpi> volumes) {
    StorageType given = volumes.get(0).getStorageType();
    String type = (given == null ? StorageType.DEFAULT : given).name();
    VolumeGroup<FsVolumeSpi> group = byType.get(type);
    return group != null ? group : byType.computeIfAbsent(type, this::newGroup);
  }

  private VolumeGroup<FsVolumeSpi> newGroup(String type) {
    GroupSettings forType =
        new GroupSettings.Builder()
            .ejects(settings.get(VolumeKeys.EJECTS))
            .multiplier(settings.get(VolumeKeys.MULTIPLIER))
            .minPeers(settings.get(VolumeKeys.MIN_PEERS).intValue())
            .minLatencyMillis(minLatency(type).toMillis())
            .ejection(
                settings.get(VolumeKeys.EJECT_BASE).toNanos(),
                settings.get(VolumeKeys.EJECT_MAX).toNanos())
            .fillsEvenly("even".equals(settings.get(VolumeKeys.FILL)))
            .build();
    return new VolumeGroup<>(
        forType, signals, probes, volume -> classes.of(VolumeDirectory.of(volume)));
  }

  private Duration minLatency(String type) {
    Duration given = settings.matching(VolumeKeys.MIN_LATENCY).get(type.toLowerCase(Locale.ROOT));
    if (given != null) {
      return given;
    }
    switch (type) {
      case "RAM_DISK":
      case "NVDIMM":
        return Duration.ofMillis(1);
      case "SSD":
        return Duration.ofMillis(5);
      default:
        return Duration.ofMillis(20);
    }
  }

  Choice<FsVolumeSpi> choose(List<? extends FsVolumeSpi> volumes, long size) throws IOException {
    counters.choices.increment();
    Choice<FsVolumeSpi> choice =
        group(volumes).choose(request(volumes, size), nanoTime.getAsLong());
    if (!choice.found()) {
      counters.outOfSpace.increment();
    }
    return choice;
  }

  void watch(List<? extends FsVolumeSpi> volumes, long size, FsVolumeSpi chosen) {
    counters.choices.increment();
    if (group(volumes).watch(request(volumes, size), chosen, nanoTime.getAsLong())) {
      counters.wouldDiffer.increment();
    }
  }

  private Request<FsVolumeSpi> request(List<? extends FsVolumeSpi> volumes, long size) {
    return new Request<>(volumes, size, KeptFree.add(size, keptFree));
  }

  /** Takes a sample of every volume and logs what changed. */
  void sample() {
    byType.forEach(
        (type, group) -> {
          for (HealthChange<FsVolumeSpi> change : group.tick(nanoTime.getAsLong())) {
            log(type, change);
          }
        });
  }

  private static void log(String type, HealthChange<FsVolumeSpi> change) {
    String directory = VolumeDirectory.of(change.volume());
    if (change.to() == Health.IN_USE) {
      LOG.info("{} volume {} is in use again (was {})", type, directory, change.from());
    } else if (isTrial(change.from()) && isTrial(change.to())) {
      // of a disk that stays slow, at each probe
      LOG.debug("{} volume {} is {}: {}", type, directory, change.to(), change.reason());
    } else {
      LOG.warn("{} volume {} is {}: {}", type, directory, change.to(), change.reason());
    }
  }

  private static boolean isTrial(Health health) {
    return health == Health.EJECTED || health == Health.PROBATION;
  }

  /**
   * Takes samples on a thread of its own until {@link #stopSampling}, or until nothing refers to
   * {@code owner} any more.
   */
  synchronized void startSampling(Object owner) {
    long interval = settings.get(VolumeKeys.SAMPLE_INTERVAL).toNanos();
    sampler = Sampler.start(owner, probes::watch, this::sample, interval);
  }

  /** Ends that thread. */
  synchronized void stopSampling() {
    if (sampler != null) {
      sampler.stop();
    }
  }

  /** What the exception says when no volume has room. */
  String outOfSpace(Choice<?> choice, long size) {
    return KeptFree.outOfSpace(
        choice.largestFree(), size, keptFree, "volumes", choice.refused().size());
  }

  void rescued() {
    counters.rescued.increment();
  }

  Counters counters() {
    return counters;
  }

  /** Every volume at this moment, ordered by storage type and directory. */
  List<VolumeReport> reports() {
    List<VolumeReport> reports = new ArrayList<>();
    byType.forEach((type, group) -> reports.addAll(reports(type, group)));
    reports.sort(
        Comparator.comparing(VolumeReport::getStorageType)
            .thenComparing(VolumeReport::getDirectory));
    return reports;
  }

  private List<VolumeReport> reports(String type, VolumeGroup<FsVolumeSpi> group) {
    Map<FsVolumeSpi, VolumeView> views = new IdentityHashMap<>();
    group.view(views::put, nanoTime.getAsLong());
    double all = 0;
    double recent = 0;
    for (VolumeView view : views.values()) {
      all += view.choices;
      recent += view.recentChoices;
    }
    List<VolumeReport> reports = new ArrayList<>();
    for (Map.Entry<FsVolumeSpi, VolumeView> entry : views.entrySet()) {
      VolumeView view = entry.getValue();
      FsVolumeSpi volume = entry.getKey();
      reports.add(
          new VolumeReport(
              VolumeDirectory.of(volume),
              type,
              signals.describe(volume),
              all == 0 ? 0 : view.choices / all,
              recent == 0 ? 0 : view.recentChoices / recent,
              view));
    }
    return reports;
  }

  /** What was counted since start. */
  static final class Counters {
    final LongAdder choices = new LongAdder();
    final LongAdder outOfSpace = new LongAdder();
    final LongAdder rescued = new LongAdder();
    final LongAdder wouldDiffer = new LongAdder();
  }
}
