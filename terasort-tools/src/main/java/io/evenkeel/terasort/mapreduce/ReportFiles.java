package io.evenkeel.terasort.mapreduce;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/**
 * The files of a report directory, and the entries of the job's configuration that tell tasks about
 * them. All but the report itself begin with an underscore, which other jobs take for hidden.
 */
public final class ReportFiles {
  /** The report, in stock's format. */
  public static final String REPORT = "part-r-00000";

  /** What was validated: a line of JSON for each file, in partition order. */
  public static final String LISTING = "_listing";

  /** The verdict as JSON. */
  public static final String SUMMARY = "_summary.json";

  /** A line of JSON for each file: bytes, records, first and last key. */
  public static final String PARTITIONS = "_partitions";

  /** A line of JSON for each map task: host, times, where its bytes came from. */
  public static final String TASKS = "_tasks";

  private static final String PREFIX = "io.evenkeel.terasort.job.";
  private static final String DIRECTORY = PREFIX + "report";
  private static final String EXPECT = PREFIX + "expect";
  private static final String GAPS = PREFIX + "whole-directories";
  private static final String ORDERED = PREFIX + "ordered";

  private ReportFiles() {}

  /**
   * Puts what tasks need into the job's configuration.
   *
   * @param wholeDirectories whether no file was asked for by its name
   */
  static void configure(Configuration conf, ValidationRequest request, boolean wholeDirectories) {
    conf.set(DIRECTORY, request.report().toString());
    conf.setBoolean(GAPS, wholeDirectories);
    conf.setBoolean(ORDERED, request.ordered());
    if (request.expectation() == null) {
      conf.unset(EXPECT);
    } else {
      conf.set(EXPECT, request.expectation().toString());
    }
  }

  static Path listing(Configuration conf) {
    return new Path(conf.get(DIRECTORY), LISTING);
  }

  static String expectation(Configuration conf) {
    return conf.get(EXPECT);
  }

  static boolean wholeDirectories(Configuration conf) {
    return conf.getBoolean(GAPS, true);
  }

  static boolean ordered(Configuration conf) {
    return conf.getBoolean(ORDERED, true);
  }
}
