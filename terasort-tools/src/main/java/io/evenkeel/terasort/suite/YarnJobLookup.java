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
 * Asks the ResourceManager for the applications with a tag and the history server for their
 * counters. Thread-safe.
 */
final class YarnJobLookup implements JobLookup {
  private static final Logger LOG = LoggerFactory.getLogger(YarnJobLookup.class);
  private static final String CHECKSUM_GROUP =
      "org.apache.hadoop.examples.terasort.TeraGen$Counters";

  private final Configuration conf;

  YarnJobLookup(Configuration conf) {
    this.conf = conf;
  }

  /** The lookup that fits the configuration: without YARN nothing is known. */
  static JobLookup of(Configuration conf) {
    return MRConfig.YARN_FRAMEWORK_NAME.equals(conf.get(MRConfig.FRAMEWORK_NAME))
        ? new YarnJobLookup(conf)
        : new Nothing();
  }

  @Override
  public JobFacts facts(String tag) {
    try {
      List<ApplicationId> found = tagged(tag, EnumSet.allOf(YarnApplicationState.class), false);
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

  static JobFacts facts(String id, Counters counters) {
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

  @Override
  public void kill(String tag) {
    EnumSet<YarnApplicationState> running =
        EnumSet.of(
            YarnApplicationState.NEW,
            YarnApplicationState.NEW_SAVING,
            YarnApplicationState.SUBMITTED,
            YarnApplicationState.ACCEPTED,
            YarnApplicationState.RUNNING);
    try {
      tagged(tag, running, true);
    } catch (IOException | YarnException | RuntimeException e) {
      LOG.warn("The job tagged {} could not be killed: {}", tag, e.toString());
    }
  }

  private List<ApplicationId> tagged(String tag, EnumSet<YarnApplicationState> states, boolean kill)
      throws IOException, YarnException {
    List<ApplicationId> found = new ArrayList<>();
    try (YarnClient yarn = YarnClient.createYarnClient()) {
      yarn.init(new YarnConfiguration(conf));
      yarn.start();
      for (ApplicationReport report :
          yarn.getApplications(Collections.singleton("MAPREDUCE"), states)) {
        if (report.getApplicationTags().contains(tag)) {
          found.add(report.getApplicationId());
          if (kill) {
            yarn.killApplication(report.getApplicationId());
          }
        }
      }
    }
    return found;
  }

  /** Jobs in this JVM leave no trace that could be asked for. */
  private static final class Nothing implements JobLookup {
    @Override
    public JobFacts facts(String tag) {
      return JobFacts.NONE;
    }

    @Override
    public void kill(String tag) {
      LOG.debug("No YARN: nothing to kill for {}", tag);
    }
  }
}
