package io.evenkeel.terasort.mapreduce;

import io.evenkeel.terasort.core.dataset.Violation;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.MRJobConfig;

/**
 * How many errors get a line in the report. The others are counted only: unsorted input has one in
 * every second record, and one reducer would have to take them all. Stateless.
 */
final class Unlisted {
  /** Errors of one kind the report lists. */
  static final int MOST = 100_000;

  /** First word of the line that says how many it does not list. */
  static final String KEY = "unlisted";

  private static final int MOST_OF_A_TASK = 10_000;
  private static final int LEAST_OF_A_TASK = 10;

  private Unlisted() {}

  /** How many misorders a map task hands on: fewer where there are many tasks. */
  static int perTask(Configuration conf) {
    int maps = Math.max(1, conf.getInt(MRJobConfig.NUM_MAPS, 1));
    return Math.max(LEAST_OF_A_TASK, Math.min(MOST_OF_A_TASK, 10 * MOST / maps));
  }

  static Text text(Violation.Kind kind, long number) {
    return new Text(number + " more " + kind.meaning());
  }
}
