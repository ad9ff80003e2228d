package io.evenkeel.terasort.suite;

import io.evenkeel.terasort.core.suite.JobFacts;

/** Finds the jobs that stock's tools submit; they do not hand out their job. */
interface JobLookup {
  /**
   * What is known about the finished jobs that carry a tag; never fails.
   *
   * @param tag in lower case
   */
  JobFacts facts(String tag);

  /** Ends jobs that carry a tag and still run; never fails. */
  void kill(String tag);
}
