package io.evenkeel.volume.signal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.common.testing.Await;
import io.evenkeel.volume.core.DeviceCounters;
import io.evenkeel.volume.core.GroupSettings;
import io.evenkeel.volume.core.Health;
import io.evenkeel.volume.core.Request;
import io.evenkeel.volume.core.Space;
import io.evenkeel.volume.core.SpaceProbes;
import io.evenkeel.volume.core.TrackedVolume;
import io.evenkeel.volume.core.VolumeGroup;
import io.evenkeel.volume.core.VolumeSignals;
import io.evenkeel.volume.core.VolumeTraits;
import io.evenkeel.volume.core.VolumeView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class WatchedProbesTest {
  private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long HOUR = TimeUnit.HOURS.toNanos(1);
  private static final long BLOCK = 100;

  private final List<Thread> threads = new CopyOnWriteArrayList<>();
  private final List<Disk> disks = new ArrayList<>();
  private final AtomicBoolean noThreads = new AtomicBoolean();
  private WatchedProbes<Disk> probes;
  private VolumeGroup<Disk> group;
  private long idleNanos;

  /** A file system that can be made to hang. */
  private static final class Disk {
    volatile long free = 1000;
    volatile CountDownLatch hang;
    volatile Throwable failure;
    volatile ThreadGroup askedIn;
    final AtomicInteger asked = new AtomicInteger();
    final AtomicInteger asking = new AtomicInteger();
    final AtomicInteger mostAsking = new AtomicInteger();

    Space space() throws IOException {
      asked.incrementAndGet();
      askedIn = Thread.currentThread().getThreadGroup();
      mostAsking.accumulateAndGet(asking.incrementAndGet(), Math::max);
      try {
        CountDownLatch latch = hang;
        if (latch != null) {
          latch.await();
        }
        if (failure instanceof Error e) {
          throw e;
        }
        return new Space(free, 10_000);
      } catch (InterruptedException e) {
        throw new IOException(e);
      } finally {
        asking.decrementAndGet();
      }
    }

    void hangs() {
      hang = new CountDownLatch(1);
    }

    void answers() {
      CountDownLatch latch = hang;
      hang = null;
      if (latch != null) {
        latch.countDown();
      }
    }
  }

  private static final VolumeSignals<Disk> SIGNALS =
      new VolumeSignals<>() {
        @Override
        public long references(Disk disk) {
          return UNKNOWN;
        }

        @Override
        public long unacknowledgedBytes(Disk disk) {
          return UNKNOWN;
        }

        @Override
        public DeviceCounters device(Disk disk) {
          return null;
        }

        @Override
        public Space space(Disk disk) throws IOException {
          return disk.space();
        }

        @Override
        public String describe(Disk disk) {
          return "";
        }
      };

  @AfterEach
  void everyThreadEnds() throws Exception {
    disks.forEach(Disk::answers);
    disks.clear();
    if (idleNanos < HOUR) {
      Await.until("threads have ended", () -> alive() == 0);
    }
  }

  private void start(int count, long patience, long idle) {
    idleNanos = idle;
    probes = new WatchedProbes<>(SIGNALS, this::newThread, patience, idle);
    group = new VolumeGroup<>(GroupSettings.defaults(), SIGNALS, probes, disk -> VolumeTraits.NONE);
    for (int i = 0; i < count; i++) {
      disks.add(new Disk());
    }
  }

  private Thread newThread(Runnable work) {
    if (noThreads.get()) {
      throw new OutOfMemoryError("test: unable to create native thread");
    }
    Thread thread = new Thread(work);
    thread.setDaemon(true);
    threads.add(thread);
    return thread;
  }

  private long alive() {
    return threads.stream().filter(Thread::isAlive).count();
  }

  private Disk choose() {
    return choose(group);
  }

  private Disk choose(VolumeGroup<Disk> from) {
    try {
      return from.choose(new Request<>(disks, BLOCK, BLOCK), System.nanoTime()).volume();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void tick() {
    group.tick(System.nanoTime());
  }

  private VolumeView view(Disk disk) {
    Map<Disk, VolumeView> views = new HashMap<>();
    group.view(views::put, System.nanoTime());
    return views.get(disk);
  }

  /** What the group hands to its probes. */
  private List<TrackedVolume<Disk>> tracked() {
    List<TrackedVolume<Disk>> all = new ArrayList<>();
    VolumeGroup<Disk> other =
        new VolumeGroup<>(
            GroupSettings.defaults(),
            SIGNALS,
            new SpaceProbes<>() {
              @Override
              public void request(VolumeGroup<Disk> g, TrackedVolume<Disk> volume) {}

              @Override
              public void refresh(VolumeGroup<Disk> g, List<TrackedVolume<Disk>> volumes) {
                all.addAll(volumes);
              }

              @Override
              public void watch() {}
            },
            disk -> VolumeTraits.NONE);
    choose(other);
    return all;
  }

  @Test
  void choose_neverAskedBefore_waitsForTheAnswers() {
    start(3, HOUR, 50 * MILLI);
    disks.get(0).free = 10;
    disks.get(2).free = 10;
    for (int i = 0; i < 5; i++) {
      assertThat(choose()).isSameAs(disks.get(1));
    }
    assertThat(threads).hasSize(1);
  }

  /**
   * The DataNode counts the threads of this group as its load, waits for them and interrupts them.
   */
  @Test
  void choose_onAThreadOfTheDataNode_asksOutsideOfItsThreadGroup() throws Exception {
    start(1, HOUR, 50 * MILLI);
    probes = new WatchedProbes<>(SIGNALS);
    group = new VolumeGroup<>(GroupSettings.defaults(), SIGNALS, probes, disk -> VolumeTraits.NONE);
    ThreadGroup xceivers = new ThreadGroup("dataXceiverServer");
    Thread xceiver = new Thread(xceivers, this::choose);
    xceiver.start();
    xceiver.join();
    assertThat(disks.get(0).asked).hasValue(1);
    assertThat(disks.get(0).askedIn).isNotSameAs(xceivers);
    assertThat(xceivers.activeCount()).isZero();
  }

  /** Slow to answer, not hung: what the volume is promised meanwhile must not be forgotten. */
  @Test
  void choose_answersComeTooLate_isNotPromisedMoreThanItHad() throws Exception {
    start(1, MILLI, 50 * MILLI);
    Disk disk = disks.get(0);
    disk.free = 10 * BLOCK;
    tick();
    Await.until("it is sampled", () -> choose() == disk && view(disk).available > 0);
    long promised = view(disk).choices;
    disk.hangs();
    tick();
    Await.until("it is asked", () -> disk.asking.get() == 1);
    while (promised < 100 && choose() == disk) {
      promised++;
    }
    assertThat(promised).isLessThanOrEqualTo(10 + 1);
  }

  @Test
  void fileSystemHangs_choosingAndSamplingGoOnAndOthersStayFresh() throws Exception {
    start(4, 30 * MILLI, 50 * MILLI);
    assertThat(choose()).isNotNull();
    Disk hung = disks.get(0);
    Await.until("the first question is answered", () -> view(hung).available > 0);
    hung.hangs();
    tick();
    Await.until("it hangs", () -> hung.asking.get() == 1);
    for (int round = 1; round <= 5; round++) {
      long free = 1000L + round;
      disks.subList(1, 4).forEach(disk -> disk.free = free);
      Await.until(
          "the others are fresh",
          () -> {
            tick();
            return disks.subList(1, 4).stream().allMatch(disk -> view(disk).available == free);
          });
      assertThat(choose()).isNotNull();
    }
    assertThat(hung.asked).as("besides the first question").hasValue(2);
    assertThat(alive()).isLessThanOrEqualTo(2);
  }

  @Test
  void fileSystemHangs_longEnough_isLastChoiceUntilItAnswers() throws Exception {
    start(3, 30 * MILLI, 50 * MILLI);
    choose();
    Disk hung = disks.get(0);
    hung.hangs();
    Await.until(
        "it counts as hung",
        () -> {
          tick();
          return view(hung).health == Health.HUNG;
        });
    for (int i = 0; i < 6; i++) {
      assertThat(choose()).isNotSameAs(hung);
    }
    hung.free = 777;
    hung.answers();
    Await.until("it is in use again", () -> view(hung).health == Health.IN_USE);
    Await.until(
        "it is asked again",
        () -> {
          tick();
          return view(hung).available == 777;
        });
    assertThat(hung.mostAsking).hasValue(1);
  }

  @Test
  void manyFileSystemsHang_eachHoldsOneThreadAndNoMore() throws Exception {
    start(6, 30 * MILLI, 50 * MILLI);
    choose();
    List<Disk> hung = disks.subList(0, 3);
    Await.until(
        "the first questions are answered",
        () -> hung.stream().allMatch(disk -> view(disk).available > 0));
    hung.forEach(Disk::hangs);
    int before = disks.get(5).asked.get();
    Await.until(
        "all three hang and hold a thread each, the others are asked by one",
        () -> {
          tick();
          probes.watch();
          // On a busy machine a disk that answers may hold one for a moment, too.
          assertThat(disks).allMatch(disk -> disk.asking.get() <= 1);
          return hung.stream().allMatch(d -> d.asking.get() == 1)
              && disks.get(5).asked.get() >= before + 20
              && alive() <= 4;
        });
    assertThat(hung).allSatisfy(disk -> assertThat(disk.asked).hasValue(2));
    hung.forEach(Disk::answers);
    Await.until("the threads they held end", () -> alive() <= 1);
    Await.until(
        "they are asked again",
        () -> {
          tick();
          return hung.stream().allMatch(d -> d.asked.get() >= 3);
        });
  }

  @Test
  void fileSystemHangs_nobodyAsks_watchingServesTheOthers() throws Exception {
    start(2, 30 * MILLI, 50 * MILLI);
    choose();
    disks.get(0).hangs();
    int before = disks.get(1).asked.get();
    tick();
    Await.until(
        "the other is asked",
        () -> {
          probes.watch();
          return disks.get(1).asked.get() > before;
        });
  }

  @Test
  void refresh_whileAQuestionIsUnderWay_waitsForALaterOneSharedByAll() throws Exception {
    start(3, HOUR, 50 * MILLI);
    List<TrackedVolume<Disk>> tracked = tracked();
    Disk first = disks.get(0);
    first.hangs();
    probes.request(group, tracked.get(0));
    Await.until("the first question is under way", () -> first.asking.get() == 1);
    List<Thread> callers = new ArrayList<>();
    List<Long> seen = new CopyOnWriteArrayList<>();
    for (int i = 0; i < 16; i++) {
      Thread caller =
          new Thread(
              () -> {
                probes.refresh(group, tracked);
                seen.add((long) first.asked.get());
              });
      caller.start();
      callers.add(caller);
    }
    Await.until(
        "all of them wait",
        () -> callers.stream().allMatch(c -> c.getState() == Thread.State.TIMED_WAITING));
    first.answers();
    for (Thread caller : callers) {
      caller.join();
    }
    assertThat(seen).hasSize(16).containsOnly(2L);
    assertThat(disks.get(1).asked).hasValue(1);
    assertThat(disks.get(2).asked).hasValue(1);
    assertThat(disks).allSatisfy(disk -> assertThat(disk.mostAsking).hasValue(1));
    assertThat(threads).hasSize(1);
  }

  @Test
  void choose_fullDataNodeAndManyThreads_sharesAnswers() throws Exception {
    start(4, HOUR, 50 * MILLI);
    disks.forEach(disk -> disk.free = 10);
    List<TrackedVolume<Disk>> tracked = tracked();
    disks.get(0).hangs();
    probes.request(group, tracked.get(0));
    Await.until("a question is under way", () -> disks.get(0).asking.get() == 1);
    List<Thread> callers = new ArrayList<>();
    AtomicInteger outOfSpace = new AtomicInteger();
    for (int i = 0; i < 16; i++) {
      Thread caller =
          new Thread(
              () -> {
                if (choose() == null) {
                  outOfSpace.incrementAndGet();
                }
              });
      caller.start();
      callers.add(caller);
    }
    Await.until(
        "all of them wait",
        () -> callers.stream().allMatch(c -> c.getState() == Thread.State.TIMED_WAITING));
    disks.get(0).answers();
    for (Thread caller : callers) {
      caller.join();
    }
    assertThat(outOfSpace).hasValue(16);
    // Each choice waits for three rounds of answers, 48 in all; the first round serves everybody.
    assertThat(disks.get(3).asked.get()).isBetween(3, 33);
    assertThat(disks).allSatisfy(disk -> assertThat(disk.mostAsking).hasValue(1));
  }

  @Test
  void refresh_fileSystemThatHangs_isNotWaitedForOnceKnown() {
    start(2, 1000 * MILLI, 50 * MILLI);
    List<TrackedVolume<Disk>> tracked = tracked();
    disks.get(0).hangs();
    probes.refresh(group, tracked); // ends, bounded
    assertThat(disks.get(0).asking).hasValue(1);
    for (int i = 1; i <= 3; i++) {
      int before = disks.get(1).asked.get();
      probes.refresh(group, tracked);
      assertThat(disks.get(1).asked.get()).isGreaterThan(before);
    }
    assertThat(disks.get(0).asked).hasValue(1);
  }

  @Test
  void refresh_interruptedThread_returnsAndStaysInterrupted() throws Exception {
    start(1, HOUR, 50 * MILLI);
    List<TrackedVolume<Disk>> tracked = tracked();
    disks.get(0).hangs();
    AtomicBoolean flag = new AtomicBoolean();
    Thread caller =
        new Thread(
            () -> {
              probes.refresh(group, tracked);
              flag.set(Thread.currentThread().isInterrupted());
            });
    caller.start();
    Await.until("it waits", () -> caller.getState() == Thread.State.TIMED_WAITING);
    caller.interrupt();
    caller.join();
    assertThat(flag).isTrue();
    Thread.currentThread().interrupt();
    probes.refresh(group, tracked);
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void choose_noThreadCanBeStarted_goesOnWithoutSpace() throws Exception {
    start(2, HOUR, 50 * MILLI);
    noThreads.set(true);
    assertThat(choose()).isNotNull();
    tick();
    assertThat(disks.get(0).asked).hasValue(0);
    noThreads.set(false);
    disks.get(0).free = 10;
    tick();
    Await.until("it is asked", () -> disks.get(1).asked.get() > 0 && view(disks.get(1)) != null);
    Await.until("it is known", () -> view(disks.get(0)).available == 0);
  }

  @Test
  void volumeThrowsAnError_countsAsFailingAndTheThreadLives() throws Exception {
    start(2, HOUR, 50 * MILLI);
    disks.get(0).failure = new LinkageError("test");
    List<TrackedVolume<Disk>> tracked = tracked();
    probes.refresh(group, tracked);
    assertThat(disks).allSatisfy(disk -> assertThat(disk.asked).hasValue(1));
    assertThatThrownBy(this::choose).hasRootCauseInstanceOf(LinkageError.class);
    assertThat(view(disks.get(0)).health).isEqualTo(Health.FAILING);
    assertThat(view(disks.get(1)).health).isEqualTo(Health.IN_USE);
    disks.get(0).failure = null;
    tick();
    Await.until("it is in use again", () -> view(disks.get(0)).health == Health.IN_USE);
  }

  @Test
  void idleThread_newQuestions_areAskedAtOnce() throws Exception {
    start(2, HOUR, HOUR);
    List<TrackedVolume<Disk>> tracked = tracked();
    for (int i = 1; i <= 3; i++) {
      probes.refresh(group, tracked);
      assertThat(disks.get(1).asked).hasValue(i);
      Await.until(
          "the thread is idle", () -> threads.get(0).getState() == Thread.State.TIMED_WAITING);
    }
    tracked.forEach(t -> probes.request(group, t));
    Await.until("both are asked", () -> disks.stream().allMatch(d -> d.asked.get() == 4));
    assertThat(threads).hasSize(1);
    endIdleThread();
  }

  private void endIdleThread() throws Exception {
    threads.get(0).interrupt();
    Await.until("the thread has ended", () -> alive() == 0);
  }

  @Test
  void idleThread_refersToNoVolumeOrGroup() throws Exception {
    start(2, HOUR, HOUR);
    choose();
    Await.until(
        "the thread is idle", () -> threads.get(0).getState() == Thread.State.TIMED_WAITING);
    WeakReference<Object> oldGroup = new WeakReference<>(group);
    WeakReference<Object> oldDisk = new WeakReference<>(disks.get(0));
    group = null;
    disks.clear();
    Await.untilCollected(oldGroup);
    Await.untilCollected(oldDisk);
    assertThat(alive()).isEqualTo(1);
    endIdleThread();
  }
}
