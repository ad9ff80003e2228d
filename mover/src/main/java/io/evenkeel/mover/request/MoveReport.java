package io.evenkeel.mover.request;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What happened to all files of a request: exact numbers, and the files themselves as far as {@link
 * #LISTED_FILES} go, unsatisfied ones first, so that a request for a million files has a report of
 * bounded size. {@link MoveListener#fileDone} is told about every file. Immutable.
 */
public final class MoveReport {
  /** Most files that are listed of those satisfied, satisfied but lacking, and not satisfied. */
  public static final int LISTED_FILES = 10_000;

  private final Map<FileOutcome, Long> files;
  private final MoveCounts counts;
  private final List<FileReport> listed;

  private MoveReport(Builder builder) {
    this.files = Collections.unmodifiableMap(new EnumMap<>(builder.files));
    this.counts = builder.counts;
    List<FileReport> all = new ArrayList<>(builder.unsatisfied);
    all.addAll(builder.lacking);
    all.addAll(builder.satisfied);
    this.listed = Collections.unmodifiableList(all);
  }

  /** Whether everything asked for is satisfied and there was something to ask for. */
  public boolean isSatisfied() {
    return !files.isEmpty() && files.keySet().stream().allMatch(FileOutcome::isSatisfied);
  }

  /** Number of files of which no replica is on a wrong type, those deleted meanwhile included. */
  public long satisfiedCount() {
    return files.entrySet().stream()
        .filter(entry -> entry.getKey().isSatisfied())
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /** Number of files by outcome; outcomes without a file are absent. */
  public Map<FileOutcome, Long> files() {
    return files;
  }

  /** Number of files with an outcome. */
  public long files(FileOutcome outcome) {
    return files.getOrDefault(outcome, 0L);
  }

  /** Number of all files. */
  public long fileCount() {
    return files.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Replicas and bytes of all files. */
  public MoveCounts counts() {
    return counts;
  }

  /**
   * The files, unsatisfied ones first and then those that lack replicas, at most {@link
   * #LISTED_FILES} of each kind, and what there is to say of requests as a whole.
   */
  public List<FileReport> listed() {
    return listed;
  }

  @Override
  public String toString() {
    return files + ", " + counts;
  }

  /** Collects files one by one. Thread-safe. */
  public static final class Builder {
    private final Map<FileOutcome, Long> files = new EnumMap<>(FileOutcome.class);
    private final List<FileReport> satisfied = new ArrayList<>();
    private final List<FileReport> lacking = new ArrayList<>();
    private final List<FileReport> unsatisfied = new ArrayList<>();
    private MoveCounts counts = MoveCounts.NONE;

    /** Adds one file. */
    public synchronized Builder add(FileReport file) {
      files.merge(file.outcome(), 1L, Long::sum);
      counts = counts.plus(file.counts());
      list(file, file.path().isEmpty());
      return this;
    }

    /**
     * Adds all files of another report.
     *
     * @param prefix put before the paths of its files, such as {@code hdfs://ns1}; empty for none
     */
    public synchronized Builder addAll(MoveReport other, String prefix) {
      other.files.forEach((outcome, count) -> files.merge(outcome, count, Long::sum));
      counts = counts.plus(other.counts);
      for (FileReport file : other.listed) {
        boolean whole = file.path().isEmpty();
        list(prefix.isEmpty() ? file : file.withPath(prefix + file.path()), whole);
      }
      return this;
    }

    /** What is said of a request as a whole is listed in any case. */
    private void list(FileReport file, boolean whole) {
      List<FileReport> list = unsatisfied;
      if (file.outcome().isSatisfied()) {
        list = file.isLacking() ? lacking : satisfied;
      }
      if (whole || list.size() < LISTED_FILES) {
        list.add(file);
      }
    }

    /** The report so far. */
    public synchronized MoveReport build() {
      return new MoveReport(this);
    }
  }
}
