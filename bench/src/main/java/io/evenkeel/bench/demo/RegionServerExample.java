package io.evenkeel.bench.demo;

import io.evenkeel.bench.demo.RegionServerLife.Directory;
import io.evenkeel.mover.FileMover;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;

/**
 * A region server's files on the HDFS of {@code fs.defaultFS}, as an example of a storage policy
 * for each directory and of renames that are followed:
 *
 * <pre>{@code
 * java -cp "evenkeel-bench.jar:evenkeel-mover.jar:evenkeel-common.jar:$(hadoop classpath)" \
 *   io.evenkeel.bench.demo.RegionServerExample /hbase-example
 * }</pre>
 *
 * <p>Writes some MB below the directory it is given, which must not exist, and removes them. Needs
 * DataNodes with DISK, SSD and ARCHIVE, and the rights of the HDFS superuser.
 */
public final class RegionServerExample {
  private static final int STORE_FILE_BYTES = 4 << 20;
  private static final int FLUSHES = 3;

  private final RegionServerLife life;
  private final PrintStream out;

  private RegionServerExample(RegionServerLife life, PrintStream out) {
    this.life = life;
    this.out = out;
  }

  /** Takes the directory to use. */
  public static void main(String[] args) throws IOException {
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
  static void run(Configuration conf, Path root, PrintStream out) throws IOException {
    try (FileSystem any = FileSystem.newInstance(conf)) {
      if (!(any instanceof DistributedFileSystem fs)) {
        throw new IOException(any.getUri() + " is not an HDFS");
      }
      if (fs.exists(root)) {
        throw new IOException(root + " exists; name a directory that does not");
      }
      try (FileMover mover = FileMover.open(conf)) {
        new RegionServerExample(new RegionServerLife(fs, root, STORE_FILE_BYTES), out).run(mover);
      } finally {
        fs.delete(root, true);
      }
    }
  }

  private void run(FileMover mover) throws IOException {
    life.prepare();
    for (Directory directory : Directory.values()) {
      out.printf("%-12s %s%n", directory.policy(), life.path(directory));
    }
    tell("log written", List.of(life.log()), Directory.LOGS);
    RegionServerLife.Renames renames = RegionServerLife.waitingFor(mover);
    List<Path> flushed = new ArrayList<>();
    for (int i = 0; i < FLUSHES; i++) {
      flushed.add(life.flush(renames));
    }
    tell("flushed, renamed into the store", flushed, Directory.STORE);
    Path compacted = life.compact(flushed, renames);
    tell("compacted, renamed into the store", List.of(compacted), Directory.STORE);
    tell("renamed into the archive", life.archive(flushed, renames), Directory.ARCHIVE);
  }

  private void tell(String what, List<Path> files, Directory directory) throws IOException {
    out.printf(
        Locale.ROOT,
        "%s: %.0f %% of the replicas on %s%n",
        what,
        life.right(files, directory) * 100,
        directory.type());
  }
}
