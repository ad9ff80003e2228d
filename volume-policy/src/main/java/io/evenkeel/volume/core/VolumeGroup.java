package io.evenkeel.volume.core;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * The volumes of one storage type: which one a new block goes to. Types share nothing, neither
 * lock, rotation, clock nor estimates (HDFS-9608 came from a shared position).
 *
 * <p>Thread-safe; {@code guard} guards all fields that change, the roster and every {@link Tracked}
 * in it. No probe, file or log is touched while it is held: only the memory signals of {@link
 * VolumeSignals} are asked under it. A choice waits only where a sample is doubtful (never taken,
 * old, or nearly full) or no volume has room, and then for {@link SpaceProbes#refresh}, whose
 * waiting is bounded.
 *
 * <p>A volume that is missing in the lists of blocks was removed, or is excluded by the DataNode,
 * but may be referred to for long. It is then neither sampled nor shown, and no peer of others.
 *
 * @param <V> type of a volume; compared by identity
 */
public final class VolumeGroup<V> {
  private static final long ABSENT = TimeUnit.SECONDS.toNanos(10);

  private final Guard guard = new Guard();
  private final GroupSettings settings;
  private final VolumeSignals<V> signals;
  private final SpaceProbes<V> probes;
  private final Roster<V, Tracked<V>> roster;
  private final OutlierJudge judge;
  private final Turns turns = new Turns();
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
        new Roster<>(volume -> new Tracked<>(volume, traits.apply(volume), settings, signals));
    this.judge = new OutlierJudge(settings);
  }

  /**
   * Chooses a volume.
   *
   * @param now nanoseconds, as everywhere here
   * @return the choice; nothing found is a value, not an exception
   * @throws IOException why the volume whose turn it was cannot tell its free space
   */
  public Choice<V> choose(Request<V> request, long now) throws IOException {
    Choice<V> choice = pick(request, Room.Sight.CAUTIOUS, false, now);
    if (choice == null) {
      probes.refresh(this, doubtful(request, now));
      choice = pick(request, Room.Sight.CAUTIOUS, true, now);
    }
    if (!choice.found()) {
      probes.refresh(this, tracked(request));
      choice = pick(request, Room.Sight.EXACT, true, now);
    }
    if (!choice.found()) {
      // Never out of space where stock finds a volume: the last word is its own rule.
      probes.refresh(this, tracked(request));
      choice = pick(request, Room.Sight.AS_STOCK, true, now);
    }
    return choice;
  }

  /**
   * Notes what another policy chose, and what this one would have.
   *
   * @return whether this one would have chosen another volume
   */
  public boolean watch(Request<V> request, V chosen, long now) {
    return guard.get(() -> note(request, chosen, now));
  }

  private boolean note(Request<V> request, V chosen, long now) {
    Scan<V> scan = scan(request, Room.Sight.CAUTIOUS, now);
    Tracked<V> actual = roster.of(chosen);
    if (actual.probeDue(actual.trust.health(now), chosen, now)) {
      actual.trust.probe(now);
    }
    chosen(actual, chosen, request.size, now);
    if (scan.best != null) {
      scan.best.wouldHave++;
      turns.serve(scan.best.place);
    }
    return scan.best != null && scan.best != actual;
  }

  /**
   * Null when it comes to a volume whose sample is doubtful and the caller has not asked afresh.
   */
  private Choice<V> pick(Request<V> request, Room.Sight sight, boolean asked, long now)
      throws IOException {
    guard.lock();
    try {
      return decide(request, sight, asked, now);
    } finally {
      guard.unlock();
    }
  }

  private Choice<V> decide(Request<V> request, Room.Sight sight, boolean asked, long now)
      throws IOException {
    Scan<V> scan = scan(request, sight, now);
    if (!asked && scan.next() != null && isDoubtful(scan.next(), request, now)) {
      return null;
    }
    if (scan.failing != null) {
      scan.failing.room.failedOnce(settings, now);
      throw scan.failing.room.failure();
    }
    if (scan.probe != null) {
      scan.probe.trust.probe(now);
      return take(request, scan.probeVolume, scan.probe, now);
    }
    if (scan.best == null || (sight == Room.Sight.CAUTIOUS && scan.lastResort())) {
      return scarcity(request, sight, now);
    }
    if (scan.best.room.failure() != null) {
      throw scan.best.room.failure();
    }
    return take(request, scan.volume, scan.best, now);
  }

  private Scan<V> scan(Request<V> request, Room.Sight sight, long now) {
    List<? extends V> volumes = request.volumes;
    boolean newcomers = false;
    latestChoice = now;
    if (turns.noticeLoss(volumes.size(), now)) {
      volumes.forEach(v -> turns.remains(roster.of(v).place, now));
    }
    double mostBlocks = EvenFill.MOST * latestBlocks / volumes.size();
    Scan<V> scan = new Scan<>(turns, settings.fillsEvenly, mostBlocks, mostWork, now);
    for (int i = 0; i < volumes.size(); i++) {
      V volume = volumes.get(i);
      Tracked<V> tracked = roster.of(volume);
      tracked.listed(now);
      if (tracked.place.isNew()) {
        newcomers = true;
      } else if (tracked.room.bytes(sight, now) > request.need) {
        scan.offer(volume, tracked);
      } else {
        scan.anyRefused = true;
      }
    }
    if (newcomers) {
      welcome(request, sight, scan, now);
    }
    mostWork = scan.mostWork;
    return scan;
  }

  private void welcome(Request<V> request, Room.Sight sight, Scan<V> scan, long now) {
    double least = scan.leastWork();
    for (V volume : request.volumes) {
      Tracked<V> tracked = roster.of(volume);
      if (tracked.place.isNew()) {
        tracked.users.join(least, volume, now);
        turns.join(tracked.place);
        if (tracked.room.bytes(sight, now) > request.need) {
          scan.offer(volume, tracked);
        }
      }
    }
  }

  private Choice<V> take(Request<V> request, V volume, Tracked<V> tracked, long now) {
    turns.serve(tracked.place);
    chosen(tracked, volume, request.size, now);
    return Choice.of(volume);
  }

  private void chosen(Tracked<V> tracked, V volume, long bytes, long now) {
    tracked.chosen(volume, bytes, now);
    turns.chosen(tracked.place, now);
    latestBlocks++;
  }

  private Choice<V> scarcity(Request<V> request, Room.Sight sight, long now) {
    long largest = 0;
    for (V volume : request.volumes) {
      largest = Math.max(largest, roster.of(volume).room.bytes(sight, now));
    }
    return Choice.none(new ArrayList<>(request.volumes), largest);
  }

  private List<Tracked<V>> doubtful(Request<V> request, long now) {
    List<Tracked<V>> found = tracked(request);
    guard.run(() -> found.removeIf(t -> !isDoubtful(t, request, now)));
    return found;
  }

  private boolean isDoubtful(Tracked<V> tracked, Request<V> request, long now) {
    return tracked.room.doubtful(settings.nearlyFull, request.need, now);
  }

  private List<Tracked<V>> tracked(Request<V> request) {
    List<Tracked<V>> found = new ArrayList<>();
    guard.run(() -> request.volumes.forEach(v -> found.add(roster.of(v))));
    return found;
  }

  /**
   * Takes a sample of every volume: reads the counters of its device, judges its latency, and has
   * its free space asked for.
   *
   * @return what changed, to be logged
   */
  public List<HealthChange<V>> tick(long now) {
    List<Tracked<V>> volumes = guard.get(this::present);
    List<DeviceCounters> counters = new ArrayList<>();
    volumes.forEach(t -> counters.add(counters(t)));
    List<HealthChange<V>> changes = guard.get(() -> observe(volumes, counters, now));
    volumes.forEach(t -> probes.request(this, t));
    return changes;
  }

  private List<HealthChange<V>> observe(
      List<Tracked<V>> volumes, List<DeviceCounters> counters, long now) {
    latestBlocks = 0;
    List<Trust> trusts = new ArrayList<>();
    for (int i = 0; i < volumes.size(); i++) {
      Tracked<V> tracked = volumes.get(i);
      tracked.observe(counters.get(i), now);
      tracked.fade(Math.max(0, now - tickedAt));
      latestBlocks += tracked.evenFill.blocks();
      trusts.add(tracked.trust);
    }
    tickedAt = now;
    judge.judge(trusts, now);
    return changes(volumes, now);
  }

  private List<HealthChange<V>> changes(List<Tracked<V>> volumes, long now) {
    List<HealthChange<V>> changes = new ArrayList<>();
    for (Tracked<V> tracked : volumes) {
      Trust trust = tracked.trust;
      Health health = trust.health(now);
      V volume = tracked.get();
      if (health != trust.reported && volume != null) {
        trust.explain(health, now);
        changes.add(new HealthChange<>(volume, trust.reported, health, trust.reason(health)));
        trust.reported = health;
      }
    }
    return changes;
  }

  private List<Tracked<V>> present() {
    List<Tracked<V>> found = roster.all();
    found.removeIf(t -> latestChoice - t.listedAt > ABSENT);
    return found;
  }

  private DeviceCounters counters(Tracked<V> tracked) {
    V volume = tracked.get();
    try {
      return volume == null ? null : signals.device(volume);
    } catch (RuntimeException | LinkageError e) {
      return null; // counts as not there
    }
  }

  /** A probe asks now; false when another one is under way. */
  public boolean probeBegins(Tracked<V> tracked, long now) {
    return guard.get(() -> tracked.room.begin(now));
  }

  /** The answer of the probe that {@link #probeBegins} allowed. */
  public void probeFound(Tracked<V> tracked, Space space, long now) {
    guard.run(() -> tracked.room.found(space, now));
  }

  /** That probe could not tell. */
  public void probeFailed(Tracked<V> tracked, IOException failure, long now) {
    guard.run(() -> tracked.room.failed(failure, now));
  }

  /** Shows every volume to {@code viewer}, outside the lock. */
  public void view(BiConsumer<V, VolumeView> viewer, long now) {
    List<V> volumes = new ArrayList<>();
    List<VolumeView> views = guard.get(() -> views(volumes, now));
    for (int i = 0; i < volumes.size(); i++) {
      viewer.accept(volumes.get(i), views.get(i));
    }
  }

  private List<VolumeView> views(List<V> volumes, long now) {
    List<VolumeView> views = new ArrayList<>();
    for (Tracked<V> t : present()) {
      V volume = t.get();
      if (volume != null) {
        volumes.add(volume);
        views.add(new VolumeView(t, volume, now));
      }
    }
    return views;
  }
}
