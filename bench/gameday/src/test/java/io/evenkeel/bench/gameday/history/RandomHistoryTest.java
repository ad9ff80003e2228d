package io.evenkeel.bench.gameday.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.bench.gameday.history.Finding.Kind;
import io.evenkeel.bench.gameday.history.Operation.Append;
import io.evenkeel.bench.gameday.history.Operation.Close;
import io.evenkeel.bench.gameday.history.Operation.Concat;
import io.evenkeel.bench.gameday.history.Operation.Create;
import io.evenkeel.bench.gameday.history.Operation.Delete;
import io.evenkeel.bench.gameday.history.Operation.DeleteSnapshot;
import io.evenkeel.bench.gameday.history.Operation.Rename;
import io.evenkeel.bench.gameday.history.Operation.Snapshot;
import io.evenkeel.bench.gameday.history.Operation.Sync;
import io.evenkeel.bench.gameday.history.Operation.Truncate;
import io.evenkeel.bench.gameday.history.Operation.Write;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Histories from seeds beside a file system that is a map of arrays and that decides each doubt.
 */
@Tag("once")
class RandomHistoryTest {
  private static final int STEPS = 120;

  private final History history = new History(new Timeline(() -> 0, Runnable::run));
  private final Map<String, byte[]> files = new TreeMap<>();
  private final Set<String> ever = new TreeSet<>();
  private final Set<String> snapshots = new TreeSet<>();

  /** Paths that the test leaves alone until something is read of them. */
  private final Set<String> avoided = new HashSet<>();

  private Random random;
  private int names;

  static LongStream seeds() {
    return LongStream.rangeClosed(1, 300);
  }

  /** Does an operation, or leaves it in doubt and then does it or not. */
  private boolean run(Operation operation, Runnable effect) {
    History.Pending pending = history.begin("w", operation);
    boolean doubt = random.nextInt(8) == 0;
    if (!doubt || random.nextBoolean()) {
      effect.run();
    }
    if (!doubt) {
      pending.acknowledged();
      return true;
    }
    pending.inDoubt();
    avoided.addAll(pending.paths());
    return false;
  }

  private List<String> usable() {
    return files.keySet().stream()
        .filter(path -> !path.contains(".snapshot") && !avoided.contains(path))
        .toList();
  }

  private void step() {
    List<String> usable = usable();
    String path = usable.isEmpty() ? "" : usable.get(random.nextInt(usable.size()));
    int choice = random.nextInt(12);
    if (choice < 3 || path.isEmpty()) {
      create();
    } else if (choice < 5) {
      if (run(new Append(path), () -> {})) {
        writes(path);
      }
    } else if (choice < 6) {
      int old = files.get(path).length;
      int length = random.nextInt(old + 1);
      if (!run(new Truncate(path, length), () -> cut(path, length))) {
        cut(path, Math.min(files.get(path).length, length + random.nextInt(old - length + 1)));
      }
    } else if (choice < 7) {
      String target = newName();
      run(new Rename(path, target), () -> files.put(target, files.remove(path)));
    } else if (choice < 8) {
      run(new Delete(path), () -> files.remove(path));
    } else if (choice < 9) {
      concat(path, usable);
    } else if (choice < 10) {
      snapshot();
    } else {
      avoided.forEach(this::truth);
      avoided.clear();
    }
  }

  private void cut(String path, int length) {
    files.computeIfPresent(path, (p, bytes) -> Arrays.copyOf(bytes, length));
  }

  /** Sometimes a path that had a file before. */
  private String newName() {
    List<String> free = new ArrayList<>(ever);
    free.removeAll(files.keySet());
    free.removeAll(avoided);
    free.removeIf(path -> path.contains(".snapshot"));
    String name =
        free.isEmpty() || random.nextInt(3) > 0
            ? "/d/f" + ++names
            : free.get(random.nextInt(free.size()));
    ever.add(name);
    return name;
  }

  private void create() {
    String path = newName();
    if (run(new Create(path, 3, "HOT", ""), () -> files.put(path, new byte[0]))) {
      writes(path);
    }
  }

  private void writes(String path) {
    Content content = history.content(path);
    for (int i = random.nextInt(4); i >= 0; i--) {
      int old = files.get(path).length;
      int bytes = random.nextInt(40);
      Sync sync = Sync.values()[random.nextInt(3)];
      History.Pending pending = history.begin("w", new Write(path, bytes, sync));
      boolean doubt = random.nextInt(10) == 0;
      int written = old + (doubt ? random.nextInt(bytes + 1) : bytes);
      byte[] now = new byte[written];
      content.fill(0, now, 0, written);
      files.put(path, now);
      if (random.nextInt(4) == 0) {
        readBeside(path, random.nextInt(2) == 0 ? now : Arrays.copyOf(now, old));
      }
      if (doubt) {
        pending.inDoubt();
        avoided.add(path);
        return;
      }
      pending.acknowledged();
    }
    if (!run(new Close(path), () -> {})) {
      avoided.add(path);
    }
  }

  /** A reader may see a write in progress or not; what was acknowledged it has to see. */
  private void readBeside(String path, byte[] seen) {
    if (seen.length >= history.acknowledged(path)) {
      Reading reading = history.reading(path);
      reading.bytes(0, seen, 0, seen.length);
      assertThat(reading.whole(seen.length)).isEmpty();
    }
  }

