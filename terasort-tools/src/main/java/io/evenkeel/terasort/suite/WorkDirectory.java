package io.evenkeel.terasort.suite;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * The directories of the phases. A file beside them says that this program makes them; without it
 * nothing is ever removed. Separate from the runner since all that may delete stands here. Confined
 * to one thread.
 */
final class WorkDirectory {
  /** Marks what this program may remove. */
  private static final String MARKER = "_evenkeel-terasort";

  private static final String GENERATED = "gen";
  private static final String SORTED = "sort";
  private static final String REPORT = "report";
  private static final List<String> PHASES =
      Collections.unmodifiableList(Arrays.asList(GENERATED, SORTED, REPORT));

  private final FileSystem fs;
  private final Path dir;
  private boolean made;

  WorkDirectory(Configuration conf, String dir) throws IOException {
    Path path = new Path(dir);
    this.fs = path.getFileSystem(conf);
    this.dir = fs.makeQualified(path);
  }

  /** What TeraGen writes. */
  Path generated() {
    return new Path(dir, GENERATED);
  }

  /** What TeraSort writes. */
  Path sorted() {
    return new Path(dir, SORTED);
  }

  /** The validation's report. */
  Path report() {
    return new Path(dir, REPORT);
  }

  /**
   * Makes the directory ready for a first run.
   *
   * @param overwrite whether to remove what an earlier run left
   * @throws CommandException when something is in the way
   */
  void prepare(boolean overwrite) throws IOException {
    if (fs.exists(dir) && !fs.getFileStatus(dir).isDirectory()) {
      throw new CommandException(
          ExitCode.COULD_NOT_RUN, dir + " is a file; name a directory with --dir");
    }
    boolean ours = fs.exists(marker());
    for (String phase : PHASES) {
      Path path = new Path(dir, phase);
      if (fs.exists(path)) {
        refuseUnless(ours, path, "was not made by this command; remove it or use another --dir");
        refuseUnless(overwrite, path, "was left by an earlier run; --overwrite removes it");
      }
    }
    removePhases();
    made = !fs.exists(dir);
    fs.mkdirs(dir);
    fs.create(marker(), true).close();
  }

  private static void refuseUnless(boolean good, Path path, String why) {
    if (!good) {
      throw new CommandException(ExitCode.COULD_NOT_RUN, path + " exists and " + why);
    }
  }

  private Path marker() {
    return new Path(dir, MARKER);
  }

  /** Removes what a run wrote; only where the marker stands. */
  void removePhases() throws IOException {
    if (fs.exists(marker())) {
      for (String phase : PHASES) {
        fs.delete(new Path(dir, phase), true);
      }
    }
  }

  /** Removes everything of ours, the directory too when it was made here and is empty. */
  void remove() throws IOException {
    removePhases();
    fs.delete(marker(), false);
    if (made && fs.listStatus(dir).length == 0) {
      fs.delete(dir, false);
    }
  }

  /** Bytes of one block of new files. */
  long blockBytes() {
    return fs.getDefaultBlockSize(dir);
  }

  /** Largest / mean length of the sorted partitions; NaN when there is none. */
  double skew() throws IOException {
    long largest = 0;
    long sum = 0;
    int count = 0;
    for (FileStatus file : fs.listStatus(sorted())) {
      if (file.getPath().getName().startsWith("part-")) {
        largest = Math.max(largest, file.getLen());
        sum += file.getLen();
        count++;
      }
    }
    return sum == 0 ? Double.NaN : largest * (double) count / sum;
  }
}
