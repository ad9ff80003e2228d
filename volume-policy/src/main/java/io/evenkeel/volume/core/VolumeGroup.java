package io.evenkeel.volume.core;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The volumes of one storage type: which one a new block goes to. Types share nothing, neither
 * lock, rotation, clock nor estimates (HDFS-9608 came from a shared position).
 *
 * <p>Thread-safe; {@code lock} guards all fields that change, the roster and every {@link
 * TrackedVolume} in it. No probe, file or log is touched while it is held: only the memory signals
 * of {@link VolumeSignals} are asked under it. A choice waits only where a sample is doubtful
 * (never taken, old, or nearly full) or no volume has room, and then for {@link
 * SpaceProbes#refresh}, whose waiting is bounded.
 *
 * <p>A volume that is missing in the lists of blocks was removed, or is excluded by the DataNode,
 * but may be referred to for long. It is then neither sampled nor shown, and no peer of others.
 *
 * @param <V> type of a volume; compared by identity
 */
public final class VolumeGroup<V> {
  private static final long ABSENT = TimeUnit.SECONDS.toNanos(10);

  /**
   * Not a monitor: with eight writers on two processors a choice took longer under one. Whoever
   * comes while it is free gets it, before those who wait.
   */
  private final ReentrantLock lock = new ReentrantLock();

  private final GroupSettings settings;
  private final VolumeSignals<V> signals;
  private final SpaceProbes<V> probes;
  private final Roster<V, TrackedVolume<V>> roster;
  private final OutlierDetector outliers;
  private final WeightedRoundRobin roundRobin = new WeightedRoundRobin();
  private long tickedAt;
  private long latestChoice;
  private double latestBlocks; // of about ten minutes, of all volumes
  private double mostWork; // over weight, of a volume at the latest choice

  /**
   * Creates a group.
   *
   * @param traits what the operator said of a volume; asked once per volume
   */
  public VolumeGroup(
      GroupSettings settings,
      VolumeSignals<V> signals,
      SpaceProbes<V> probes,
      Function<V, VolumeTraits> traits) {
    this.settings = settings;
    this.signals = signals;
    this.probes = probes;
    this.roster =
        new Roster<>(
            volume -> new TrackedVolume<>(volume, traits.apply(volume), settings, signals));
    this.outliers = new OutlierDetector(settings);
  }

  /**
   * Chooses a volume.
   *
   * @param now nanoseconds, as everywhere here
   * @return the choice; nothing found is a value, not an exception
   * @throws IOException why the volume whose turn it was cannot tell its free space
   */
  public Choice<V> choose(Request<V> request, long now) throws IOException {
    Choice<V> choice = pick(request, AvailableSpace.Estimate.CAUTIOUS, false, now);
    if (choice == null) {
      probes.refresh(this, doubtful(request, now));
      choice = pick(request, AvailableSpace.Estimate.CAUTIOUS, true, now);
    }
    if (!choice.found()) {
      probes.refresh(this, tracked(request));
      choice = pick(request, AvailableSpace.Estimate.EXACT, true, now);
    }
    if (!choice.found()) {
      // Never out of space where stock finds a volume: the last word is its own rule.
      probes.refresh(this, tracked(request));
      choice = pick(request, AvailableSpace.Estimate.AS_STOCK, true, now);
    }
    return choice;
  }

  /**
   * Notes what another policy chose, and what this one would have.
   *
   * @return whether this one would have chosen another volume
   */
  public boolean watch(Request<V> request, V chosen, long now) {
    return underLock(() -> note(request, chosen, now));
  }

  private boolean note(Request<V> request, V chosen, long now) {
    Selection<V> selection = select(request, AvailableSpace.Estimate.CAUTIOUS, now);
    TrackedVolume<V> actual = roster.of(chosen);
    if (actual.probeDue(actual.health.at(now), chosen, now)) {
      actual.health.probe(now);
    }
    chosen(actual, chosen, request.size, now);
    if (selection.best != null) {
      selection.best.wouldHave++;
      roundRobin.serve(selection.best.place);
    }
    return selection.best != null && selection.best != actual;
  }

  /**
   * Null when it comes to a volume whose sample is doubtful and the caller has not asked afresh.
   */
  private Choice<V> pick(
      Request<V> request, AvailableSpace.Estimate estimate, boolean asked, long now)
      throws IOException {
    lock.lock(); // needs no object to describe the work, as underLock does
    try {
      return decide(request, estimate, asked, now);
    } finally {
      lock.unlock();
    }
  }

  private Choice<V> decide(
      Request<V> request, AvailableSpace.Estimate estimate, boolean asked, long now)
      throws IOException {
    Selection<V> selection = select(request, estimate, now);
    if (!asked && selection.next() != null && isDoubtful(selection.next(), request, now)) {
      return null;
    }
    if (selection.failing != null) {
      selection.failing.space.failedOnce(settings, now);
      throw selection.failing.space.failure();
    }
    if (selection.probe != null) {
      selection.probe.health.probe(now);
      return take(request, selection.probeVolume, selection.probe, now);
    }
    if (selection.best == null
        || (estimate == AvailableSpace.Estimate.CAUTIOUS && selection.lastResort())) {
      return scarcity(request, estimate, now);
    }
    if (selection.best.space.failure() != null) {
      throw selection.best.space.failure();
    }
    return take(request, selection.volume, selection.best, now);
  }

  private Selection<V> select(Request<V> request, AvailableSpace.Estimate estimate, long now) {
    List<? extends V> volumes = request.volumes;
    boolean newcomers = false;
    latestChoice = now;
    if (roundRobin.noticeLoss(volumes.size(), now)) {
      volumes.forEach(v -> roundRobin.remains(roster.of(v).place, now));
    }
    double mostBlocks = EvenFill.MOST * latestBlocks / volumes.size();
    Selection<V> selection =
        new Selection<>(roundRobin, settings.fillsEvenly, mostBlocks, mostWork, now);
    for (int i = 0; i < volumes.size(); i++) {
      V volume = volumes.get(i);
      TrackedVolume<V> tracked = roster.of(volume);
      tracked.listed(now);
      if (tracked.place.isNew()) {
        newcomers = true;
      } else if (tracked.space.bytes(estimate, now) > request.need) {
        selection.offer(volume, tracked);
      } else {
        selection.anyRefused = true;
      }
    }
    if (newcomers) {
      welcome(request, estimate, selection, now);
    }
    mostWork = selection.mostWork;
    return selection;
  }

  private void welcome(
      Request<V> request, AvailableSpace.Estimate estimate, Selection<V> selection, long now) {
    double least = selection.leastWork();
    for (V volume : request.volumes) {
      TrackedVolume<V> tracked = roster.of(volume);
      if (tracked.place.isNew()) {
        tracked.inFlight.join(least, volume, now);
        roundRobin.join(tracked.place);
        if (tracked.space.bytes(estimate, now) > request.need) {
          selection.offer(volume, tracked);
        }
      }
    }
  }

  private Choice<V> take(Request<V> request, V volume, TrackedVolume<V> tracked, long now) {
    roundRobin.serve(tracked.place);
    chosen(tracked, volume, request.size, now);
    return Choice.of(volume);
  }

  private void chosen(TrackedVolume<V> tracked, V volume, long bytes, long now) {
    tracked.chosen(volume, bytes, now);
    roundRobin.chosen(tracked.place, now);
    latestBlocks++;
  }

  private Choice<V> scarcity(Request<V> request, AvailableSpace.Estimate estimate, long now) {
    long largest = 0;
    for (V volume : request.volumes) {
      largest = Math.max(largest, roster.of(volume).space.bytes(estimate, now));
    }
    return Choice.none(new ArrayList<>(request.volumes), largest);
  }

  private List<TrackedVolume<V>> doubtful(Request<V> request, long now) {
    List<TrackedVolume<V>> found = tracked(request);
    runUnderLock(() -> found.removeIf(t -> !isDoubtful(t, request, now)));
    return found;
  }

  private boolean isDoubtful(TrackedVolume<V> tracked, Request<V> request, long now) {
    return tracked.space.doubtful(settings.nearlyFull, request.need, now);
  }

  private List<TrackedVolume<V>> tracked(Request<V> request) {
    List<TrackedVolume<V>> found = new ArrayList<>();
    runUnderLock(() -> request.volumes.forEach(v -> found.add(roster.of(v))));
    return found;
  }

  /**
   * Takes a sample of every volume: reads the counters of its device, judges its latency, and has
   * its free space asked for.
   *
   * @return what changed, to be logged
   */
  public List<HealthChange<V>> tick(long now) {
    List<TrackedVolume<V>> volumes = underLock(this::present);
    List<DeviceCounters> counters = new ArrayList<>();
    volumes.forEach(t -> counters.add(counters(t)));
    List<HealthChange<V>> changes = underLock(() -> observe(volumes, counters, now));
    volumes.forEach(t -> probes.request(this, t));
    return changes;
  }

  private List<HealthChange<V>> observe(
      List<TrackedVolume<V>> volumes, List<DeviceCounters> counters, long now) {
    latestBlocks = 0;
    List<VolumeHealth> healths = new ArrayList<>();
    for (int i = 0; i < volumes.size(); i++) {
      TrackedVolume<V> tracked = volumes.get(i);
      tracked.observe(counters.get(i), now);
      tracked.fade(Math.max(0, now - tickedAt));
      latestBlocks += tracked.evenFill.blocks();
      healths.add(tracked.health);
    }
    tickedAt = now;
    outliers.judge(healths, now);
    return changes(volumes, now);
  }

  private List<HealthChange<V>> changes(List<TrackedVolume<V>> volumes, long now) {
    List<HealthChange<V>> changes = new ArrayList<>();
    for (TrackedVolume<V> tracked : volumes) {
      VolumeHealth known = tracked.health;
      Health health = known.at(now);
      V volume = tracked.get();
      if (health != known.reported && volume != null) {
        known.explain(health, now);
        changes.add(new HealthChange<>(volume, known.reported, health, known.reason(health)));
        known.reported = health;
      }
    }
    return changes;
  }

  private List<TrackedVolume<V>> present() {
    List<TrackedVolume<V>> found = roster.all();
    found.removeIf(t -> latestChoice - t.listedAt > ABSENT);
    return found;
  }

  private DeviceCounters counters(TrackedVolume<V> tracked) {
    V volume = tracked.get();
    try {
      return volume == null ? null : signals.device(volume);
    } catch (RuntimeException | LinkageError e) {
      return null; // counts as not there
    }
  }

  /** A probe asks now; false when another one is under way. */
  public boolean probeBegins(TrackedVolume<V> tracked, long now) {
    return underLock(() -> tracked.space.begin(now));
  }

  /** The answer of the probe that {@link #probeBegins} allowed. */
  public void probeFound(TrackedVolume<V> tracked, Space space, long now) {
    runUnderLock(() -> tracked.space.found(space, now));
  }

  /** That probe could not tell. */
  public void probeFailed(TrackedVolume<V> tracked, IOException failure, long now) {
    runUnderLock(() -> tracked.space.failed(failure, now));
  }

  /** Shows every volume to {@code viewer}, outside the lock. */
  public void view(BiConsumer<V, VolumeView> viewer, long now) {
    List<V> volumes = new ArrayList<>();
    List<VolumeView> views = underLock(() -> views(volumes, now));
    for (int i = 0; i < volumes.size(); i++) {
      viewer.accept(volumes.get(i), views.get(i));
    }
  }

  private List<VolumeView> views(List<V> volumes, long now) {
    List<VolumeView> views = new ArrayList<>();
    for (TrackedVolume<V> t : present()) {
      V volume = t.get();
      if (volume != null) {
        volumes.add(volume);
        views.add(new VolumeView(t, volume, now));
      }
    }
    return views;
  }

  private <T> T underLock(Supplier<T> work) {
    lock.lock();
    try {
      return work.get();
    } finally {
      lock.unlock();
    }
  }

  private void runUnderLock(Runnable work) {
    lock.lock();
    try {
      work.run();
    } finally {
      lock.unlock();
    }
  }
}
