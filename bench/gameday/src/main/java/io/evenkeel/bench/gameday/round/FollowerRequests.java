package io.evenkeel.bench.gameday.round;

import io.evenkeel.bench.gameday.cluster.GameCluster;
import io.evenkeel.bench.gameday.history.Finding;
import io.evenkeel.bench.gameday.history.Finding.Kind;
import io.evenkeel.common.cli.CommandException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * Our mover's daemon as a process of its own, and a user who asks it for one file after the other.
 * As soon as it has taken a request it is killed and started anew: whatever was taken has to be
 * answered in the end. Only with our plugins; stock has no such thing. Used by one thread.
 *
 * <p>Apart from {@link Round} for its process.
 */
final class FollowerRequests {
  private static final String FILES = "/asked";
  private static final String SPOOL = "/spool";
  private static final String OUTPUT = "follower.out";
  private static final String PROGRAM = "io.evenkeel.mover.MoverTool";
  private static final Duration LONGEST = Duration.ofMinutes(20);
  private static final Duration TAKEN = Duration.ofSeconds(60);
  private static final long LOOK_MILLIS = 20;
  private static final int FILE_BYTES = 10_000;

  private final GameCluster cluster;
  private final DistributedFileSystem fs;
  private final List<String> taken = new ArrayList<>();
  private Thread daemon;
  private int files;

  FollowerRequests(GameCluster cluster, DistributedFileSystem fs) {
    this.cluster = cluster;
    this.fs = fs;
  }

  private void startDaemon() {
    daemon =
        new Thread(
            () -> {
              try {
                List<String> program =
                    List.of(
                        PROGRAM,
                        "-Devenkeel.mover.follow.spool=" + SPOOL,
                        "-Devenkeel.mover.follow.prefixes=/followed",
                        "-Devenkeel.mover.follow.instance=game",
                        "--follow");
                cluster.run(null, program, OUTPUT, LONGEST);
              } catch (CommandException e) {
                return; // killed, or the round is over
              }
            },
            "gameday-follower");
    daemon.setDaemon(true);
    daemon.start();
  }

  private void killDaemon() throws InterruptedException {
    ProcessHandle.current()
        .children()
        .filter(child -> child.info().commandLine().orElse("").contains(PROGRAM))
        .forEach(ProcessHandle::destroyForcibly);
    daemon.join();
  }

  /** One request, taken by a daemon that is killed then. */
  void once() throws IOException, InterruptedException {
    String name = "request-" + files++;
    String path = FILES + "/" + name;
    try (FSDataOutputStream out = fs.create(new Path(path))) {
      out.write(new byte[FILE_BYTES]);
    }
    fs.setStoragePolicy(new Path(path), "ALL_SSD");
    if (daemon == null || !daemon.isAlive()) {
      startDaemon();
    }
    Path request = new Path(SPOOL, name);
    Path partial = new Path(FILES, name + ".request");
    try (FSDataOutputStream out = fs.create(partial)) {
      out.write((path + "\n").getBytes(StandardCharsets.UTF_8));
    }
    if (await(() -> fs.exists(new Path(SPOOL)), TAKEN)
        && fs.rename(partial, request)
        && await(() -> !fs.exists(request), TAKEN)) {
      taken.add(name);
      killDaemon();
    } else {
      throw new IOException(
          "the mover's daemon did not take a request; see " + cluster.output(OUTPUT));
    }
  }

  /** What may take a while. */
  private interface Check {
    boolean holds() throws IOException;
  }

  private static boolean await(Check check, Duration limit)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    while (!check.holds()) {
      if (System.nanoTime() > deadline) {
        return false;
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
    return true;
  }

  /** Lets a daemon do what is left, ends it and says which requests have no answer. */
  List<Finding> finish(Duration limit) throws IOException, InterruptedException {
    if (!lost().isEmpty() && !daemon.isAlive()) {
      startDaemon();
    }
    await(() -> lost().isEmpty(), limit);
    List<Finding> findings = new ArrayList<>();
    for (String name : lost()) {
      String reason = "the mover's daemon took this request and has not answered it";
      findings.add(new Finding(Kind.NOT_CALM, SPOOL + "/" + name, "", reason));
    }
    if (daemon != null && daemon.isAlive()) {
      killDaemon();
    }
    return findings;
  }

  private List<String> lost() throws IOException {
    List<String> lost = new ArrayList<>();
    for (String name : taken) {
      if (!fs.exists(new Path(SPOOL, name + ".done"))) {
        lost.add(name);
      }
    }
    return lost;
  }
}
