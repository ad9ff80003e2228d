package io.evenkeel.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LogsTest {
  @Test
  void cause_stackTrace_isTheInnermostException() {
    List<String> log =
        List.of(
            "2026-01-01 00:00:00,000 ERROR namenode.NameNode: Failed to start namenode.",
            "java.net.BindException: Problem binding to [localhost:8020]",
            "\tat org.apache.hadoop.net.NetUtils.wrapWithMessage(NetUtils.java:1)",
            "Caused by: java.net.BindException: Address already in use",
            "\tat sun.nio.ch.Net.bind0(Native Method)",
            "2026-01-01 00:00:00,001 INFO  util.ExitUtil: Exiting with status 1");
    assertThat(Logs.cause(log)).isEqualTo("java.net.BindException: Address already in use");
    assertThat(Logs.tail(log, 2)).containsExactly(log.get(3), log.get(5));
  }

  @Test
  void cause_noException_isTheLastLine() {
    assertThat(Logs.cause(List.of("a", "b"))).isEqualTo("b");
    assertThat(Logs.cause(List.of())).isEqualTo("its log is empty");
  }
}
