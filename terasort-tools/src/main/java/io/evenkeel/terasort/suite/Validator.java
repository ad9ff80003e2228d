package io.evenkeel.terasort.suite;

import org.apache.hadoop.conf.Configuration;

/** Checks that a directory is sorted and adds up to what is expected. */
public interface Validator {
  /**
   * Runs the check.
   *
   * @param conf settings of its job
   * @param args options, then input and report directory
   * @return an exit code: 0 valid, 2 invalid, else there is no verdict
   * @throws Exception when there is no verdict
   */
  int validate(Configuration conf, String... args) throws Exception;
}
