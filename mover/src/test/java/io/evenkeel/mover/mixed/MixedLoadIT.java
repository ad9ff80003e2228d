package io.evenkeel.mover.mixed;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import io.evenkeel.mover.FileMover;
import io.evenkeel.mover.request.FileReport;
import io.evenkeel.mover.request.MoveReport;
import io.evenkeel.mover.request.MoveRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Everything at once: writers that append, flush, truncate, take snapshots, rename and delete in
 * directories of different policies, the Balancer, DataNodes that leave, die and come back and of
 * which none has all storage types, NameNodes that change over, and two movers of which one is
 * killed again and again. In the end every byte is what was acknowledged, every block has its
 * replicas, and no file is unsatisfied.
 *
 * <p>{@code -Devenkeel.mover.mixed.minutes} is how long it takes until then, {@code
 * -Devenkeel.mover.mixed.seed} fixes what is done, though not what comes of it. {@code
 * -Devenkeel.mover.mixed.kind} is plain, erasure-coded-root, maintenance or full-tier.
 */
@Tag("slow")
@Timeout(value = 4, unit = TimeUnit.HOURS)
class MixedLoadIT {
  private static final long MINUTES = Long.getLong("evenkeel.mover.mixed.minutes", 2);
  private static final long SEED =
      Long.getLong("evenkeel.mover.mixed.seed", System.currentTimeMillis());
  private static final Kind KIND = Kind.ofThisRun();
  private static final int REGIONS = 3;
  private static final long PHASE_SECONDS = 30;
  private static final long SNAPSHOT_SECONDS = 120;
  private static final Duration LIMIT = Duration.ofMinutes(10);

  private final Tally tally = new Tally();
  private final List<Region> regions = new ArrayList<>();
  private final List<Worker> workers = new ArrayList<>();
  private MixedStand stand;
  private DistributedFileSystem fs;
  private Weather weather;

  @Test
  void everythingAtOnce_everyByteEqual_replicationExact_noFileUnsatisfied(@TempDir Path dir)
      throws Exception {
    System.out.printf(
        "mixed load: Hadoop %s, %s, %d minutes, seed %d%n",
        System.getProperty("evenkeel.hadoop.version"), KIND, MINUTES, SEED);
    try (MixedStand started = MixedStand.start(dir, KIND)) {
      stand = started;
      fs = stand.newClient();
      boolean striping = KIND == Kind.ERASURE_CODED_ROOT;
      if (striping) {
        StripedFiles.enable(fs, "/hb");
      }
      Region.makeDirectories(fs, REGIONS);
      if (striping) {
        Region.stripe(fs, REGIONS - 1);
      }
      weather = new Weather(stand, KIND, SEED, tally);
      try (Movers movers = new Movers(stand, SEED, tally)) {
        Probe probe = new Probe(stand.newClient(), movers, weather, tally);
        try {
          run(movers, probe);
          comeToRest(movers);
          check(movers);
        } catch (Exception | AssertionError e) {
          System.out.println("open files:\n" + OpenFiles.of(fs, stand.dataNodes()));
          throw e;
        } finally {
          System.out.println(probe.table());
          System.out.println(tally);
          System.out.println(movers.printed());
        }
      }
    }
  }

  private void run(Movers movers, Probe probe) throws Exception {
    movers.start();
    for (int r = 0; r < REGIONS; r++) {
      boolean striped = KIND == Kind.ERASURE_CODED_ROOT && r == REGIONS - 1;
      Store store =
          new Store(
              stand.newClient(),
              tally,
              path -> OpenFiles.isCutInPart(fs, stand.dataNodes(), path),
              striped);
      Region region = new Region(r, striped, SEED + r, store);
      regions.add(region);
      workers.add(Worker.start("region " + r, region::step));
    }
    workers.add(Worker.start("weather", weather::step));
    workers.add(Worker.start("Balancer", new BalancerRuns(stand.clientConf(), tally)::step));
    Worker probing = Worker.start("probe", probe::step);
    workers.add(probing);
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(MINUTES);
    long phase = System.nanoTime();
    while (System.nanoTime() < end) {
      Worker.pause(500);
      workers.forEach(Worker::check);
      movers.check();
      if (System.nanoTime() - phase > TimeUnit.SECONDS.toNanos(PHASE_SECONDS)) {
        movers.pause(!movers.isPaused());
        phase = System.nanoTime();
      }
    }
    workers.forEach(Worker::tellToEnd);
    for (Worker worker : workers) {
      worker.end(LIMIT);
    }
    probe.end();
  }

