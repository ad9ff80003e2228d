package io.evenkeel.bench.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.bench.embedded.SuiteLog.ClientRead;
import org.apache.log4j.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SuiteLogTest {
  private static final Logger JOB = Logger.getLogger("org.apache.hadoop.mapreduce.Job");
  private static final Logger TRACE =
      Logger.getLogger("org.apache.hadoop.hdfs.server.datanode.DataNode.clienttrace");

  private final SuiteLog log = new SuiteLog();

  @AfterEach
  void close() {
    log.close();
  }

  @Test
  void job_progressIdAndCounters_areRead() {
    JOB.info("Running job: job_1700000000000_0007");
    JOB.info(" map 50% reduce 0%");
    JOB.info("Counters: 54\n\t\tLaunched map tasks=4\n\t\tCPU time spent (ms)=1640\n");
    assertThat(log.jobId()).isEqualTo("job_1700000000000_0007");
    assertThat(log.progress()).isEqualTo("map 50 %, reduce 0 %");
    assertThat(log.counter("CPU time spent (ms)")).isEqualTo(1640);
    assertThat(log.counter("Launched reduce tasks")).isEqualTo(-1);
  }

  @Test
  void trace_readOfATask_isKept_others_areNot() {
    TRACE.debug(trace("HDFS_READ", "DFSClient_attempt_1_0001_m_000000_0_5_1"));
    TRACE.debug(trace("HDFS_READ", "DFSClient_NONMAPREDUCE_1_1"));
    TRACE.debug(trace("HDFS_WRITE", "DFSClient_attempt_1_0001_m_000000_0_5_1"));
    assertThat(log.reads()).containsExactly(new ClientRead("127.0.1.1", "127.0.2.2", 1056768));
  }

  @Test
  void trace_formWithoutVolume_asBefore34_isReadAsWell() {
    TRACE.debug(
        trace("HDFS_READ", "DFSClient_attempt_1_0001_m_000000_0_5_1")
            .replace(", volume: /data/1", ""));
    assertThat(log.reads()).hasSize(1);
  }

  @Test
  void nextJob_forgetsTheLast() {
    JOB.info("Running job: job_1700000000000_0007");
    TRACE.debug(trace("HDFS_READ", "DFSClient_attempt_1_0001_m_000000_0_5_1"));
    log.nextJob();
    assertThat(log.jobId()).isEmpty();
    assertThat(log.reads()).isEmpty();
  }

  private static String trace(String operation, String client) {
    return "src: /127.0.1.1:40001, dest: /127.0.2.2:50001, volume: /data/1, bytes: 1056768, op: "
        + operation
        + ", cliID: "
        + client
        + ", offset: 0, srvID: 6b3c, blockid: BP-1:blk_1073741825_1001, duration(ns): 1200";
  }
}
