package io.evenkeel.bench.gameday.round;

import io.evenkeel.bench.gameday.cluster.GameCluster;
import io.evenkeel.bench.gameday.history.Finding;
import io.evenkeel.bench.gameday.history.Finding.Kind;
import io.evenkeel.bench.gameday.history.Timeline;
import io.evenkeel.common.cli.CommandException;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * TeraGen of Hadoop's examples on YARN, beside the load. Each percent of its progress is an
 * acknowledgement of the file {@link #DIRECTORY}, so that faults can wait for it. Afterwards its
 * rows are read and their checksum compared with the one that the job counted. Used once.
 *
 * <p>Apart from {@link Round} for its thread and its process.
 */
final class TeraGen {
  static final String DIRECTORY = "/teragen";

  private static final Duration LONGEST = Duration.ofMinutes(12);
  private static final int MAPS = 8;
  private static final int ROW_BYTES = 100;
  private static final long ROWS_OF_A_MEGABYTE = 10_000;
  private static final long LOOK_MILLIS = 500;
  private static final String OUTPUT = "teragen.out";
  private static final Pattern PROGRESS = Pattern.compile(" map (\\d+)% ");
  private static final Pattern CHECKSUM = Pattern.compile("CHECKSUM=(\\d+)");
  private static final String NAME = "teragen";

  private final GameCluster cluster;
  private final Timeline timeline;
  private final long rows;
  private final Thread thread = new Thread(this::run, "gameday-teragen");
  private volatile String failure = "did not end";

  TeraGen(GameCluster cluster, Timeline timeline, long megabytes) {
    this.cluster = cluster;
    this.timeline = timeline;
    this.rows = megabytes * ROWS_OF_A_MEGABYTE;
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  private void run() {
    timeline.begun(NAME);
    List<String> program =
        List.of(
            "examples", "teragen", "-Dmapreduce.job.maps=" + MAPS, Long.toString(rows), DIRECTORY);
    Thread progress = new Thread(this::follow, "gameday-teragen-progress");
    progress.setDaemon(true);
    progress.start();
    try {
      // The ResourceManager's configuration has it log its progress.
      int code = cluster.run("rm", program, OUTPUT, LONGEST);
      failure = code == 0 ? "" : "ended with " + code;
    } catch (CommandException e) {
      failure = String.valueOf(e.getMessage());
    } finally {
      timeline.ended(NAME);
    }
  }

  /** Has what waits for a percent begin. */
  private void follow() {
    try {
      while (thread.isAlive() && timeline.total(DIRECTORY) < 100) {
        long percent = lastOf(PROGRESS);
        while (timeline.total(DIRECTORY) < percent) {
          timeline.acknowledged(NAME, DIRECTORY);
        }
        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      }
    } catch (IOException | InterruptedException e) {
      failure = String.valueOf(e.getMessage());
    }
  }

  /** The last number of that kind which the job has printed; 0 when there is none. */
  private long lastOf(Pattern pattern) throws IOException {
    long last = 0;
    Path output = cluster.output(OUTPUT);
    if (Files.exists(output)) {
      for (String line : Files.readAllLines(output)) {
        Matcher matcher = pattern.matcher(line);
        if (matcher.find()) {
          last = Long.parseUnsignedLong(matcher.group(1));
        }
      }
    }
    return last;
  }

  boolean ended() {
    return !thread.isAlive();
  }

  /** Waits for its end and reads what it wrote. */
  List<Finding> finish(DistributedFileSystem fs) throws InterruptedException {
    thread.join(LONGEST.toMillis());
    if (!failure.isEmpty()) {
      return List.of(new Finding(Kind.NOT_CALM, DIRECTORY, "", "TeraGen " + failure));
    }
    List<Finding> findings = new ArrayList<>();
    try {
      long read = 0;
      long sum = 0;
      for (FileStatus file : fs.listStatus(new org.apache.hadoop.fs.Path(DIRECTORY))) {
        if (file.getPath().getName().startsWith("part-")) {
          long rowsOfFile = file.getLen() / ROW_BYTES;
          read += rowsOfFile;
          sum += checksum(fs, file, rowsOfFile);
        }
      }
      if (read != rows) {
        String reason = read + " of " + rows + " rows are there";
        findings.add(new Finding(Kind.LOST_BYTES, DIRECTORY, "", reason));
      } else if (sum != lastOf(CHECKSUM)) {
        String reason = "the rows have another checksum than the job counted";
        findings.add(new Finding(Kind.WRONG_BYTE, DIRECTORY, "", reason));
      }
    } catch (IOException e) {
      findings.add(new Finding(Kind.UNREADABLE, DIRECTORY, "", String.valueOf(e.getMessage())));
    }
    return findings;
  }

  /** The sum of the rows' checksums, as the job adds them up. */
  private static long checksum(DistributedFileSystem fs, FileStatus file, long rows)
      throws IOException {
    byte[] row = new byte[ROW_BYTES];
    CRC32 crc = new CRC32();
    long sum = 0;
    try (DataInputStream in = fs.open(file.getPath())) {
      for (long i = 0; i < rows; i++) {
        in.readFully(row);
        crc.reset();
        crc.update(row);
        sum += crc.getValue();
      }
    }
    return sum;
  }
}
