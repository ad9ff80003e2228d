package io.evenkeel.volume.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class VolumeGroupTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final long STEP = TimeUnit.MILLISECONDS.toNanos(20);

  private final FakeSignals signals = new FakeSignals();
  private final Map<String, VolumeTraits> traits = new HashMap<>();
  private final List<HealthChange<String>> changes = new ArrayList<>();
  private long now = 7 * SECOND;
  private VolumeGroup<String> group = group(GroupSettings.defaults());

  private VolumeGroup<String> group(GroupSettings settings) {
    return new VolumeGroup<>(
        settings,
        signals,
        new InlineProbes<>(signals, () -> now),
        v -> traits.getOrDefault(v, VolumeTraits.NONE));
  }

  private static List<String> names(int count) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      names.add(("v" + i).intern()); // volumes are told apart by identity
    }
    return names;
  }

  private Choice<String> select(List<String> volumes, long need) {
    try {
      return group.choose(new Request<>(volumes, need, need), now);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Why a choice fails; null when it does not. */
  private IOException failure(List<String> volumes, long need) {
    try {
      group.choose(new Request<>(volumes, need, need), now);
      return null;
    } catch (IOException e) {
      return e;
    }
  }

  private String choose(List<String> volumes) {
    now += STEP;
    return select(volumes, 1).volume();
  }

  private Map<String, Integer> counts(List<String> volumes, int times) {
    Map<String, Integer> counts = new TreeMap<>();
    volumes.forEach(v -> counts.put(v, 0));
    for (int i = 0; i < times; i++) {
      counts.merge(choose(volumes), 1, Integer::sum);
    }
    return counts;
  }

  private void tick() {
    now += SECOND;
    changes.addAll(group.tick(now));
  }

  private VolumeView view(String volume) {
    VolumeView[] found = new VolumeView[1];
    group.view((v, view) -> found[0] = v.equals(volume) ? view : found[0], now);
    return found[0];
  }

  /** Samples in which every device completes writes of its own latency. */
  private void run(int seconds, Map<String, Double> millis) {
    for (int i = 0; i < seconds; i++) {
      millis.forEach((v, ms) -> signals.deviceOf(v).writes(20, ms));
      tick();
    }
  }

  private static Map<String, Double> equal(List<String> volumes, double millis) {
    Map<String, Double> map = new HashMap<>();
    volumes.forEach(v -> map.put(v, millis));
    return map;
  }

  /** One of the volumes is ten times slower until it is ejected. */
  private List<String> oneEjected(int count) {
    List<String> volumes = names(count);
    counts(volumes, count);
    run(3, equal(volumes, 50));
    Map<String, Double> slow = equal(volumes, 50);
    slow.put("v0", 500.0);
    run(4, slow);
    assertThat(view("v0").health).isEqualTo(Health.EJECTED);
    return volumes;
  }

  @Test
  void choose_leastUsers_isChosen() {
    List<String> volumes = names(3);
    signals.users("v0", 5).users("v1", 2).users("v2", 3);
    assertThat(counts(volumes, 4)).isEqualTo(Map.of("v0", 0, "v1", 4, "v2", 0));
  }

  @Test
  void choose_manyBeforeAnyHasStarted_spreadByWhatTheyWillAdd() {
    List<String> volumes = names(3);
    signals.users("v0", 3).users("v1", 1).users("v2", 1); // one of each is always there
    Map<String, Integer> counts = new TreeMap<>();
    for (int i = 0; i < 8; i++) {
      counts.merge(select(volumes, 1).volume(), 1, Integer::sum);
    }
    assertThat(counts).isEqualTo(Map.of("v0", 2, "v1", 3, "v2", 3));
  }

  @Test
  void choose_usersThatAreAlwaysThere_doNotCount() {
    List<String> volumes = names(2);
    signals.users("v0", 1).users("v1", 0);
    assertThat(counts(volumes, 10)).isEqualTo(Map.of("v0", 5, "v1", 5));
  }

  @Test
  void choose_onlyBytesKnown_leastBytes() {
    List<String> volumes = names(2);
    signals.unacknowledged("v0", 256 << 20).unacknowledged("v1", 64 << 20);
    assertThat(counts(volumes, 5)).containsEntry("v1", 5);
  }

  @Test
  void choose_nothingKnown_rotates() {
    assertThat(counts(names(5), 50).values()).containsOnly(10);
  }

  @Test
  void choose_weights_shareInProportion() {
    traits.put("v0", new VolumeTraits("fast", 2, 1));
    assertThat(counts(names(3), 40)).isEqualTo(Map.of("v0", 20, "v1", 10, "v2", 10));
  }

  @Test
  void choose_weightsUnderLoad_leastWorkOverWeight() {
    traits.put("v0", new VolumeTraits("fast", 4, 1));
    signals.users("v0", 8).users("v1", 3); // 7 over 4 against 2
    assertThat(choose(names(2))).isEqualTo("v0");
  }

  @Test
  void choose_aboveItsCeiling_othersArePreferredButItIsNeverOutOfSpace() {
    traits.put("v0", new VolumeTraits("nearly full", 1, 0.8));
    List<String> volumes = names(2);
    signals.space("v0", 150, 1000).space("v1", 150, 1000);
    tick();
    assertThat(counts(volumes, 10)).containsEntry("v1", 10);
    signals.space("v1", 0, 1000);
    tick();
    tick();
    assertThat(counts(volumes, 3)).containsEntry("v0", 3);
  }

  @Test
  void choose_noneHasRoom_saysTheLargest() {
    signals.free("v0", 10).free("v1", 30);
    Choice<String> choice = select(names(2), 30);
    assertThat(choice.found()).isFalse();
    assertThat(choice.largestFree()).isEqualTo(30);
    assertThat(choice.refused()).containsExactly("v0", "v1");
  }

  @Test
  void choose_roomFreedSinceTheSample_isFound() {
    signals.free("v0", 10);
    assertThat(select(names(1), 30).volume()).isNull();
    signals.free("v0", 31);
    assertThat(select(names(1), 30).volume()).isEqualTo("v0");
  }

  @Test
  void choose_promisesThatNeverArrived_doNotMakeItOutOfSpace() {
    signals.free("v0", 100);
    for (int i = 0; i < 50; i++) {
      assertThat(select(names(1), 40).volume()).as("as stock, whose sample is 100").isNotNull();
    }
  }

  @Test
  void choose_twoVolumesNearlyFull_promisesSpreadThem() {
    signals.free("v0", 100).free("v1", 300);
    Map<String, Integer> counts = new TreeMap<>();
    for (int i = 0; i < 9; i++) {
      counts.merge(select(names(2), 40).volume(), 1, Integer::sum);
    }
    assertThat(counts).isEqualTo(Map.of("v0", 2, "v1", 7));
  }

  @Test
  void choose_volumeIsLost_oneRoundBeginsWithTheLatestChosen() {
    List<String> volumes = names(5);
    assertThat(choices(volumes, 8)).containsExactly("v0", "v1", "v2", "v3", "v4", "v0", "v1", "v2");
    now += 60 * SECOND;
    List<String> left = volumes.subList(0, 4); // v4 is lost
    assertThat(choices(left, 8)).containsExactly("v2", "v1", "v0", "v3", "v2", "v1", "v0", "v3");
  }

  @Test
  void choose_volumeIsLostAndAnotherOneLater_theLeastProvenIsStillLast() {
    List<String> volumes = names(5);
    choices(volumes, 5);
    now += 60 * SECOND;
    assertThat(choices(volumes.subList(0, 4), 2)).containsExactly("v3", "v2");
    now += 60 * SECOND;
    assertThat(choices(volumes.subList(0, 3), 4)).containsExactly("v2", "v1", "v0", "v2");
  }

  /** Two that fail at once, one of them is known: the other one's block may have failed as well. */
  @Test
  void choose_volumeIsLostBlocksJustCame_theirVolumesComeLast() {
    List<String> volumes = names(6);
    choices(volumes, 6);
    now += 60 * SECOND;
    assertThat(choices(volumes, 2)).containsExactly("v0", "v1");
    assertThat(choices(volumes.subList(1, 6), 6))
        .containsExactly("v5", "v4", "v3", "v2", "v1", "v5");
  }

  @Test
  void choose_volumeIsLostUnderLoad_leastWorkDecides() {
    List<String> volumes = names(4);
    signals.users("v0", 3).users("v1", 9).users("v2", 9).users("v3", 9);
    choices(volumes, 4);
    assertThat(choices(volumes.subList(0, 3), 3)).containsOnly("v0");
  }

  @Test
  void choose_listsThatDiffer_starveNobody() {
    List<String> volumes = names(4);
    Map<String, Integer> counts = new TreeMap<>();
    for (int i = 0; i < 500; i++) { // 20 s
      counts.merge(choose(volumes), 1, Integer::sum);
      counts.merge(choose(volumes.subList(0, 3)), 1, Integer::sum);
    }
    assertThat(counts).hasSize(4).allSatisfy((v, n) -> assertThat(n).isBetween(240, 260));
  }

  /** Volumes of which v0 has 10 % free, v1 20 % and so on; nobody uses them. */
  private List<String> filled(int count) {
    group = group(new GroupSettings.Builder().fillsEvenly(true).nearlyFull(0).build());
    List<String> volumes = names(count);
    for (int i = 0; i < count; i++) {
      signals.users(volumes.get(i), 1).unacknowledged(volumes.get(i), 0);
      signals.space(volumes.get(i), (i + 1) * 100_000L, 1_000_000);
      signals.deviceOf(volumes.get(i)).busy(0).bytes(0).bytesRead(0);
    }
    choices(volumes, count); // every volume is asked for its space
    tick();
    tick();
    return volumes;
  }

  @Test
  void choose_fillEvenly_idleVolumeWithMostFreeIsNext() {
    List<String> volumes = filled(4);
    assertThat(choices(volumes, 3)).containsOnly("v3");
    signals.users("v3", 2); // a writer or a reader
    assertThat(choices(volumes, 3)).containsOnly("v2");
    signals.users("v2", 2).users("v1", 2).users("v0", 3);
    assertThat(choices(volumes, 3)).as("all are busy: turns of the least").doesNotHaveDuplicates();
  }

  @Test
  void choose_fillEvenlyTwoAtOnce_theSecondIsNoMoreIdle() {
    List<String> volumes = filled(3);
    now += SECOND;
    assertThat(select(volumes, 1).volume()).isEqualTo("v2");
    assertThat(select(volumes, 1).volume()).isEqualTo("v1");
  }

  @Test
  void choose_fillEvenlyWhatWasPromised_countsAsUsed() {
    List<String> volumes = filled(2);
    assertThat(select(volumes, 150_000).volume()).isEqualTo("v1"); // 200 000 free
    now += STEP;
    assertThat(select(volumes, 10_000).volume()).isEqualTo("v0"); // 100 000 free
  }

  @Test
  void choose_fillEvenlyDirtyPages_othersAreNext() {
    List<String> volumes = filled(3);
    now += STEP;
    assertThat(select(volumes, 1000).volume()).isEqualTo("v2");
    signals.space("v2", 1 << 30, (1 << 30) + 1);
    group.tick(now);
    assertThat(select(volumes, 200 << 20).volume()).isEqualTo("v2");
    assertThat(choices(volumes, 3)).as("100 MB/s are not known to be done").containsOnly("v1");
    now += 3 * SECOND;
    assertThat(choose(volumes)).isEqualTo("v2");
  }

  @Test
  void choose_fillEvenlyHealthAndCeiling_comeFirst() {
    filled(4);
    traits.put("v4", new VolumeTraits("ceiling", 1, 0.3));
    List<String> volumes = names(5);
    signals.users("v4", 1).unacknowledged("v4", 0).space("v4", 600_000, 1_000_000);
    signals.deviceOf("v4").busy(0).bytes(0).bytesRead(0);
    choices(volumes, 5);
    tick();
    signals.fail("v3", new IOException("gone"));
    tick();
    assertThat(failure(volumes, 1)).hasMessage("gone"); // once
    assertThat(choices(volumes, 5)).containsOnly("v2");
  }

  @Test
  void choose_fillEvenlyUsersCannotBeSeen_rotates() {
    group = group(new GroupSettings.Builder().fillsEvenly(true).build());
    List<String> volumes = names(3);
    signals.space("v2", 1L << 43, 1L << 43);
    assertThat(counts(volumes, 30).values()).containsOnly(10);
  }

  @Test
  void choose_fillOff_freeSpaceDoesNotMatter() {
    List<String> volumes = filled(4);
    group = group(GroupSettings.defaults());
    assertThat(counts(volumes, 40).values()).containsOnly(10);
  }

  @Test
  void watch_fillEvenly_saysWhereItWouldHaveGone() {
    List<String> volumes = filled(3);
    for (int i = 0; i < 6; i++) {
      now += STEP;
      group.watch(new Request<>(volumes, 1, 1), volumes.get(i % 3), now);
    }
    assertThat(view("v2").wouldHave).isEqualTo(6);
  }

  private List<String> choices(List<String> volumes, int times) {
    List<String> chosen = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      chosen.add(choose(volumes));
    }
    return chosen;
  }

  @Test
  void choose_blockHasEndedAMomentAgo_itsVolumeIsNext() {
    List<String> volumes = names(4);
    volumes.forEach(v -> signals.users(v, 1));
    for (int i = 0; i < 4; i++) {
      signals.users(select(volumes, 1).volume(), 2);
    }
    signals.users("v2", 1);
    assertThat(select(volumes, 1).volume()).isEqualTo("v2");
  }

  /** Counts the volumes that are asked while a block waits. */
  private List<String> waitedFor() {
    List<String> waitedFor = new ArrayList<>();
    SpaceProbes<String> inline = new InlineProbes<>(signals, () -> now);
    SpaceProbes<String> counting =
        new SpaceProbes<>() {
          @Override
          public void request(VolumeGroup<String> g, TrackedVolume<String> volume) {
            inline.request(g, volume);
          }

          @Override
          public void refresh(VolumeGroup<String> g, List<TrackedVolume<String>> volumes) {
            volumes.forEach(v -> waitedFor.add(v.get()));
            inline.refresh(g, volumes);
          }

          @Override
          public void watch() {}
        };
    group =
        new VolumeGroup<>(
            GroupSettings.defaults(),
            signals,
            counting,
            v -> traits.getOrDefault(v, VolumeTraits.NONE));
    return waitedFor;
  }

  @Test
  void choose_anotherVolumeIsNearlyFull_isNotWaitedFor() {
    List<String> waitedFor = waitedFor();
    List<String> volumes = names(3);
    signals.space("v0", 100 << 20, 1000 << 20).users("v0", 50).users("v1", 1).users("v2", 1);
    choose(volumes);
    waitedFor.clear();
    for (int i = 0; i < 5; i++) {
      tick();
      now += SECOND / 2;
      assertThat(choose(volumes)).isNotEqualTo("v0");
    }
    assertThat(waitedFor).isEmpty();
    signals.users("v0", 1).users("v1", 9).users("v2", 9);
    now += SECOND / 2;
    assertThat(choose(volumes)).isEqualTo("v0");
    assertThat(waitedFor).containsExactly("v0");
  }

  @Test
  void choose_volumeWasAbsentForLong_isAskedBeforeItGetsABlock() {
    List<String> waitedFor = waitedFor();
    choose(names(2));
    for (int i = 0; i < 200; i++) {
      tick();
      choose(names(1));
    }
    waitedFor.clear();
    signals.users("v0", 50).users("v1", 0);
    signals.free("v1", 0);
    assertThat(choose(names(2))).isEqualTo("v0");
    assertThat(waitedFor).containsExactly("v1");
  }

  @Test
  void tick_hotRemovedWhileEjected_doesNotCountAmongTheOthers() {
    List<String> volumes = oneEjected(5);
    List<String> left = volumes.subList(1, 5);
    signals.deviceOf("v0").idle();
    Map<String, Double> slow = equal(left, 50);
    slow.put("v1", 500.0);
    changes.clear();
    for (int i = 0; i < 20; i++) {
      counts(left, 4);
      run(1, slow);
    }
    assertThat(view("v1").health).isEqualTo(Health.EJECTED);
    assertThat(view("v0")).as("somebody still refers to it").isNull();
    signals.fail("v0", new IOException("unmounted"));
    tick();
    assertThat(changes).extracting(HealthChange::volume).containsOnly("v1");
  }

  @Test
  void tick_clockStartsBelowZero_countsStayFinite() {
    now = -1000 * SECOND;
    List<String> volumes = names(2);
    counts(volumes, 2);
    tick();
    assertThat(view("v0").recentChoices).isBetween(0.0, 1.0);
  }

  /** A dying disk that retries: too slow for one answer per sample, never silent for 3 s. */
  @Test
  void tick_fewerThanOneCompletionPerSample_isEjected() {
    List<String> volumes = names(4);
    counts(volumes, 4);
    run(3, equal(volumes, 50));
    Map<String, Double> others = equal(volumes.subList(1, 4), 50);
    signals.deviceOf("v0").inFlight(4);
    for (int i = 0; i < 10; i++) {
      run(1, others);
      signals.deviceOf("v0").writes(1, 8000).inFlight(4);
      run(1, others);
    }
    assertThat(view("v0").health).isEqualTo(Health.EJECTED);
  }

  @Test
  void tick_tenTimesSlower_isEjectedWithinFiveSamples() {
    List<String> volumes = oneEjected(8);
    assertThat(changes).hasSize(1);
    assertThat(changes.get(0).volume()).isEqualTo("v0");
    assertThat(changes.get(0).reason()).contains("peers");
    assertThat(counts(volumes, 70)).containsEntry("v0", 0).containsEntry("v3", 10);
  }

  @Test
  void tick_recoversAfterTheProbe_isUsedAgain() {
    List<String> volumes = oneEjected(4);
    Map<String, Double> others = equal(volumes.subList(1, 4), 50);
    signals.deviceOf("v0").idle();
    run(11, others);
    assertThat(counts(volumes, 20)).as("one probe").containsEntry("v0", 1);
    run(2, equal(volumes, 50));
    run(1, equal(volumes, 50));
    assertThat(view("v0").health).isEqualTo(Health.IN_USE);
    assertThat(view("v0").probes).isEqualTo(1);
    assertThat(counts(volumes, 20)).containsEntry("v0", 5);
  }

  @Test
  void tick_unusedVolume_isNotJudgedByItsPast() {
    List<String> volumes = oneEjected(4);
    signals.deviceOf("v0").idle();
    run(60, equal(volumes.subList(1, 4), 50));
    assertThat(view("v0").latencyMillis).isNegative();
    assertThat(choose(volumes)).as("the probe that is due").isEqualTo("v0");
  }

  @Test
  void tick_severalSlow_atMostAQuarterIsEjected() {
    List<String> volumes = names(8);
    counts(volumes, 8);
    Map<String, Double> slow = equal(volumes, 50);
    for (int i = 0; i < 4; i++) {
      slow.put("v" + i, 500.0);
    }
    run(20, slow);
    long out = volumes.stream().filter(v -> view(v).health != Health.IN_USE).count();
    assertThat(out).isEqualTo(2);
  }

  @Test
  void tick_twoVolumesWhereOnePeerIsEnough_theSlowOneIsEjected() {
    group = group(new GroupSettings.Builder().minPeers(1).build());
    oneEjected(2);
    assertThat(view("v1").health).isEqualTo(Health.IN_USE);
  }

  @Test
  void tick_twoVolumes_noneIsEverEjected() {
    List<String> volumes = names(2);
    counts(volumes, 2);
    Map<String, Double> slow = equal(volumes, 50);
    slow.put("v0", 5000.0);
    run(30, slow);
    assertThat(changes).isEmpty();
  }

  @Test
  void tick_belowTheFloor_isNoOutlier() {
    List<String> volumes = names(5);
    counts(volumes, 5);
    Map<String, Double> slow = equal(volumes, 0.5);
    slow.put("v0", 19.0);
    run(30, slow);
    assertThat(changes).isEmpty();
  }

  @Test
  void tick_ejectionSwitchedOff_hungIsStillAvoided() {
    group = group(new GroupSettings.Builder().ejects(false).build());
    List<String> volumes = names(4);
    counts(volumes, 4);
    Map<String, Double> slow = equal(volumes, 50);
    slow.put("v0", 500.0);
    run(10, slow);
    assertThat(changes).isEmpty();
    signals.deviceOf("v0").inFlight(3);
    run(5, equal(volumes.subList(1, 4), 50));
    assertThat(view("v0").health).isEqualTo(Health.HUNG);
  }

  @Test
  void tick_deviceCompletesNothing_isLastChoiceAndNeverProbed() {
    List<String> volumes = names(4);
    counts(volumes, 4);
    run(3, equal(volumes, 50));
    signals.deviceOf("v0").inFlight(3);
    run(120, equal(volumes.subList(1, 4), 50));
    assertThat(view("v0").health).isEqualTo(Health.HUNG);
    assertThat(counts(volumes, 300)).containsEntry("v0", 0);
    run(5, equal(volumes, 50));
    assertThat(view("v0").health).isEqualTo(Health.IN_USE);
    assertThat(counts(volumes, 40)).containsEntry("v0", 10);
  }

  @Test
  void choose_onlyAHungVolumeSeemsToHaveRoom_theOthersAreAskedFirst() {
    List<String> volumes = names(2);
    signals.free("v1", 100);
    choose(volumes);
    signals.deviceOf("v0").writes(1, 50).inFlight(3);
    for (int i = 0; i < 6; i++) {
      tick();
    }
    assertThat(view("v0").health).isEqualTo(Health.HUNG);
    for (int i = 0; i < 5; i++) {
      assertThat(select(volumes, 40).volume()).as("its blocks are small").isEqualTo("v1");
    }
    signals.free("v1", 0);
    now += SECOND;
    tick();
    assertThat(select(volumes, 40).volume()).isEqualTo("v0");
  }

  /** As drivers show it that lose count of their requests: in use, it would be HUNG for nothing. */
  @Test
  void tick_devicesShowARequestThatIsNotThere_unusedVolumesKeepTheirShare() {
    List<String> volumes = names(12);
    volumes.forEach(v -> signals.users(v, 1));
    counts(volumes, 12);
    volumes.forEach(v -> signals.deviceOf(v).inFlight(1));
    for (int block = 0; block < 60; block++) {
      String volume = choose(volumes);
      signals.users(volume, 2);
      run(2, Map.of(volume, 5.0));
      signals.users(volume, 1);
      run(8, Map.of());
    }
    assertThat(changes).isEmpty();
    volumes.forEach(v -> assertThat(view(v).choices).as(v).isEqualTo(6));
  }

  @Test
  void tick_usersOfAHungVolumeHaveGivenUp_itIsTriedNowAndThen() {
    List<String> volumes = names(4);
    volumes.forEach(v -> signals.users(v, 1));
    counts(volumes, 4);
    signals.users("v0", 2);
    signals.deviceOf("v0").inFlight(1);
    run(60, equal(volumes.subList(1, 4), 50));
    signals.users("v0", 1);
    run(60, equal(volumes.subList(1, 4), 50));
    assertThat(view("v0").health).isEqualTo(Health.HUNG);
    assertThat(counts(volumes, 40)).as("one block").containsEntry("v0", 1);
    run(40, equal(volumes.subList(1, 4), 50));
    assertThat(counts(volumes, 40)).containsEntry("v0", 0);
    run(5, equal(volumes.subList(1, 4), 50));
    assertThat(counts(volumes, 40)).containsEntry("v0", 1);
    run(1, equal(volumes, 50)); // the block is written
    run(1, equal(volumes, 50));
    assertThat(counts(volumes, 40)).containsEntry("v0", 10);
  }

  @Test
  void tick_hungVolumeHasUsers_theyAreTheProbe() {
    List<String> volumes = names(4);
    volumes.forEach(v -> signals.users(v, 1));
    counts(volumes, 4);
    signals.deviceOf("v0").inFlight(1);
    signals.users("v0", 2);
    run(300, equal(volumes.subList(1, 4), 50));
    assertThat(counts(volumes, 300)).containsEntry("v0", 0);
  }

  @Test
  void tick_allHung_allAreUsed() {
    List<String> volumes = names(3);
    counts(volumes, 3);
    volumes.forEach(v -> signals.deviceOf(v).inFlight(1));
    run(10, Map.of());
    assertThat(view("v1").health).isEqualTo(Health.HUNG);
    assertThat(counts(volumes, 30).values()).containsOnly(10);
  }

  @Test
  void choose_lastVolumeWithRoomIsEjected_isUsed() {
    List<String> volumes = oneEjected(4);
    for (String v : volumes.subList(1, 4)) {
      signals.free(v, 0);
    }
    tick();
    tick();
    assertThat(select(volumes, 5).volume()).isEqualTo("v0");
  }

  @Test
  void tick_signalsVanish_ejectedVolumeIsUsedAgain() {
    List<String> volumes = oneEjected(4);
    volumes.forEach(signals::noDevice);
    tick();
    assertThat(counts(volumes, 40).values()).containsOnly(10);
  }

  @Test
  void choose_spaceCannotBeRead_failsOnItEverMoreSeldom() {
    List<String> volumes = names(3);
    counts(volumes, 3);
    IOException broken = new IOException("statfs");
    signals.fail("v0", broken);
    List<Long> secondsOfFailures = new ArrayList<>();
    long start = now;
    for (int i = 0; i < 130; i++) {
      tick();
      try {
        assertThat(group.choose(new Request<>(volumes, 1, 1), now).volume()).isNotEqualTo("v0");
      } catch (IOException e) {
        assertThat(e).isSameAs(broken);
        secondsOfFailures.add((now - start) / SECOND);
      }
    }
    assertThat(secondsOfFailures).containsExactly(1L, 11L, 31L, 71L, 116L);
    signals.free("v0", 1000);
    tick();
    assertThat(counts(volumes, 30)).containsEntry("v0", 10);
  }

  @Test
  void choose_spaceCanBeReadAgain_isAskedBeforeItFailsABlock() {
    List<String> volumes = names(1);
    choose(volumes);
    signals.fail("v0", new IOException("once"));
    tick();
    assertThat(view("v0").health).isEqualTo(Health.FAILING);
    signals.free("v0", 1000);
    now += SECOND / 2;
    assertThat(failure(volumes, 1)).as("stock asks now").isNull();
  }

  @Test
  void choose_fullVolumeCannotBeRead_failsForThatAndNotForRoom() {
    signals.free("v0", 100);
    choose(names(1));
    signals.fail("v0", new IOException("statfs"));
    for (int i = 0; i < 5; i++) {
      now += SECOND;
      assertThat(failure(names(1), 100)).hasMessage("statfs");
    }
  }

  @Test
  void choose_onlyVolumeCannotBeRead_failsEachTime() {
    signals.fail("v0", new IOException("statfs"));
    for (int i = 0; i < 5; i++) {
      assertThat(failure(names(1), 1)).hasMessage("statfs");
    }
  }

  @Test
  void watch_anotherDecides_countsWhereItWouldDiffer() {
    List<String> volumes = names(2);
    signals.users("v0", 9).users("v1", 0);
    tick();
    assertThat(group.watch(new Request<>(volumes, 1, 1), "v0", now)).isTrue();
    now += STEP;
    assertThat(group.watch(new Request<>(volumes, 1, 1), "v1", now)).isFalse();
    assertThat(view("v0").choices).isEqualTo(1);
    assertThat(view("v1").wouldHave).isEqualTo(2);
  }
}