  private void comeToRest(Movers movers) throws Exception {
    weather.clear();
    for (Region region : regions) {
      region.close();
    }
    // A Balancer whose NameNode failed in its last call ends without closing this, and its client
    // in this JVM renews the lease.
    fs.delete(new org.apache.hadoop.fs.Path("/system/balancer.id"), false);
    // a replica whose deletion its DataNode refused, since the block was appended meanwhile, is
    // forgotten by stock's NameNode until it becomes active the next time
    stand.failOver();
    movers.finish();
    assertThat(movers.haveMovedBetween()).as("replicas went to other DataNodes").isTrue();
    Await.until("exact", LIMIT, this::isExact, this::account);
  }

  /** What the NameNode still means to do. */
  private String account() {
    BlockManager blocks = stand.activeNames().getBlockManager();
    return String.format(
        "%d low, %d pending, %d to delete, %d postponed, %d corrupt; files %s",
        blocks.getLowRedundancyBlocksCount(),
        blocks.getPendingReconstructionBlocksCount(),
        blocks.getPendingDeletionBlocksCount(),
        blocks.getPostponedMisreplicatedBlocksCount(),
        blocks.getCorruptReplicaBlocksCount(),
        inexact());
  }

  private boolean isExact() {
    return account().equals("0 low, 0 pending, 0 to delete, 0 postponed, 0 corrupt; files []");
  }

  private List<String> inexact() {
    List<String> inexact = new ArrayList<>();
    try {
      for (LocatedFileStatus file :
          Listing.files(fs, new org.apache.hadoop.fs.Path("/")).values()) {
        for (BlockLocation block : file.getBlockLocations()) {
          if (block.isCorrupt()
              || block.getStorageTypes().length != StripedFiles.width(file, block)) {
            inexact.add(file.getPath() + Arrays.toString(block.getStorageTypes()));
          }
        }
      }
    } catch (IOException e) {
      inexact.add(e.toString());
    }
    return inexact;
  }

  private void check(Movers movers) throws Exception {
    MoveReport left =
        movers.mover().move(MoveRequest.of("/").dryRun(true).build()).get(10, TimeUnit.MINUTES);
    tally.count("at the end", "files", left.fileCount());
    unsatisfied(left).forEach(file -> System.out.println("left by the daemon: " + file));
    tally.count("at the end", "files that the daemon left", unsatisfied(left).size());
    MoveReport report = movers.mover().move(MoveRequest.of("/").build()).get(10, TimeUnit.MINUTES);
    assertThat(unsatisfied(report)).isEmpty();
    assertThat(report.isSatisfied()).isTrue();
    SoftAssertions all = new SoftAssertions(); // one region that is wrong leaves the others
    for (Region region : regions) {
      all.assertThatCode(region::check).doesNotThrowAnyException();
    }
    all.assertAll();
    moveSnapshots(movers.mover());
    Await.until("exact", LIMIT, this::isExact, this::account);
    String fsck = stand.fsck("/", "-includeSnapshots");
    System.out.println(fsck);
    assertThat(fsck)
        .contains("Status: HEALTHY")
        .containsPattern("Over-replicated blocks:\\s+0 ")
        .containsPattern("Under-replicated blocks:\\s+0 ")
        .containsPattern("Mis-replicated blocks:\\s+0 ");
  }

  /**
   * Cancelled when it takes long: a file of a snapshot that was renamed below another policy is
   * asked for on two types. Of a replica that was brought to another DataNode for the snapshot the
   * NameNode, which goes by the file, deletes the new copy, and the mover tries again many times.
   */
  private void moveSnapshots(FileMover mover) throws Exception {
    CompletableFuture<MoveReport> future =
        mover.move(MoveRequest.of("/hb").snapshots(true).build());
    try {
      MoveReport report = future.get(SNAPSHOT_SECONDS, TimeUnit.SECONDS);
      unsatisfied(report).forEach(file -> System.out.println("with snapshots: " + file));
      tally.count("at the end", "moves with snapshots ended");
    } catch (TimeoutException e) {
      assertThat(future.cancel(true)).isTrue();
      tally.count("at the end", "moves with snapshots cancelled");
    }
  }

  private static List<FileReport> unsatisfied(MoveReport report) {
    Predicate<FileReport> satisfied = file -> file.outcome().isSatisfied();
    return report.listed().stream().filter(satisfied.negate()).toList();
  }
}
