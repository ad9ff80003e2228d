package io.evenkeel.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.bench.cluster.MoverProcesses.Ended;
import io.evenkeel.bench.cluster.MoverProcesses.Launch;
import io.evenkeel.bench.cluster.MoverProcesses.Running;
import io.evenkeel.common.testing.Await;
import io.evenkeel.mover.core.follow.Journal;
import io.evenkeel.mover.core.follow.RequestKind;
import io.evenkeel.mover.core.follow.SegmentStore;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A million files asked for by a command, and as many requests as the daemon's queue takes, in
 * processes with a heap of 256 MiB.
 *
 * <p>The system property {@code evenkeel.mover.million} is how many at most.
 */
@Tag("slow")
@Timeout(value = 60, unit = TimeUnit.MINUTES)
class MoverMillionIT {
  private static final String HADOOP = System.getProperty("evenkeel.hadoop.version");
  private static final int REQUESTS = Integer.getInteger("evenkeel.mover.million", 1_000_000);
  private static final int QUEUED = Math.min(REQUESTS, 200_000);
  private static final int FILES = 1_000;
  private static final Duration LIMIT = Duration.ofMinutes(45);
  private static final Pattern HEAP_AFTER = Pattern.compile("->(\\d+)M\\(");

  @TempDir private Path temp;
  private MoverTestCluster cluster;

  @BeforeEach
  void start() throws IOException {
    cluster = MoverTestCluster.start(HADOOP, temp);
  }

  @AfterEach
  void endEverything() throws IOException {
    cluster.close();
  }

  @Test
  void command_millionLinesOnStandardInput_flatThreadsInASmallHeap() throws Exception {
    cluster.mkdirs("/d", "HOT");
    cluster.writeAll("/d", FILES, 1);
    cluster.fs().setStoragePolicy(MoverTestCluster.path("/d"), "ALL_SSD");
    Path lines = temp.resolve("lines");
    try (BufferedWriter out = Files.newBufferedWriter(lines)) {
      for (int i = 0; i < REQUESTS; i++) {
        out.write("/d/f" + i % FILES + "\n");
      }
    }
    long start = System.nanoTime();
    Running mover = cluster.movers().start(launch().input(lines), "-");
    Sampler sampler = new Sampler(mover);
    while (mover.process().isAlive()) {
      sampler.look();
      mover.process().waitFor(1, TimeUnit.SECONDS);
    }
    Ended ended = mover.await(LIMIT);
    System.out.printf(
        Locale.ROOT,
        "Hadoop %s: %d lines, exit %d after %.0f s, %s%n%s%n",
        HADOOP,
        REQUESTS,
        ended.code(),
        (System.nanoTime() - start) / 1e9,
        sampler,
        ended.out().indent(4));
    assertThat(ended.code()).as(ended.all()).isZero();
    assertThat(cluster.view("/d").ssd()).isEqualTo(FILES * MoverTestCluster.REPLICATION);
    sampler.check();
  }

  @Test
  void daemon_fullQueueInItsJournal_flatThreadsInASmallHeap() throws Exception {
    cluster.mkdirs("/hot", "ALL_SSD");
    cluster.mkdirs("/cold", "HOT");
    cluster.writeAll("/cold", FILES, 1);
    for (int i = 0; i < FILES; i++) {
      String name = "/f" + i;
      cluster
          .fs()
          .rename(MoverTestCluster.path("/cold" + name), MoverTestCluster.path("/hot" + name));
    }
    queue();
    Running daemon =
        cluster
            .movers()
            .start(
                launch(),
                "-Devenkeel.mover.follow.prefixes=/hot",
                "-Devenkeel.mover.follow.instance=a",
                "-Devenkeel.mover.follow.scan-interval=0s",
                "-Devenkeel.mover.follow.replicas-per-second=0",
                "--follow");
    MoverTestCluster.await(
        "active", Duration.ofMinutes(5), () -> text(daemon).contains(" is active: "));
    assertThat(text(daemon)).contains(" is active: " + QUEUED + " requests in the journal");
    long active = System.nanoTime();
    Sampler sampler = new Sampler(daemon);
    double moved = 0;
    double seconds = 0;
    while (seconds < 60 || (moved == 0 && seconds < 600)) {
      sampler.look();
      if (moved == 0 && cluster.view("/hot").ssd() == FILES * MoverTestCluster.REPLICATION) {
        moved = (System.nanoTime() - active) / 1e9;
      }
      Await.pause(1_000);
      seconds = (System.nanoTime() - active) / 1e9;
    }
    assertThat(daemon.process().isAlive()).as(() -> text(daemon)).isTrue();
    assertThat(text(daemon)).doesNotContain("OutOfMemoryError", "is not active:");
    daemon.process().destroy(); // in order: what is left stays in the journal
    daemon.process().waitFor();
    String left = leftInJournal();
    System.out.printf(
        Locale.ROOT,
        "Hadoop %s: daemon with %d requests and no limit of replicas: the %d files that exist are"
            + " moved after %.0f s; after %.0f s %s; %s%n",
        HADOOP,
        QUEUED,
        FILES,
        moved,
        seconds,
        left,
        sampler);
    assertThat(moved).as("existing files are moved").isPositive();
    sampler.check();
  }

