package io.evenkeel.volume.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The first of eight volumes can tell its space and fails every block that is sent there. */
class ArrivalsTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final int VOLUMES = 8;

  private final FakeSignals signals = new FakeSignals();
  private final List<String> volumes = new ArrayList<>();
  private final int[] sent = new int[VOLUMES];
  private long now = 7 * SECOND;
  private VolumeGroup<String> group;

  private void start(GroupSettings settings, int usersOfOthers) {
    group =
        new VolumeGroup<>(
            settings, signals, new InlineProbes<>(signals, () -> now), v -> VolumeTraits.NONE);
    for (int i = 0; i < VOLUMES; i++) {
      String volume = ("v" + i).intern();
      volumes.add(volume);
      // one user is always there
      signals.users(volume, i == 0 ? 1 : 1 + usersOfOthers).unacknowledged(volume, 0);
      signals.space(volume, 1L << 41, 1L << 42).blocks(volume, 1000);
    }
  }

  /** A block each 50 ms; what the others get arrives. */
  private void send(int seconds, boolean firstTakesNone) throws Exception {
    for (int i = 0; i < 20 * seconds; i++) {
      now += SECOND / 20;
      String volume = group.choose(new Request<>(volumes, 1 << 27, 1 << 27), now).volume();
      int number = volumes.indexOf(volume);
      sent[number]++;
      if (number > 0 || !firstTakesNone) {
        signals.blocks(volume, signals.blocks(volume) + 1);
      }
      if (i % 20 == 0) {
        volumes.forEach(v -> signals.deviceOf(v).writes(200, 5).busy(100).bytes(1e6).idle());
        group.tick(now);
      }
    }
  }

  private int sentInAll() {
    int all = 0;
    for (int count : sent) {
      all += count;
    }
    return all;
  }

  /** By turns, as with stock, it would fail one of eight. */
  @ParameterizedTest
  @CsvSource({"0, off", "1, off", "3, off", "0, even", "1, even", "3, even"})
  void choose_oneFailsAllAtOnce_getsNoMoreThanByTurns(int usersOfOthers, String fill)
      throws Exception {
    boolean even = fill.equals("even");
    start(new GroupSettings.Builder().fillsEvenly(even).build(), usersOfOthers);
    if (even) {
      signals.space("v0", 1L << 42, 1L << 42); // the emptiest
    }
    send(60, true);
    assertThat(sent[0]).as("of %s", sentInAll()).isLessThan(sentInAll() / VOLUMES + 10);
  }

  @Test
  void choose_itTakesBlocksAgain_getsItsShareAgain() throws Exception {
    start(GroupSettings.defaults(), 3);
    send(20, true);
    int before = sent[0];
    send(30, false);
    assertThat(sent[0] - before).as("the one nobody uses").isGreaterThan(300);
  }

  @Test
  void view_oneFailsAllAtOnce_saysSo() throws Exception {
    start(GroupSettings.defaults(), 3);
    send(2, true);
    List<String> reasons = new ArrayList<>();
    group.view((volume, view) -> reasons.add(volume + ": " + view.reason), now);
    assertThat(reasons.get(0)).matches("v0: the latest \\d+ blocks sent there did not arrive");
    assertThat(reasons.subList(1, VOLUMES)).allMatch(reason -> reason.endsWith(": "));
  }

  /** All are well; old blocks are deleted faster than new ones come, or each new one at once. */
  @ParameterizedTest
  @CsvSource({"2", "3", "0"})
  void view_blocksAreDeleted_saysNothing(int deletedFirst) throws Exception {
    start(GroupSettings.defaults(), 1);
    List<String> said = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      now += SECOND / 20;
      String volume = group.choose(new Request<>(volumes, 1 << 27, 1 << 27), now).volume();
      signals.blocks(volume, signals.blocks(volume) + (deletedFirst == 0 ? 0 : 1 - deletedFirst));
      if (deletedFirst > 0) {
        group.view((v, view) -> said.add(view.reason), now);
      }
    }
    now += 11 * SECOND;
    group.view((v, view) -> said.add(view.reason), now);
    assertThat(said).containsOnly("");
  }

  /** Blocks are deleted as fast as they come, so their number tells nothing: it is no worse. */
  @Test
  void choose_allKeepTheirNumberOfBlocks_takeTurns() throws Exception {
    start(GroupSettings.defaults(), 1);
    for (int i = 0; i < 800; i++) {
      now += SECOND / 20;
      sent[volumes.indexOf(group.choose(new Request<>(volumes, 1 << 27, 1 << 27), now).volume())]++;
      signals.users("v0", 2);
    }
    assertThat(sent).as("by turns").containsOnly(100);
  }
}
