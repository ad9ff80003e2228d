package io.evenkeel.terasort.mapreduce;

import io.evenkeel.common.json.Json;
import io.evenkeel.terasort.core.dataset.DataSetChecker;
import io.evenkeel.terasort.core.dataset.Expectation;
import io.evenkeel.terasort.core.dataset.InputFile;
import io.evenkeel.terasort.core.dataset.NotReadException;
import io.evenkeel.terasort.core.dataset.Partition;
import io.evenkeel.terasort.core.dataset.PartitionOrder;
import io.evenkeel.terasort.core.dataset.Violation;
import io.evenkeel.terasort.core.record.Fragment;
import io.evenkeel.terasort.core.record.Records;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Reducer;
import org.apache.hadoop.mapreduce.TaskInputOutputContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;

/**
 * The only reducer of the job, apart from it because MapReduce creates it by name: stitches the
 * fragments, then writes the report with everything the maps found.
 *
 * <p>Keys arrive as {@link ResultKey} sorts them, so that what is held is one fragment, one key,
 * the list of files, and the first {@link Unlisted#MOST} errors of each kind found at edges: over
 * the border of two blocks, between partitions, and at the end of a file, and of partitions that
 * are missing or there twice. All are counted.
 */
public final class ValidateReducer extends Reducer<ResultKey, BytesWritable, Text, Text> {
  private static final Text ERROR = new Text("error");
  private static final Text UNLISTED = new Text(Unlisted.KEY);
  private static final Text CHECKSUM = new Text("checksum");

  private final List<Violation> held = new ArrayList<>();
  private final Map<Violation.Kind, Long> found = new EnumMap<>(Violation.Kind.class);
  private final Map<Violation.Kind, Long> violations = new EnumMap<>(Violation.Kind.class);
  private final Map<Violation.Kind, Long> unlisted = new EnumMap<>(Violation.Kind.class);
  private DataSetChecker checker;
  private boolean ordered;
  private boolean stitched;
  private List<InputFile> names;
  private SideFile partitions;
  private SideFile tasks;

  @Override
  public void run(Context context) throws IOException, InterruptedException {
    Configuration conf = context.getConfiguration();
    ordered = ReportFiles.ordered(conf);
    try (Listing.Lines listing = Listing.open(ReportFiles.listing(conf), conf);
        SideFile partitionLines = SideFile.create(context, ReportFiles.PARTITIONS);
        SideFile taskLines = SideFile.create(context, ReportFiles.TASKS)) {
      partitions = partitionLines;
      tasks = taskLines;
      checker = new DataSetChecker(listing, this::hold, this::partition);
      while (context.nextKey()) {
        for (BytesWritable value : context.getValues()) {
          take(context.getCurrentKey(), value, context);
        }
        context.progress();
      }
      endOfFragments(context);
      for (Map.Entry<Violation.Kind, Long> kind : unlisted.entrySet()) {
        context.write(UNLISTED, Unlisted.text(kind.getKey(), kind.getValue()));
      }
      try (SideFile out = SideFile.create(context, ReportFiles.SUMMARY)) {
        out.line(Json.compact(summary()));
      }
    } catch (NotReadException e) {
      throw new IOException("no verdict: " + e.getMessage(), e);
    }
  }

  private void take(ResultKey key, BytesWritable value, Context context)
      throws IOException, InterruptedException, NotReadException {
    if (key.kind() == ResultKey.FRAGMENT) {
      checker.add(key.file(), FragmentCodec.read(value));
      return;
    }
    endOfFragments(context);
    if (key.kind() == ResultKey.MISORDER) {
      byte[] both = value.copyBytes();
      report(
          Violation.misorder(
              names.get(key.file()),
              Arrays.copyOf(both, Records.KEY),
              Arrays.copyOfRange(both, Records.KEY, both.length)),
          context);
    } else if (key.kind() == ResultKey.UNLISTED) {
      leaveOut(Violation.Kind.MISORDER, FragmentCodec.count(value), context);
    } else {
      tasks.line(new String(value.getBytes(), 0, value.getLength(), StandardCharsets.UTF_8));
    }
  }

