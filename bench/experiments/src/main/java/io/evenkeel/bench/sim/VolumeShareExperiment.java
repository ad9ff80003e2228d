package io.evenkeel.bench.sim;

import io.evenkeel.bench.experiment.Comparison;
import io.evenkeel.bench.experiment.Experiment;
import io.evenkeel.bench.experiment.Problem;
import io.evenkeel.bench.experiment.RunSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/**
 * How evenly a policy fills the volumes of each storage type on a DataNode that has several
 * (HDFS-9608), over every mix of 1 to 8 SSD, 1 to 8 DISK and 1 to 8 RAM_DISK volumes and three
 * orders of requests. No queueing: every volume is idle and has room.
 */
public final class VolumeShareExperiment implements Experiment {
  private static final int MOST = 8;
  private static final int CHOICES = 5040;
  private static final int QUICK_CHOICES = 840;
  private static final long BLOCK = 128L << 20;
  private static final double EVEN = 1.05;

  /** Order in which types are asked for; all but the random one repeat themselves. */
  enum Pattern {
    IN_TURN("012"),
    TWICE_DISK("0112"),
    RANDOM("");

    private final String cycle;

    Pattern(String cycle) {
      this.cycle = cycle;
    }

    int type(int request, Random random) {
      return cycle.isEmpty() ? random.nextInt(3) : cycle.charAt(request % cycle.length()) - '0';
    }
  }

  private static final String IDLE = "mixes with a volume never used";

  @Override
  public String name() {
    return "volume.share";
  }

  @Override
  public String description() {
    return "share of each volume, 512 mixes of SSD, DISK and RAM_DISK x 3 request patterns";
  }

  @Override
  public List<Problem> problems() {
    return List.of(
        Problem.less("Cases with an unused volume, of 1536 (HDFS-9608, Hadoop 2.7)", IDLE));
  }

  @Override
  public List<Comparison> run(RunSettings settings) throws IOException {
    int choices = settings.quick() ? QUICK_CHOICES : CHOICES;
    Tally stock = tally(VolumePolicy.STOCK, choices, settings.seed());
    Tally ours = tally(VolumePolicy.EVENKEEL, choices, settings.seed());
    Tally latencyAware = tally(VolumePolicy.LATENCY_AWARE_IDLE, choices, settings.seed());
    List<Comparison> rows = new ArrayList<>(rows("", stock, ours));
    rows.addAll(rows(", latency-aware", stock, latencyAware));
    return rows;
  }

  private static List<Comparison> rows(String which, Tally stock, Tally ours) {
    String uneven = "mixes with max/mean above " + EVEN;
    return List.of(
        Comparison.counted("mixes simulated" + which, "mixes", stock.mixes, ours.mixes),
        Comparison.counted(uneven + which, "mixes", stock.uneven, ours.uneven),
        Comparison.counted(IDLE + which, "mixes", stock.idle, ours.idle),
        Comparison.counted("volumes never used" + which, "volumes", stock.unused, ours.unused),
        Comparison.counted("worst max/mean of a type" + which, "", stock.worst, ours.worst));
  }

  /** Runs every mix through fresh instances of one policy. */
  static Tally tally(String policy, int choices, long seed) throws IOException {
    Tally tally = new Tally();
    for (int ssd = 1; ssd <= MOST; ssd++) {
      for (int disk = 1; disk <= MOST; disk++) {
        for (int ram = 1; ram <= MOST; ram++) {
          List<List<FsVolumeSpi>> volumes =
              List.of(
                  StubVolume.roomy(StorageType.SSD, ssd),
                  StubVolume.roomy(StorageType.DISK, disk),
                  StubVolume.roomy(StorageType.RAM_DISK, ram));
          for (Pattern pattern : Pattern.values()) {
            int[] requests = requests(pattern, choices, seed);
            tally.add(counts(VolumePolicy.of(policy), volumes, requests));
          }
        }
      }
    }
    return tally;
  }

  /** The storage type of each request: 0 SSD, 1 DISK, 2 RAM_DISK. */
  private static int[] requests(Pattern pattern, int choices, long seed) {
    Random random = new Random(seed);
    int[] types = new int[choices];
    Arrays.setAll(types, i -> pattern.type(i, random));
    return types;
  }

  /** How often each volume was chosen, by type. */
  private static long[][] counts(
      VolumePolicy policy, List<List<FsVolumeSpi>> volumes, int[] requests) throws IOException {
    Map<FsVolumeSpi, long[]> chosen = new HashMap<>();
    volumes.forEach(type -> type.forEach(v -> chosen.put(v, new long[1])));
    for (int type : requests) {
      chosen.get(policy.choose(volumes.get(type), BLOCK))[0]++;
    }
    long[][] counts = new long[volumes.size()][];
    for (int t = 0; t < counts.length; t++) {
      counts[t] = volumes.get(t).stream().mapToLong(v -> chosen.get(v)[0]).toArray();
    }
    return counts;
  }

  /** What was seen over all mixes; confined to one thread. */
  static final class Tally {
    int mixes;
    int uneven;
    int idle;
    int unused;
    double worst = 1;

    void add(long[][] countsByType) {
      double worstHere = 1;
      int unusedHere = 0;
      for (long[] counts : countsByType) {
        long sum = 0;
        long max = 0;
        for (long count : counts) {
          sum += count;
          max = Math.max(max, count);
          unusedHere += count == 0 ? 1 : 0;
        }
        worstHere = Math.max(worstHere, max * (double) counts.length / sum);
      }
      mixes++;
      uneven += worstHere > EVEN ? 1 : 0;
      idle += unusedHere > 0 ? 1 : 0;
      unused += unusedHere;
      worst = Math.max(worst, worstHere);
    }
  }
}
