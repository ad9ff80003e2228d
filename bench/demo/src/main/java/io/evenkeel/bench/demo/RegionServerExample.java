package io.evenkeel.bench.demo;

import io.evenkeel.bench.demo.RegionServerFiles.Directory;
import io.evenkeel.bench.demo.RegionServerFiles.Renames;
import io.evenkeel.bench.demo.RegionServerFiles.Step;
import io.evenkeel.mover.FileMover;
import io.evenkeel.mover.follow.Follower;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;

/**
 * A region server's files on the HDFS of {@code fs.defaultFS}, as an example of a storage policy
 * for each directory and of plain renames, as HBase makes them, that the daemon follows; it runs in
 * this process:
 *
 * <pre>{@code
 * java -cp "cli/evenkeel-bench-demo.jar:lib/evenkeel-mover-VERSION.jar:$(hadoop classpath)" \
 *   io.evenkeel.bench.demo.RegionServerExample /hbase-example
 * }</pre>
 *
 * <p>Writes some MB below the directory it is given, which must not exist, and removes them. Needs
 * DataNodes with DISK, SSD and ARCHIVE, and the rights of the HDFS superuser.
 */
public final class RegionServerExample {
  private static final int STORE_FILE_BYTES = 4 << 20;
  private static final int FLUSHES = 3;
  private static final String FOLLOW = "evenkeel.mover.follow.";
  private static final long LIMIT_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final long LOOK_MILLIS = 10;

  private final RegionServerFiles files;
  private final PrintStream out;

  private RegionServerExample(RegionServerFiles files, PrintStream out) {
    this.files = files;
    this.out = out;
  }

  /** Takes the directory to use. */
  public static void main(String[] args) throws IOException, InterruptedException {
    if (args.length != 1 || !args[0].startsWith("/")) {
      System.err.println("evenkeel: name one absolute directory that does not exist yet");
      System.exit(2);
    }
    run(new HdfsConfiguration(), new Path(args[0]), System.out);
  }

  /**
   * Lives once and removes its files.
   *
   * @throws IOException when HDFS refuses or the directory exists
   */
  static void run(Configuration conf, Path root, PrintStream out)
      throws IOException, InterruptedException {
    try (FileSystem any = FileSystem.newInstance(conf)) {
      if (!(any instanceof DistributedFileSystem fs)) {
        throw new IOException(any.getUri() + " is not an HDFS");
      }
      if (fs.exists(root)) {
        throw new IOException(root + " exists; name a directory that does not");
      }
      RegionServerFiles files = new RegionServerFiles(fs, root, STORE_FILE_BYTES);
      RegionServerExample example = new RegionServerExample(files, out);
      try {
        files.prepare();
        Configuration own = example.daemon(conf, root);
        try (FileMover mover = FileMover.open(own);
            Follower follower = Follower.open(own, mover::move)) {
          follower.start();
          long start = System.nanoTime();
          while (!follower.status().getState().equals("active")
              && System.nanoTime() - start < LIMIT_NANOS) {
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
          }
          example.run(RegionServerFiles.plain(fs));
        }
      } finally {
        fs.delete(root, true);
      }
    }
  }

  /** What {@code evenkeel mover --follow} would be given, and nothing that the site's daemon is. */
  private Configuration daemon(Configuration conf, Path root) {
    Configuration own = new Configuration(conf);
    conf.getPropsWithPrefix(FOLLOW).keySet().forEach(key -> own.unset(FOLLOW + key));
    String[] prefixes = {name(Directory.LOGS), name(Directory.STORE), name(Directory.ARCHIVE)};
    own.setStrings(FOLLOW + "prefixes", prefixes);
    own.set(FOLLOW + "directory", new Path(root, ".follow").toUri().getPath());
    own.setInt(FOLLOW + "replicas-per-second", 0); // a few files, and somebody looks on
    return own;
  }

  private String name(Directory directory) {
    return files.path(directory).toUri().getPath();
  }

  /** Renames as HBase does; the daemon sees it. */
  private void run(Renames renames) throws IOException, InterruptedException {
    for (Directory directory : Directory.values()) {
      out.printf("%-12s %s%n", directory.policy, files.path(directory));
    }
    files.live(FLUSHES, renames, (step, paths, since) -> tell(step, paths));
  }

  /** Waits until all is moved, for a minute at most, and tells what was seen last. */
  private void tell(Step step, List<Path> paths) throws IOException, InterruptedException {
    long start = System.nanoTime();
    double share = files.right(paths, step.directory);
    while (share < 1 && System.nanoTime() - start < LIMIT_NANOS) {
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      share = files.right(paths, step.directory);
    }
    String text = "%s: %.0f %% of the replicas on %s%n";
    out.printf(Locale.ROOT, text, step.words, share * 100, step.directory.type);
  }
}
