package io.evenkeel.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("once")
class ClusterSpecTest {
  private static void assertUsage(ThrowingCallable action, String text) {
    assertThatThrownBy(action)
        .hasMessageContaining(text)
        .isInstanceOfSatisfying(
            CommandException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE));
  }

  @Test
  void parseConf_valueWithEqualsOrEmpty_isKept() {
    assertThat(ClusterSpec.parseConf(List.of("a.b=x=y", "c=", "a.b = z ")))
        .containsEntry("a.b", "z")
        .containsEntry("c", "");
    assertThat(ClusterSpec.parseConf(List.of("a=x=y"))).containsEntry("a", "x=y");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "dfs.blocksize", "=1", " =1", "a b=1"})
  void parseConf_malformed_isUsage(String text) {
    assertUsage(() -> ClusterSpec.parseConf(List.of(text)), "write key=value");
  }

  @Test
  void checked_keyOfTheClusterItself_isUsage() {
    ClusterRequest request = new ClusterRequest().conf(List.of("dfs.datanode.data.dir=/data"));
    assertUsage(request::checked, "dfs.datanode.data.dir: this key is set by the cluster");
  }

  @Test
  void checked_replicationWithoutOption_isCappedByTheDataNodes() {
    assertThat(new ClusterRequest().layout(1, 2, 1).checked().replication()).isEqualTo(2);
    assertThat(new ClusterRequest().layout(3, 2, 1).checked().replication()).isEqualTo(3);
  }

  @Test
  void checked_replicationOutOfRange_isUsage() {
    assertUsage(new ClusterRequest().replication(0)::checked, "--replication 0");
    assertUsage(new ClusterRequest().replication(7)::checked, "the number of VMs, 6");
  }

  @Test
  void checked_noTime_isUsage() {
    assertUsage(new ClusterRequest().timeout(Duration.ZERO)::checked, "--timeout");
  }

  @Test
  void checked_portsOutOfRange_isUsage() {
    assertUsage(new ClusterRequest().portsFrom(9866)::checked, "ports from 9866");
    assertUsage(new ClusterRequest().portsFrom(32_000)::checked, "ports from 32000");
    assertThat(new ClusterRequest().portsFrom(31_999).checked().firstPort()).isEqualTo(31_999);
  }
}
