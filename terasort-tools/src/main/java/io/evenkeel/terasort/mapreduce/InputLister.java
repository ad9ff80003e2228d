package io.evenkeel.terasort.mapreduce;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.terasort.core.dataset.InputFile;
import io.evenkeel.terasort.core.dataset.PartitionOrder;
import io.evenkeel.terasort.core.split.Range;
import io.evenkeel.terasort.core.split.RangeTable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathFilter;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.io.compress.CompressionCodecFactory;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists the input with the hosts of its blocks, and refuses what cannot be validated: a file that
 * is open or compressed, a block without a replica. Confined to one thread.
 *
 * <p>A directory's files are listed in batches with their locations, so the NameNode answers a few
 * calls per thousand files. Names that begin with {@code _} or {@code .} are hidden, as in stock.
 */
public final class InputLister {
  private static final Logger LOG = LoggerFactory.getLogger(InputLister.class);
  private static final int MANY_FILES = 16;
  private static final String LOCALHOST = "localhost";
  private static final PathFilter VISIBLE =
      path -> !path.getName().startsWith("_") && !path.getName().startsWith(".");

  private final Configuration conf;
  private final CompressionCodecFactory codecs;
  private final Map<String, InputFile> found = new LinkedHashMap<>();
  private RangeTable ranges;
  private final Map<String, Integer> numbers = new HashMap<>();
  private final Map<String, String> locations = new TreeMap<>();
  private final Path report;
  private boolean wholeDirectories;

  /**
   * Lists through the file systems of this configuration.
   *
   * @param report directory that is no input, even where it lies in one
   */
  public InputLister(Configuration conf, Path report) throws IOException {
    this.conf = conf;
    this.codecs = new CompressionCodecFactory(conf);
    this.report = report.getFileSystem(conf).makeQualified(report);
  }

  /**
   * Lists files, directories and globs; a file found twice counts once.
   *
   * @throws CommandException when a path does not exist or a file cannot be validated
   */
  public Listing list(List<String> inputs, PartitionOrder.Rule order) throws IOException {
    found.clear();
    numbers.clear();
    ranges = new RangeTable();
    wholeDirectories = true;
    for (String input : inputs) {
      Path path = new Path(input);
      FileSystem fs = path.getFileSystem(conf);
      if (fs.getUri().getScheme().endsWith("webhdfs")) {
        LOG.warn("{} does not tell which files are open for writing; hdfs:// does", fs.getUri());
      }
      FileStatus[] matches = fs.globStatus(path, VISIBLE);
      if (matches == null || matches.length == 0) {
        throw refuse(input + ": no such file or directory", null);
      }
      add(matches);
    }
    List<InputFile> sorted = PartitionOrder.sort(new ArrayList<>(found.values()), order);
    RangeTable all = inOrder(sorted);
    found.clear();
    numbers.clear();
    ranges = null;
    return new Listing(sorted, all, locations);
  }

  /** The ranges found, which have the number their file was found with, by that of the listing. */
  private RangeTable inOrder(List<InputFile> sorted) {
    int[] first = new int[sorted.size() + 1];
    for (int i = 0; i < ranges.size(); i++) {
      first[ranges.get(i).file() + 1]++;
    }
    for (int i = 1; i < first.length; i++) {
      first[i] += first[i - 1];
    }
    RangeTable all = new RangeTable();
    for (int i = 0; i < sorted.size(); i++) {
      int number = numbers.get(sorted.get(i).path());
      for (int at = first[number]; at < first[number + 1]; at++) {
        Range range = ranges.get(at);
        all.add(i, range.start(), range.length(), range.hosts());
      }
    }
    return all;
  }

  /** Whether the last listing was of directories only, so that partition 0 must be there. */
  boolean wholeDirectories() {
    return wholeDirectories;
  }

  /** Many files of one directory are taken from its listing, one by one they were a call each. */
  private void add(FileStatus[] matches) throws IOException {
    Map<Path, Set<Path>> files = new LinkedHashMap<>();
    for (FileStatus match : matches) {
      wholeDirectories &= match.isDirectory();
      if (!match.isDirectory()) {
        Path path = match.getPath();
        files.computeIfAbsent(path.getParent(), p -> new LinkedHashSet<>()).add(path);
      } else if (!match.getPath().equals(report)) {
        add(match.getPath(), null);
      }
    }
    for (Map.Entry<Path, Set<Path>> inDirectory : files.entrySet()) {
      if (inDirectory.getValue().size() >= MANY_FILES) {
        add(inDirectory.getKey(), inDirectory.getValue());
      } else {
        for (Path file : inDirectory.getValue()) {
          add(file, null);
        }
      }
    }
  }

