package io.evenkeel.terasort.suite;

import io.evenkeel.terasort.core.suite.JobFacts;
import io.evenkeel.terasort.mapreduce.ValidationCounter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Cluster;
import org.apache.hadoop.mapreduce.Counter;
import org.apache.hadoop.mapreduce.CounterGroup;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobCounter;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the jobs that stock's tools submit, which do not hand out their job: asks the
 * ResourceManager for the applications with a tag and the history server for their counters. Jobs
 * in this JVM leave no trace that could be asked for. Separate from the runner since all that is
 * asked of YARN stands here. Thread-safe.
 */
final class JobLookup {
  private static final Logger LOG = LoggerFactory.getLogger(JobLookup.class);
  private static final String CHECKSUM_GROUP =
      "org.apache.hadoop.examples.terasort.TeraGen$Counters";

  private final Configuration conf;

  JobLookup(Configuration conf) {
    this.conf = conf;
  }

  private boolean onYarn() {
    return MRConfig.YARN_FRAMEWORK_NAME.equals(conf.get(MRConfig.FRAMEWORK_NAME));
  }

  /**
   * What is known about the finished jobs that carry a tag; never fails.
   *
   * @param tag in lower case
   */
  JobFacts facts(String tag) {
    if (!onYarn()) {
      return JobFacts.NONE;
    }
    List<ApplicationId> found = new ArrayList<>();
    try {
      forEachTagged(
          tag,
          EnumSet.allOf(YarnApplicationState.class),
          (yarn, application) -> found.add(application));
      // More than one means that the phase ran helper jobs: their sum would mean nothing.
      return found.size() == 1 ? facts(found.get(0)) : JobFacts.NONE;
    } catch (IOException | YarnException | RuntimeException e) {
      LOG.warn("Counters of the job tagged {} are not known: {}", tag, e.toString());
      return JobFacts.NONE;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return JobFacts.NONE;
    }
  }

  private JobFacts facts(ApplicationId application) throws IOException, InterruptedException {
    JobID id = new JobID(String.valueOf(application.getClusterTimestamp()), application.getId());
    Cluster cluster = new Cluster(conf);
    try {
      Job job = cluster.getJob(id);
      Counters counters = job == null ? null : job.getCounters();
      return counters == null
          ? new JobFacts.Builder(id.toString()).build()
          : facts(id.toString(), counters);
    } catch (IOException e) {
      LOG.warn("Counters of {} are not known; is the history server up? {}", id, e.toString());
      return new JobFacts.Builder(id.toString()).build();
    } finally {
      cluster.close();
    }
  }

  private static JobFacts facts(String id, Counters counters) {
    JobFacts.Builder facts =
        new JobFacts.Builder(id)
            .cpuMillis(counters.findCounter(TaskCounter.CPU_MILLISECONDS).getValue())
            .maps(
                counters.findCounter(JobCounter.TOTAL_LAUNCHED_MAPS).getValue(),
                counters.findCounter(JobCounter.DATA_LOCAL_MAPS).getValue(),
                counters.findCounter(JobCounter.RACK_LOCAL_MAPS).getValue());
    // getGroup makes an empty one where there is none; findCounter of a group would add a zero.
    CounterGroup group = counters.getGroup(CHECKSUM_GROUP);
    for (Counter counter : group) {
      if (counter.getName().equals("CHECKSUM")) {
        facts.checksum(counter.getValue());
      }
    }
    for (Counter counter : counters.getGroup(ValidationCounter.class.getName())) {
      if (counter.getName().equals(ValidationCounter.BYTES_FROM_ELSEWHERE.name())) {
        facts.remoteBytes(counter.getValue());
      }
    }
    return facts.build();
  }

  /** Ends jobs that carry a tag and still run; never fails. */
  void kill(String tag) {
    if (!onYarn()) {
      LOG.debug("No YARN: nothing to kill for {}", tag);
      return;
    }
    EnumSet<YarnApplicationState> running =
        EnumSet.of(
            YarnApplicationState.NEW,
            YarnApplicationState.NEW_SAVING,
            YarnApplicationState.SUBMITTED,
            YarnApplicationState.ACCEPTED,
            YarnApplicationState.RUNNING);
    try {
      forEachTagged(tag, running, YarnClient::killApplication);
    } catch (IOException | YarnException | RuntimeException e) {
      LOG.warn("The job tagged {} could not be killed: {}", tag, e.toString());
    }
  }

  /** Something to do with an application of YARN's. */
  private interface Action {
    void accept(YarnClient yarn, ApplicationId application) throws IOException, YarnException;
  }

  private void forEachTagged(String tag, EnumSet<YarnApplicationState> states, Action action)
      throws IOException, YarnException {
    try (YarnClient yarn = YarnClient.createYarnClient()) {
      yarn.init(new YarnConfiguration(conf));
      yarn.start();
      for (ApplicationReport report :
          yarn.getApplications(Collections.singleton("MAPREDUCE"), states)) {
        if (report.getApplicationTags().contains(tag)) {
          action.accept(yarn, report.getApplicationId());
        }
      }
    }
  }
}
