package io.evenkeel.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterStateTest {
  private static final Member NN =
      new Member(
          Member.Kind.NAMENODE, "nn", "", "", "127.0.0.1", 8020, 11, 99L, List.of("nodes/nn/name"));
  private static final Member DN =
      new Member(
          Member.Kind.DATANODE,
          "dn1",
          "host1",
          "rack1",
          "127.0.1.1",
          9866,
          0,
          0,
          List.of("a", "b"));
  private static final Member NM =
      new Member(
          Member.Kind.NODEMANAGER, "nm1", "host1", "rack1", "127.0.1.1", 8041, 0, 0, List.of());
  private static final ClusterState STATE =
      new ClusterState(
          "3.5.0",
          List.of("p.jar"),
          "127.0.0.1:8020",
          List.of("127.0.0.1:9870"),
          true,
          List.of(NN, DN, NM));

  @TempDir private Path dir;

  @Test
  void write_thenRead_givesTheSame() throws Exception {
    STATE.write(dir);
    assertThat(ClusterState.read(dir)).contains(STATE);
    assertThat(Files.list(dir)).containsExactly(dir.resolve(ClusterState.FILE));
  }

  @Test
  void write_twoNameNodes_bothWebServersAreRead() throws Exception {
    ClusterState two =
        new ClusterState(
            "3.5.0", List.of(), "evenkeel", List.of("a:1", "b:2"), true, List.of(NN, DN));
    two.write(dir);
    assertThat(ClusterState.read(dir)).contains(two);
  }

  @Test
  void read_noFile_isEmpty() {
    assertThat(ClusterState.read(dir)).isEmpty();
  }

  @Test
  void read_damagedOrForeign_saysWhatToDo() throws Exception {
    for (String text : new String[] {"", "{", "[]", "{\"format\": 2}", "{\"format\": 1}"}) {
      Files.writeString(dir.resolve(ClusterState.FILE), text);
      assertThatThrownBy(() -> ClusterState.read(dir))
          .as(text)
          .isInstanceOf(CommandException.class)
          .hasMessageContaining("cluster stop");
    }
  }

  @Test
  void named_hostOrProcess_findsItsMembers() {
    assertThat(STATE.named("host1")).containsExactly(DN, NM);
    assertThat(STATE.named("dn1")).containsExactly(DN);
    assertThatThrownBy(() -> STATE.named("dn9"))
        .hasMessageContaining("dn1")
        .isInstanceOfSatisfying(
            CommandException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE));
  }

  @Test
  void named_emptyName_isNotTheProcessesWithoutHost() {
    assertThatThrownBy(() -> STATE.named(""))
        .isInstanceOfSatisfying(
            CommandException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE));
  }

  @Test
  void with_startedMember_replacesOnlyThat() {
    ClusterState next = STATE.with(DN.running(42, 7));
    assertThat(next.named("dn1").get(0).pid()).isEqualTo(42);
    assertThat(next.named("nn")).containsExactly(NN);
  }

  @Test
  void healthy_deadProcessOrUnfinishedStart_isNot() {
    ClusterStatus.Row up = new ClusterStatus.Row(NN, true, "");
    assertThat(new ClusterStatus(STATE, List.of(up)).healthy()).isTrue();
    assertThat(
            new ClusterStatus(STATE, List.of(up, new ClusterStatus.Row(DN, false, "live")))
                .healthy())
        .isFalse();
    assertThat(
            new ClusterStatus(STATE, List.of(up, new ClusterStatus.Row(DN, true, "dead")))
                .healthy())
        .isFalse();
    ClusterState unfinished =
        new ClusterState("3.5.0", List.of(), "a:1", List.of("b:2"), false, List.of(NN));
    assertThat(new ClusterStatus(unfinished, List.of(up)).healthy()).isFalse();
  }
}