  /** Adds a file, or the files in a directory: all, or those of {@code only}. */
  private void add(Path path, Set<Path> only) throws IOException {
    boolean recursive = conf.getBoolean(FileInputFormat.INPUT_DIR_RECURSIVE, false);
    try {
      RemoteIterator<LocatedFileStatus> statuses = path.getFileSystem(conf).listLocatedStatus(path);
      while (statuses.hasNext()) {
        LocatedFileStatus status = statuses.next();
        boolean wanted = only == null || only.contains(status.getPath());
        if (!wanted || !VISIBLE.accept(status.getPath()) || status.getPath().equals(report)) {
          continue;
        }
        if (!status.isDirectory()) {
          check(status);
          take(status);
        } else if (recursive) {
          add(status.getPath(), null);
        } else {
          throw refuse(
              status.getPath()
                  + " is a directory in the input; give "
                  + FileInputFormat.INPUT_DIR_RECURSIVE
                  + "=true to go into it",
              null);
        }
      }
    } catch (FileNotFoundException e) {
      throw refuse(path + " vanished while it was listed", e);
    }
  }

  /** Keeps what is needed of a file: the status of one with 1,000 blocks is several megabytes. */
  private void take(LocatedFileStatus status) throws IOException {
    InputFile file = inputFile(status);
    if (found.put(file.path(), file) == null) {
      int number = numbers.size();
      numbers.put(file.path(), number);
      addRanges(number, status);
    }
  }

  private void check(LocatedFileStatus status) {
    if (codecs.getCodec(status.getPath()) != null) {
      throw refuse(
          status.getPath()
              + " is compressed by its name; records of 100 bytes can only be read from plain files",
          null);
    }
    if (underConstruction(status)) {
      throw refuse(status.getPath() + " is still open for writing; validate it when closed", null);
    }
  }

  private static CommandException refuse(String message, Throwable cause) {
    return new CommandException(ExitCode.COULD_NOT_RUN, message, cause);
  }

  /** The blocks of a file; byte ranges of a block's size where the file system has none. */
  private void addRanges(int file, LocatedFileStatus status) throws IOException {
    // The blocks of an erasure-coded file are groups on many nodes: no host is near.
    boolean erasureCoded = status.isErasureCoded();
    boolean uncut = erasureCoded || status.getBlockSize() < 1;
    long step = uncut ? Long.MAX_VALUE : status.getBlockSize();
    long covered = 0;
    BlockLocation[] blocks = status.getBlockLocations();
    for (BlockLocation block : blocks == null ? new BlockLocation[0] : blocks) {
      long end = Math.min(block.getOffset() + block.getLength(), status.getLen());
      if (block.isCorrupt() || block.getHosts().length == 0 && isHdfs(status)) {
        throw refuse(
            status.getPath() + ": the block at " + block.getOffset() + " has no live replica",
            null);
      }
      locate(block);
      cut(file, covered, Math.min(block.getOffset(), end), step, Collections.emptyList());
      covered = Math.max(covered, block.getOffset());
      List<String> hosts =
          erasureCoded || nowhere(status, block)
              ? Collections.<String>emptyList()
              : Arrays.asList(block.getHosts());
      cut(file, covered, end, step, hosts);
      covered = Math.max(covered, end);
    }
    cut(file, covered, status.getLen(), step, Collections.emptyList());
  }

  /**
   * Whether the file system does not know where a block is: S3A and others then say {@code
   * localhost}, which is true of local files only. HDFS names the place in its topology as well.
   */
  private static boolean nowhere(FileStatus file, BlockLocation block) throws IOException {
    String[] hosts = block.getHosts();
    return block.getTopologyPaths().length == 0
        && hosts.length == 1
        && hosts[0].equals(LOCALHOST)
        && !"file".equals(file.getPath().toUri().getScheme());
  }

  /** A topology path is the host's location and, last, the DataNode's address. */
  private void locate(BlockLocation block) throws IOException {
    String[] hosts = block.getHosts();
    String[] paths = block.getTopologyPaths();
    for (int i = 0; i < Math.min(hosts.length, paths.length); i++) {
      int last = paths[i].lastIndexOf('/');
      if (last > 0) {
        locations.putIfAbsent(hosts[i], paths[i].substring(0, last));
      }
    }
  }

  private void cut(int file, long from, long to, long step, List<String> hosts) {
    for (long at = from; at < to; ) {
      long length = Math.min(step, to - at);
      ranges.add(file, at, length, hosts);
      at += length;
    }
  }

  private static InputFile inputFile(FileStatus status) {
    long id = status instanceof HdfsFileStatus ? ((HdfsFileStatus) status).getFileId() : 0;
    return new InputFile(
        status.getPath().toString(), status.getLen(), status.getModificationTime(), id);
  }

  private static boolean isHdfs(FileStatus status) {
    return status instanceof HdfsFileStatus;
  }

  private static boolean underConstruction(LocatedFileStatus status) {
    return status instanceof HdfsLocatedFileStatus
        && ((HdfsLocatedFileStatus) status).getLocatedBlocks().isUnderConstruction();
  }
}