  /** A restarted daemon says how many requests it found. */
  private String leftInJournal() throws Exception {
    Running again =
        cluster
            .movers()
            .start(
                launch(),
                "-Devenkeel.mover.follow.prefixes=/hot",
                "-Devenkeel.mover.follow.instance=a",
                "-Devenkeel.mover.follow.scan-interval=0s",
                "--follow");
    MoverTestCluster.await(
        "active again", Duration.ofMinutes(5), () -> text(again).contains(" is active: "));
    Matcher said = Pattern.compile("is active: (\\d+) requests").matcher(text(again));
    assertThat(said.find()).isTrue();
    assertThat(Integer.parseInt(said.group(1))).as("the queue goes down").isLessThan(QUEUED);
    again.kill();
    return said.group(1) + " are left";
  }

  /** Writes the journal that a daemon leaves which was killed with so many requests in it. */
  private void queue() throws IOException {
    FileSystem fs = cluster.fs();
    String epoch = "/system/evenkeel/mover/journal/epoch-0000000001";
    try (Journal journal = Journal.open(new OneSegment(fs, epoch), Long.MAX_VALUE, 0, List.of())) {
      for (int i = 0; i < QUEUED; i++) {
        String path = i < FILES ? "/hot/f" + i : String.format("/hot/table/region/store/%09d", i);
        journal.add(RequestKind.EVENT, path, 0, 0);
      }
      journal.sync();
    }
  }

  /** A segment written to HDFS once. */
  private static final class OneSegment implements SegmentStore {
    private static final String NAME = "segment-0000000001";

    private final FileSystem fs;
    private final String epoch;
    private FSDataOutputStream out;

    OneSegment(FileSystem fs, String epoch) {
      this.fs = fs;
      this.epoch = epoch;
    }

    @Override
    public List<String> fence() {
      return List.of();
    }

    @Override
    public Output create() throws IOException {
      out = fs.create(MoverTestCluster.path(epoch + "/" + NAME), false);
      return new Output() {
        @Override
        public void write(byte[] bytes) throws IOException {
          out.write(bytes);
        }

        @Override
        public void sync() throws IOException {
          out.hsync();
        }

        @Override
        public void publish(boolean keepFenced) {}
      };
    }

    @Override
    public void close() throws IOException {
      out.close();
    }

    @Override
    public InputStream open(String name) {
      throw new UnsupportedOperationException("only written");
    }
  }

  private Launch launch() {
    return Launch.PLAIN.jvm("-Xmx256m", "-Xlog:gc:file=" + gcLog(), cluster.verboseLog());
  }

  private Path gcLog() {
    return temp.resolve("gc.log");
  }

  private static String text(Running running) {
    try {
      return running.log();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Threads and heap over time. */
  private final class Sampler {
    private final Running running;
    private int looks;
    private int early;
    private int late;
    private long memory;

    Sampler(Running running) {
      this.running = running;
    }

    /** The first fifteen looks are the start; threads may only become more in it. */
    void look() {
      int threads = running.threads();
      if (++looks <= 15) {
        early = Math.max(early, threads);
      } else {
        late = Math.max(late, threads);
      }
      memory = Math.max(memory, running.mostMemory());
    }

    void check() throws IOException {
      assertThat(looks).as("long enough to tell").isGreaterThan(15);
      assertThat(late).as("threads later, %d at first", early).isLessThanOrEqualTo(early + 5);
      assertThat(heap()).as("MiB of heap after a collection").isBetween(1, 256);
    }

    private int heap() throws IOException {
      return Files.readAllLines(gcLog()).stream()
          .flatMap(line -> HEAP_AFTER.matcher(line).results())
          .mapToInt(found -> Integer.parseInt(found.group(1)))
          .max()
          .orElse(0);
    }

    @Override
    public String toString() {
      try {
        return String.format(
            "threads %d at first and %d later, heap after a collection at most %d MiB, process at"
                + " most %d MiB",
            early, late, heap(), memory);
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
