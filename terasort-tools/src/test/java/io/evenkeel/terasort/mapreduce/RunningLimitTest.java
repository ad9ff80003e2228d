package io.evenkeel.terasort.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.LogLines;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunningLimitTest {
  @ParameterizedTest
  @CsvSource({"0,3,0", "-1,3,0", "3,3,0", "2,3,1"})
  void warnOfLimit_moreTasksThanMayRun_warns(String limit, int tasks, int warnings) {
    Configuration conf = new Configuration(false);
    conf.set("mapreduce.job.running.map.limit", limit);
    try (LogLines log = LogLines.of(BlockInputFormat.class)) {
      BlockInputFormat.warnOfLimit(conf, tasks);
      assertThat(log.at("WARN")).hasSize(warnings);
      assertThat(log.at("WARN")).allMatch(line -> line.contains("only the first 2 of 3 tasks"));
    }
  }
}
