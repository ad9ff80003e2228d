package io.evenkeel.terasort.mapreduce;

import io.evenkeel.terasort.core.record.Sum128;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;

/** The verdict on a data set and where the details stand. Immutable but for the job it names. */
public final class ValidationResult {
  private final ValidationRequest request;
  private final Listing listing;
  private final Map<?, ?> summary;
  private final Job job;

  ValidationResult(ValidationRequest request, Listing listing, Map<?, ?> summary, Job job) {
    this.request = request;
    this.listing = listing;
    this.summary = summary;
    this.job = job;
  }

  /** Whether nothing was found wrong. */
  public boolean valid() {
    return (Boolean) summary.get("valid");
  }

  /** What was asked. */
  public ValidationRequest request() {
    return request;
  }

  /** Files of the data set. */
  public int files() {
    return listing.files().size();
  }

  /** Blocks (or byte ranges) they stand in. */
  public int blocks() {
    return listing.ranges().size();
  }

  /** Network location of the hosts that have replicas, as the NameNode told it. */
  public Map<String, String> locations() {
    return listing.locations();
  }

  /** Bytes of all files. */
  public long bytes() {
    return (Long) summary.get("bytes");
  }

  /** Whole records. */
  public long records() {
    return (Long) summary.get("records");
  }

  /** Sum of their CRC32. */
  public Sum128 checksum() {
    return Sum128.parse((String) summary.get("checksum"));
  }

  /** Number of violations by the name of their kind, in a fixed order. */
  public Map<?, ?> violations() {
    return (Map<?, ?>) summary.get("violations");
  }

  /** All figures as they stand in {@link ReportFiles#SUMMARY}. */
  public Map<?, ?> summary() {
    return summary;
  }

  /** The report directory. */
  public Path report() {
    return request.report();
  }

  /** The job that ran; asks the cluster when it is asked. */
  public Job job() {
    return job;
  }
}
