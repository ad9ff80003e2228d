package io.evenkeel.cli.core.history;

import java.util.function.UnaryOperator;

/** Settings of a job and of its cluster, as far as they could be read. Immutable. */
public final class JobSettings {
  private final UnaryOperator<String> job;
  private final UnaryOperator<String> cluster;

  /**
   * Creates it.
   *
   * @param job value by key from the job's configuration; null when that could not be read
   * @param cluster value by key from capacity-scheduler.xml and yarn-site.xml; null when those
   *     could not be read
   */
  public JobSettings(UnaryOperator<String> job, UnaryOperator<String> cluster) {
    this.job = job;
    this.cluster = cluster;
  }

  /** Whether the job's configuration is known. */
  public boolean knowsJob() {
    return job != null;
  }

  /** Whether the scheduler's configuration is known. */
  public boolean knowsCluster() {
    return cluster != null;
  }

  /** A setting of the job; null when unset or not known. */
  String job(String key) {
    return job == null ? null : job.apply(key);
  }

  /** A whole number of the job; the default when unset, not known or no number. */
  long job(String key, long otherwise) {
    return number(job(key), otherwise);
  }

  /** A setting of the cluster; null when unset or not known. */
  String cluster(String key) {
    return cluster == null ? null : cluster.apply(key);
  }

  /** A whole number of the cluster; the default when unset, not known or no number. */
  long cluster(String key, long otherwise) {
    return number(cluster(key), otherwise);
  }

  private static long number(String text, long otherwise) {
    try {
      return text == null ? otherwise : Long.parseLong(text.trim());
    } catch (NumberFormatException e) {
      return otherwise;
    }
  }
}
