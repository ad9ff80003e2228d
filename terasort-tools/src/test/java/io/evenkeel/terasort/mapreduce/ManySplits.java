package io.evenkeel.terasort.mapreduce;

import io.evenkeel.terasort.core.dataset.PartitionOrder;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.net.URI;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.split.JobSplitWriter;

/**
 * What the job's client does with its input, in a JVM with a small heap: lists files that do not
 * exist, plans a split of each block, writes the splits as stock's client does, and lists again.
 * Arguments: a directory, files, blocks of each. Prints what it took.
 */
public final class ManySplits {
  private static final long BLOCK = 256L << 20;
  private static final String FILES = "test.files";
  private static final String BLOCKS = "test.blocks";

  private ManySplits() {}

  /** Ends with an exception when anything is missing. */
  public static void main(String[] args) throws Exception {
    int files = Integer.parseInt(args[1]);
    int blocks = Integer.parseInt(args[2]);
    Configuration conf = new Configuration();
    conf.set("mapreduce.framework.name", "local");
    conf.set("evenkeel.terasort.split.bytes", "0");
    conf.setClass("fs.many.impl", ManyBlocks.class, FileSystem.class);
    conf.setInt(FILES, files);
    conf.setInt(BLOCKS, blocks);
    Path report = new Path("file://" + args[0], "report");
    ValidationRequest request =
        ValidationRequest.validate(List.of("many:/in"), report, PartitionOrder.Rule.NUMBER, null);
    InputLister lister = new InputLister(conf, report);
    Listing listing = lister.list(request.inputs(), request.order());
    BlockInputFormat.setInput(conf, request, listing, true, () -> {});
    int written = submit(conf, new Path("file://" + args[0], "staging"));
    if (written != files * blocks) {
      throw new IllegalStateException(written + " splits");
    }
    List<?> again = lister.list(request.inputs(), request.order()).files();
    if (again.size() != files || listing.files().size() != files) {
      throw new IllegalStateException(again.size() + " files");
    }
    System.out.printf("%,d splits: %s%n", written, heap());
  }

  static String heap() {
    long heap =
        ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP)
            .map(MemoryPoolMXBean::getPeakUsage)
            .mapToLong(usage -> usage.getUsed())
            .sum();
    return String.format(
        "heap at most %,d of %,d MB", heap >> 20, Runtime.getRuntime().maxMemory() >> 20);
  }

  /** As stock's {@code JobSubmitter}: an array sorted by length, then both files. */
  private static int submit(Configuration conf, Path staging) throws Exception {
    Job job = Job.getInstance(conf);
    List<InputSplit> splits = new BlockInputFormat().getSplits(job);
    InputSplit[] array = splits.toArray(new InputSplit[0]);
    FileSystem fs = staging.getFileSystem(conf);
    fs.mkdirs(staging);
    JobSplitWriter.createSplitFiles(staging, job.getConfiguration(), fs, array);
    return array.length;
  }

  /** A directory of large files whose blocks stand on three of 1,200 hosts each. */
  public static final class ManyBlocks extends RawLocalFileSystem {
    @Override
    public URI getUri() {
      return URI.create("many:///");
    }

    @Override
    public String getScheme() {
      return "many";
    }

    @Override
    public FileStatus getFileStatus(Path path) throws IOException {
      if (!path.getName().equals("in")) {
        throw new FileNotFoundException(path.toString());
      }
      return new FileStatus(0, true, 1, BLOCK, 0, path);
    }

    @Override
    public RemoteIterator<LocatedFileStatus> listLocatedStatus(Path directory) {
      int files = getConf().getInt(FILES, 0);
      int blocks = getConf().getInt(BLOCKS, 0);
      return new RemoteIterator<>() {
        private int next;

        @Override
        public boolean hasNext() {
          return next < files;
        }

        @Override
        public LocatedFileStatus next() {
          int file = next++;
          Path path = new Path("many:/in/" + String.format("part-r-%05d", file));
          FileStatus status = new FileStatus(blocks * BLOCK, false, 3, BLOCK, 0, path);
          return new LocatedFileStatus(status, locations(file, blocks));
        }
      };
    }

    private static BlockLocation[] locations(int file, int blocks) {
      Random random = new Random(file);
      BlockLocation[] locations = new BlockLocation[blocks];
      for (int i = 0; i < blocks; i++) {
        String[] hosts = new String[3];
        String[] paths = new String[3];
        for (int replica = 0; replica < hosts.length; replica++) {
          hosts[replica] = "worker-" + (replica * 400 + random.nextInt(400)) + ".example.org";
          paths[replica] = "/rack-" + replica + "/" + hosts[replica] + ":9866";
        }
        locations[i] = new BlockLocation(hosts, hosts, paths, i * BLOCK, BLOCK);
      }
      return locations;
    }
  }
}