  /** Once all fragments are stitched, the report can begin, with the checksum. */
  private void endOfFragments(Context context)
      throws IOException, InterruptedException, NotReadException {
    if (stitched) {
      return;
    }
    stitched = true;
    checker.finish();
    Configuration conf = context.getConfiguration();
    names = Listing.filesOf(ReportFiles.listing(conf), conf);
    if (checker.records() > 0) {
      context.write(CHECKSUM, new Text(checker.sum().toString()));
    }
    if (ordered) {
      PartitionOrder.gaps(names, ReportFiles.wholeDirectories(conf), this::hold);
    }
    for (Violation violation : held) {
      report(violation, context);
    }
    held.clear();
    for (Map.Entry<Violation.Kind, Long> kind : found.entrySet()) {
      if (kind.getValue() > Unlisted.MOST) {
        leaveOut(kind.getKey(), kind.getValue() - Unlisted.MOST, context);
      }
    }
    String expected = ReportFiles.expectation(conf);
    if (expected != null) {
      for (Violation difference :
          Expectation.parse(expected).compare(checker.sum(), checker.records())) {
        report(difference, context);
      }
    }
  }

  private void hold(Violation violation) {
    boolean aboutOrder =
        violation.kind() == Violation.Kind.MISORDER
            || violation.kind() == Violation.Kind.PARTITIONING;
    if ((ordered || !aboutOrder) && found.merge(violation.kind(), 1L, Long::sum) <= Unlisted.MOST) {
      held.add(violation);
    }
  }

  private void partition(Partition partition) {
    Fragment whole = partition.whole();
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("path", partition.file().path());
    line.put("bytes", partition.file().length());
    line.put("records", whole.records());
    line.put("first", whole.records() == 0 ? null : Records.hex(whole.firstKey()));
    line.put("last", whole.records() == 0 ? null : Records.hex(whole.lastKey()));
    partitions.line(Json.compact(line));
  }

  private void report(Violation violation, Context context)
      throws IOException, InterruptedException {
    if (violations.getOrDefault(violation.kind(), 0L) >= Unlisted.MOST) {
      leaveOut(violation.kind(), 1, context);
      return;
    }
    violations.merge(violation.kind(), 1L, Long::sum);
    context.getCounter(ValidationCounter.VIOLATIONS).increment(1);
    context.write(ERROR, new Text(violation.text()));
  }

  /** Counts errors that get no line of their own. */
  private void leaveOut(Violation.Kind kind, long number, Context context) {
    violations.merge(kind, number, Long::sum);
    unlisted.merge(kind, number, Long::sum);
    context.getCounter(ValidationCounter.VIOLATIONS).increment(number);
  }

  /** The verdict and its figures; {@code valid} tells of this data set alone. */
  private Map<String, Object> summary() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("valid", violations.isEmpty());
    json.put("files", checker.files());
    json.put("bytes", checker.bytes());
    json.put("records", checker.records());
    json.put("checksum", checker.sum().toString());
    Map<String, Object> counts = new LinkedHashMap<>();
    for (Violation.Kind kind : Violation.Kind.values()) {
      counts.put(kind.label(), violations.getOrDefault(kind, 0L));
    }
    json.put("violations", counts);
    return json;
  }

  /**
   * A text file beside a task's output. It stands in the attempt's own directory until the attempt
   * commits, so a killed or speculative attempt leaves nothing.
   */
  private static final class SideFile implements AutoCloseable {
    private final OutputStream out;

    private SideFile(OutputStream out) {
      this.out = out;
    }

    static SideFile create(TaskInputOutputContext<?, ?, ?, ?> context, String name)
        throws IOException, InterruptedException {
      Path path = new Path(FileOutputFormat.getWorkOutputPath(context), name);
      return new SideFile(path.getFileSystem(context.getConfiguration()).create(path, true));
    }

    /** Not by a Writer: on JDK 25 that cannot be closed where HDFS throws the same twice. */
    void line(String text) {
      try {
        out.write((text + '\n').getBytes(StandardCharsets.UTF_8));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() throws IOException {
      out.close();
    }
  }
}