  private void concat(String path, List<String> usable) {
    List<String> sources = new ArrayList<>(usable);
    sources.remove(path);
    Collections.shuffle(sources, random);
    List<String> few = List.copyOf(sources.subList(0, Math.min(2, sources.size())));
    if (!few.isEmpty()) {
      run(
          new Concat(path, few),
          () -> {
            for (String source : few) {
              byte[] from = files.remove(source);
              byte[] both = Arrays.copyOf(files.get(path), files.get(path).length + from.length);
              System.arraycopy(from, 0, both, both.length - from.length, from.length);
              files.put(path, both);
            }
          });
    }
  }

  private void snapshot() {
    avoided.forEach(this::truth);
    avoided.clear();
    if (snapshots.isEmpty() || random.nextBoolean()) {
      String name = "s" + ++names;
      run(
          new Snapshot("/d", name),
          () -> {
            for (String path : List.copyOf(files.keySet())) {
              if (!path.contains(".snapshot")) {
                String copy = "/d/.snapshot/" + name + path.substring(2);
                files.put(copy, files.get(path));
                ever.add(copy);
              }
            }
          });
      snapshots.add(name);
    } else {
      String name = snapshots.iterator().next();
      String below = "/d/.snapshot/" + name + "/";
      run(
          new DeleteSnapshot("/d", name),
          () -> files.keySet().removeIf(path -> path.startsWith(below)));
      snapshots.remove(name);
    }
    avoided.forEach(this::truth);
    avoided.clear();
  }

  /** Reads what there is and settles. */
  private void truth(String path) {
    Reading reading = history.settling(path);
    byte[] bytes = files.get(path);
    if (bytes == null) {
      reading.absent();
    } else {
      reading.bytes(0, bytes, 0, bytes.length);
      reading.whole(bytes.length);
    }
  }

  private void readEverything() {
    Set<String> all = new TreeSet<>(ever);
    all.addAll(files.keySet());
    all.addAll(history.present());
    List<String> order = new ArrayList<>(all);
    Collections.shuffle(order, random);
    order.forEach(this::truth);
  }

  private void play(long seed) {
    random = new Random(seed);
    for (int i = 0; i < STEPS; i++) {
      step();
    }
  }

  /** The files that have bytes, at least one, when all doubts are decided. */
  private List<String> withBytes() {
    List<String> present;
    do {
      step();
      readEverything();
      avoided.clear();
      present = new ArrayList<>(files.keySet());
      present.removeIf(path -> files.get(path).length == 0);
    } while (present.isEmpty());
    return present;
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void doubts_decidedEitherWay_areNoFinding(long seed) {
    play(seed);
    readEverything();
    assertThat(history.findings()).isEmpty();
    assertThat(history.doubtful()).isEmpty();
    assertThat(history.present()).containsExactlyElementsOf(files.keySet());
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void lies_planted_areFoundInTheirFileAlone(long seed) {
    play(seed);
    List<String> present = withBytes();
    String path = present.get(random.nextInt(present.size()));
    byte[] bytes = files.get(path).clone();
    int at = random.nextInt(bytes.length);
    Kind kind =
        switch (random.nextInt(5)) {
          case 0 -> {
            bytes[at] ^= (byte) (1 << random.nextInt(8));
            files.put(path, bytes);
            yield Kind.WRONG_BYTE;
          }
          case 1 -> {
            files.put(path, Arrays.copyOf(bytes, at));
            yield Kind.LOST_BYTES;
          }
          case 2 -> {
            files.remove(path);
            yield Kind.LOST_FILE;
          }
          case 3 -> {
            path = "/d/nobody";
            files.put(path, bytes);
            yield Kind.UNEXPECTED_FILE;
          }
          default -> {
            files.remove(path);
            history.begin("w", new Delete(path)).acknowledged();
            files.put(path, bytes);
            yield Kind.RESURRECTED_FILE;
          }
        };
    ever.add(path);
    readEverything();
    assertThat(history.findings()).extracting(Finding::kind).containsExactly(kind);
    assertThat(history.findings()).extracting(Finding::path).containsExactly(path);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void bytesOfAnEarlierGeneration_areFound(long seed) {
    play(seed);
    List<String> present = withBytes();
    present.removeIf(path -> path.contains(".snapshot"));
    if (present.isEmpty()) {
      present.add("/d/last");
      history.begin("w", new Create("/d/last", 3, "HOT", "")).acknowledged();
      files.put("/d/last", new byte[0]);
    }
    String path = present.get(random.nextInt(present.size()));
    byte[] stale = Arrays.copyOf(files.get(path), files.get(path).length + 16);
    history.content(path).fill(0, stale, 0, stale.length);
    int length = stale.length - 16;
    history.begin("w", new Append(path)).acknowledged();
    history.begin("w", new Write(path, 16, Sync.HFLUSH)).acknowledged();
    history.begin("w", new Close(path)).acknowledged();
    history.begin("w", new Truncate(path, length)).acknowledged();
    history.begin("w", new Append(path)).acknowledged();
    history.begin("w", new Write(path, 16, Sync.HFLUSH)).acknowledged();
    files.put(path, stale);
    truth(path);
    assertThat(history.findings()).extracting(Finding::kind).containsExactly(Kind.WRONG_BYTE);
  }
}
