package io.evenkeel.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntBiFunction;
import org.junit.jupiter.api.Test;

class PlanTest {
  private static final Path DIR = Path.of("/c");
  private static final Software SOFTWARE =
      new Software(
          List.of(Path.of("/h.jar")),
          List.of(Path.of("/p.jar")),
          Map.of("dfs.plug", "P"),
          List.of());

  private final Set<String> given = new HashSet<>();
  private final ToIntBiFunction<String, Integer> ports =
      (address, preferred) -> {
        int port = preferred;
        while (!given.add(address + ":" + port)) {
          port++;
        }
        return port;
      };

  private Plan plan(ClusterRequest request, boolean own) {
    return new Plan(DIR, request.checked(), own, ports, SOFTWARE);
  }

  @Test
  void conf_dataNode_hasItsOwnAddressNameAndVolumes() {
    Map<String, String> dn3 = plan(new ClusterRequest(), true).conf("dn3");
    assertThat(dn3)
        .containsEntry("dfs.datanode.hostname", "dn3")
        .containsEntry("dfs.datanode.address", "127.0.2.1:9866")
        .containsEntry(
            "dfs.datanode.data.dir",
            "[DISK]file:///c/nodes/dn3/data/disk,[SSD]file:///c/nodes/dn3/data/ssd")
        .containsEntry("fs.defaultFS", "hdfs://127.0.0.1:8020")
        .containsEntry("dfs.plug", "P");
    assertThat(dn3.get("hadoop.configured.node.mapping"))
        .contains("dn3=/rack1/host2", "127.0.2.1=/rack1/host2");
  }

  @Test
  void conf_oneAddressForAll_usesDistinctPortsAndHostNames() {
    Plan plan = plan(new ClusterRequest().yarn(true), false);
    Set<String> addresses = new HashSet<>();
    for (Member m : plan.members()) {
      assertThat(addresses.add(m.address() + ":" + m.port())).as(m.name()).isTrue();
    }
    assertThat(plan.conf("dn1"))
        .containsEntry("dfs.client.use.datanode.hostname", "true")
        .doesNotContainKey("hadoop.rpc.socket.factory.class.default");
    assertThat(plan.source("dn1")).isNull();
  }

  @Test
  void source_ownAddresses_isSetForVmsOnly() {
    Plan plan = plan(new ClusterRequest().yarn(true), true);
    assertThat(plan.source("dn2")).isEqualTo("127.0.1.2");
    assertThat(plan.source("nm2")).isEqualTo("127.0.1.2");
    assertThat(plan.source("nn")).isNull();
    assertThat(plan.source(Plan.CLIENT)).isNull();
  }

  @Test
  void options_ofDataNodes_areNobodyElses() {
    Plan plan = plan(new ClusterRequest().yarn(true).dataNodeOptions(List.of("-Dx=y")), true);
    assertThat(plan.options("dn2")).containsExactly("-Dx=y");
    assertThat(plan.options("nn")).isEmpty();
    assertThat(plan.options("nm2")).isEmpty();
    assertThat(plan.options(Plan.CLIENT)).isEmpty();
  }

  @Test
  void conf_volumes_haveADirectoryEach() {
    Plan plan = plan(new ClusterRequest().volumes(List.of("DISK", "ARCHIVE", "DISK")), true);
    assertThat(plan.conf("dn1"))
        .containsEntry(
            "dfs.datanode.data.dir",
            "[DISK]file:///c/nodes/dn1/data/disk,[ARCHIVE]file:///c/nodes/dn1/data/archive,"
                + "[DISK]file:///c/nodes/dn1/data/disk2");
    assertThatThrownBy(() -> plan(new ClusterRequest().volumes(List.of("FLOPPY")), true))
        .hasMessage("--volumes 'FLOPPY': one of DISK, SSD, ARCHIVE, RAM_DISK");
  }

  /** Of two clusters on one machine, fsck asked the one with the standard port. */
  @Test
  void conf_client_asksTheWebServerOfItsOwnNameNode() {
    Plan plan = plan(new ClusterRequest(), true);
    assertThat(plan.conf(Plan.CLIENT)).containsEntry("dfs.namenode.http-address", "127.0.0.1:9870");
    assertThat(plan.publicConf()).containsEntry("dfs.namenode.http-address", "127.0.0.1:9870");
  }

  @Test
  void conf_userKey_winsInEveryProcess() {
    ClusterRequest request =
        new ClusterRequest().yarn(true).conf(List.of("dfs.plug=X", "dfs.heartbeat.interval=7"));
    Plan plan = plan(request, true);
    for (Member m : plan.members()) {
      assertThat(plan.conf(m.name()))
          .as(m.name())
          .containsEntry("dfs.plug", "X")
          .containsEntry("dfs.heartbeat.interval", "7");
    }
    assertThat(plan.publicConf()).containsEntry("dfs.plug", "X");
  }

  @Test
  void publicConf_anyClient_needsNoClassOfOurs() {
    assertThat(plan(new ClusterRequest(), true).publicConf().values())
        .noneMatch(v -> v.startsWith("io.evenkeel"));
  }

  @Test
  void members_withYarn_oneNodeManagerPerVm() {
    List<Member> members = plan(new ClusterRequest().layout(2, 1, 1).yarn(true), true).members();
    assertThat(members)
        .extracting(Member::name)
        .containsExactly("nn", "dn1", "dn2", "rm", "nm1", "nm2");
    assertThat(members.get(5).host()).isEqualTo("host2");
  }

  @Test
  void twoNameNodes_shareEditsAndAreOneFileSystem() {
    Plan plan = plan(new ClusterRequest().layout(2, 1, 1).nameNodes(2), true);
    assertThat(plan.members())
        .extracting(Member::name)
        .containsExactly("nn1", "nn2", "jn1", "jn2", "jn3", "dn1", "dn2");
    assertThat(plan.publicConf())
        .containsEntry("fs.defaultFS", "hdfs://evenkeel")
        .containsEntry("dfs.ha.namenodes.evenkeel", "nn1,nn2")
        .containsEntry("dfs.namenode.rpc-address.evenkeel.nn1", "127.0.0.1:8020")
        .containsEntry("dfs.namenode.rpc-address.evenkeel.nn2", "127.0.0.1:8021")
        .containsEntry(
            "dfs.namenode.shared.edits.dir",
            "qjournal://127.0.0.1:8485;127.0.0.1:8486;127.0.0.1:8487/evenkeel")
        .doesNotContainKeys("dfs.namenode.http-address", "dfs.ha.namenode.id");
    assertThat(plan.webs()).hasSize(2);
    assertThat(plan.conf("nn2"))
        .containsEntry("dfs.ha.namenode.id", "nn2")
        .containsEntry("dfs.namenode.name.dir", "file:///c/nodes/nn2/name");
    assertThat(plan.conf("jn3")).containsEntry("dfs.journalnode.rpc-address", "127.0.0.1:8487");
    assertThat(plan.hosts(List.of())).startsWith("127.0.0.1 localhost nn1 nn2 jn1 jn2 jn3 rm\n");
  }

  @Test
  void threeNameNodes_areRefused() {
    assertThatThrownBy(() -> plan(new ClusterRequest().nameNodes(3), true))
        .hasMessage("3 NameNodes: 1 or 2");
  }

  @Test
  void hosts_everyName_resolvesOnce() {
    String hosts = plan(new ClusterRequest().layout(1, 2, 1), true).hosts(List.of("machine"));
    assertThat(hosts)
        .isEqualTo("127.0.0.1 localhost machine nn rm\n127.0.1.1 dn1\n127.0.1.2 dn2\n");
  }
}
