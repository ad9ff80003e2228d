package io.evenkeel.terasort.mapreduce;

import io.evenkeel.common.json.Json;
import io.evenkeel.terasort.core.dataset.InputFile;
import io.evenkeel.terasort.core.split.Range;
import io.evenkeel.terasort.core.split.RangeTable;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * The files to validate in partition order, and the ranges of each with their hosts. Immutable.
 *
 * <p>Stored as one line of JSON for each file. The client writes it before the job, the split plan
 * and the reducer read it: one list, so that what was planned and what is proved are the same.
 */
public final class Listing {
  private final List<InputFile> files;
  private final RangeTable ranges;
  private final Map<String, String> locations;

  Listing(List<InputFile> files, List<Range> ranges, Map<String, String> locations) {
    this.files = Collections.unmodifiableList(files);
    this.ranges = RangeTable.of(ranges);
    this.locations = Collections.unmodifiableMap(locations);
  }

  /** The files in partition order. */
  public List<InputFile> files() {
    return files;
  }

  /** Their ranges in the same order; a range's file is the position in {@link #files}. */
  public List<Range> ranges() {
    return Collections.unmodifiableList(ranges);
  }

  /** Network location by host, as the file system told it; empty for a stored listing. */
  public Map<String, String> locations() {
    return locations;
  }

  /** Bytes of all files. */
  public long bytes() {
    return files.stream().mapToLong(InputFile::length).sum();
  }

  /**
   * Writes all of it to a file that must not exist, alone in its directory.
   *
   * @param taken run as soon as the directory is ours, before the rest is written
   * @throws IOException when the file is there, or when it cannot be written, as for a quota; then
   *     the directory is removed
   */
  void write(Path path, Configuration conf, Runnable taken) throws IOException {
    FileSystem fs = path.getFileSystem(conf);
    OutputStream created = fs.create(path, false); // from here on the directory is ours
    taken.run();
    try {
      write(created);
    } catch (IOException e) {
      fs.delete(path.getParent(), true);
      throw e;
    }
  }

  private void write(OutputStream created) throws IOException {
    Iterator<Range> next = ranges.iterator();
    Range range = next.hasNext() ? next.next() : null;
    // A stream of HDFS throws the same exception again when it is closed, which cannot suppress
    // itself: neither try-with-resources nor, on JDK 25, a Writer can be used.
    try {
      for (int i = 0; i < files.size(); i++) {
        List<Object> blocks = new ArrayList<>();
        while (range != null && range.file() == i) {
          blocks.add(Arrays.asList(range.start(), range.length(), range.hosts()));
          range = next.hasNext() ? next.next() : null;
        }
        String line = Json.compact(line(files.get(i), blocks)) + '\n';
        created.write(line.getBytes(StandardCharsets.UTF_8));
      }
    } finally {
      created.close();
    }
  }

  private static Map<String, Object> line(InputFile file, List<Object> blocks) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("path", file.path());
    line.put("length", file.length());
    line.put("modified", file.modified());
    line.put("id", file.id());
    line.put("blocks", blocks);
    return line;
  }

  /** Reads all of a stored listing. */
  static Listing read(Path path, Configuration conf) throws IOException {
    List<InputFile> files = new ArrayList<>();
    RangeTable ranges = new RangeTable();
    try (Lines lines = new Lines(path, conf)) {
      while (lines.hasNext()) {
        Map<?, ?> line = lines.nextLine();
        addRanges(files.size(), (List<?>) line.get("blocks"), ranges);
        files.add(file(line));
      }
    }
    return new Listing(files, ranges, Collections.emptyMap());
  }

  /** The files of a stored listing without their ranges. */
  static List<InputFile> filesOf(Path path, Configuration conf) throws IOException {
    List<InputFile> files = new ArrayList<>();
    try (Lines lines = open(path, conf)) {
      lines.forEachRemaining(files::add);
    }
    return files;
  }

  /** The files of a stored listing, one by one; close it. */
  static Lines open(Path path, Configuration conf) throws IOException {
    return new Lines(path, conf);
  }

  private static InputFile file(Map<?, ?> line) {
    return new InputFile(
        (String) line.get("path"),
        (Long) line.get("length"),
        (Long) line.get("modified"),
        (Long) line.get("id"));
  }

  private static void addRanges(int file, List<?> blocks, RangeTable ranges) {
    for (Object block : blocks) {
      List<?> parts = (List<?>) block;
      List<String> hosts = new ArrayList<>();
      ((List<?>) parts.get(2)).forEach(host -> hosts.add((String) host));
      ranges.add(file, (Long) parts.get(0), (Long) parts.get(1), hosts);
    }
  }

  /** Reads a stored listing line by line. Confined to one thread. */
  static final class Lines implements Iterator<InputFile>, AutoCloseable {
    private final BufferedReader in;
    private String line;

    private Lines(Path path, Configuration conf) throws IOException {
      FileSystem fs = path.getFileSystem(conf);
      in = new BufferedReader(new InputStreamReader(fs.open(path), StandardCharsets.UTF_8));
      line = in.readLine();
    }

    @Override
    public boolean hasNext() {
      return line != null;
    }

    @Override
    public InputFile next() {
      return file(nextLine());
    }

    private Map<?, ?> nextLine() {
      Map<?, ?> parsed = (Map<?, ?>) Json.parse(line);
      try {
        line = in.readLine();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return parsed;
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
