package io.evenkeel.volume.core;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Every interleaving that Lincheck finds of a few operations on the shared state must equal some
 * order of the same operations one after the other.
 */
@Tag("once")
class LinearizabilityIT {
  private static void check(Class<?> operations) {
    new ModelCheckingOptions()
        .iterations(3)
        .invocationsPerIteration(60)
        .threads(2)
        .actorsPerThread(2)
        .actorsBefore(1)
        .actorsAfter(1)
        .check(operations);
  }

  @Test
  void group_chooseAndSample_areAtomic() {
    check(Choosing.class);
  }

  @Test
  @Tag("slow") // half a minute of processor time for a guard that rarely changes
  void group_probeIsDue_oneOfTheChoosersSendsIt() {
    check(Probing.class);
  }

  @Test
  @Tag("slow") // half a minute of processor time for a guard that rarely changes
  void group_spaceProbes_oneAtATimeAndNoPromiseIsLost() {
    check(Sampling.class);
  }

  /**
   * Two volumes of weight 1 and 2 that were chosen from before: a choice that meets a volume for
   * the first time takes note of it, asks for its space and only then chooses, in steps of their
   * own.
   */
  public static class Choosing {
    private final FakeSignals signals = new FakeSignals();
    private final List<String> volumes = List.of("a", "b");
    private final VolumeGroup<String> group =
        new VolumeGroup<>(
            GroupSettings.defaults(),
            signals,
            new InlineProbes<>(signals, () -> 0),
            v -> v.equals("a") ? VolumeTraits.NONE : new VolumeTraits("fast", 2, 1));

    /** Both volumes are known and sampled. */
    public Choosing() throws IOException {
      group.choose(new Request<>(volumes, 1, 1), 0);
    }

    /** Chooses among both. */
    @Operation
    public String choose() throws IOException {
      return group.choose(new Request<>(volumes, 1, 1), 0).volume();
    }

    /** Chooses among one. */
    @Operation
    public String chooseSecond() throws IOException {
      return group.choose(new Request<>(volumes.subList(1, 2), 1, 1), 0).volume();
    }

    /** How often each was chosen. */
    @Operation
    public String choices() {
      long[] counts = new long[2];
      group.view((v, view) -> counts[volumes.indexOf(v)] = view.choices, 0);
      return counts[0] + " " + counts[1];
    }
  }

  /** Four volumes, of which one is ejected and due for its probe. */
  public static class Probing {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final FakeSignals signals = new FakeSignals();
    private final List<String> volumes = List.of("slow", "b", "c", "d");
    private final VolumeGroup<String> group =
        new VolumeGroup<>(
            GroupSettings.defaults(),
            signals,
            new InlineProbes<>(signals, () -> 0),
            v -> VolumeTraits.NONE);
    private final long due;

    /** Ejects the slow volume and waits until its probe is due. */
    public Probing() throws IOException {
      long now = 0;
      for (int i = 0; i < volumes.size(); i++) {
        group.choose(new Request<>(volumes, 1, 1), 0);
      }
      for (int second = 1; second <= 20; second++) {
        now = second * SECOND;
        for (String v : volumes) {
          if (v.equals("slow") && second > 8) {
            signals.deviceOf(v).idle();
          } else {
            signals.deviceOf(v).writes(10, v.equals("slow") ? 900 : 30);
          }
        }
        group.tick(now);
      }
      due = now;
    }

    /** Whether the choice went to the slow volume. */
    @Operation
    public boolean chooseIsProbe() throws IOException {
      return group.choose(new Request<>(volumes, 1, 1), due).volume().equals("slow");
    }
  }

  /** One volume whose free space is asked for while blocks are promised. */
  public static class Sampling {
    private final TrackedVolume<?>[] found = new TrackedVolume<?>[1];
    private final VolumeGroup<String> group =
        new VolumeGroup<>(
            GroupSettings.defaults(),
            new FakeSignals(),
            new Remembering(found),
            v -> VolumeTraits.NONE);
    private final TrackedVolume<String> tracked;

    /** The volume is known and sampled. */
    public Sampling() throws IOException {
      group.choose(new Request<>(List.of("a"), 10, 10), 0);
      @SuppressWarnings("unchecked")
      TrackedVolume<String> one = (TrackedVolume<String>) found[0];
      tracked = one;
      begin();
      found();
    }

    /** A probe wants to begin. */
    @Operation
    public boolean begin() {
      return group.probeBegins(tracked, 0);
    }

    /** It has its answer. */
    @Operation
    public void found() {
      group.probeFound(tracked, new Space(500, 1000), 0);
    }

    /** A block is promised. */
    @Operation
    public String choose() throws IOException {
      return group.choose(new Request<>(List.of("a"), 10, 10), 0).volume();
    }

    /** What is left. */
    @Operation
    public long available() {
      long[] left = new long[1];
      group.view((v, view) -> left[0] = view.available, 0);
      return left[0];
    }
  }

  /** Asks nobody, and remembers what it was to ask. */
  private static final class Remembering implements SpaceProbes<String> {
    private final TrackedVolume<?>[] found;

    Remembering(TrackedVolume<?>[] found) {
      this.found = found;
    }

    @Override
    public void request(VolumeGroup<String> group, TrackedVolume<String> volume) {
      found[0] = volume;
    }

    @Override
    public void refresh(VolumeGroup<String> group, List<TrackedVolume<String>> volumes) {
      found[0] = volumes.get(0);
    }

    @Override
    public void watch() {}
  }
}
