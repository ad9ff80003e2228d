package io.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which DataNodes are asked. */
class VolumesClusterTest extends VolumesCommandFixture {
  @Test
  void volumes_twoDataNodesInOneJvm_areTwoTablesWithoutTheGone() throws IOException {
    FakeDaemon dn =
        dataNode(List.of(volume("/one")))
            .bean(BEAN + ",instance=2", bean(List.of(volume("/two"))))
            .bean(BEAN + ",instance=3", Map.of("State", "gone", "Volumes", List.of()));
    assertThat(volumes(dn.url())).isZero();
    assertThat(out.toString())
        .contains("DataNode " + dn.address() + "\n")
        .contains("DataNode " + dn.address() + " (2)\n")
        .doesNotContain("(3)")
        .contains("/one", "/two");
  }

  @Test
  void volumes_noAddress_asksTheLiveDataNodesOfTheCluster() throws IOException {
    FakeDaemon one = dataNode(List.of(volume("/one")));
    FakeDaemon two = dataNode(List.of(volume("/two")));
    FakeDaemon nn = keep(FakeDaemon.nameNode("active", one, two));
    configure(nn);
    assertThat(volumes()).isZero();
    assertThat(out.toString())
        .startsWith("DataNodes: configuration in " + dir)
        .contains("DataNode " + one.address(), "DataNode " + two.address(), "/one", "/two")
        .doesNotContain("DataNode " + nn.address());
  }

  @Test
  void volumes_nameNodeOption_deadDataNodeAndSilentNameNodeAreIncomplete() throws IOException {
    FakeDaemon standby = keep(FakeDaemon.nameNode("standby"));
    standby.close();
    FakeDaemon nn =
        keep(FakeDaemon.nameNode("active", dataNode(List.of(volume("/d")))))
            .bean(
                "Hadoop:service=NameNode,name=NameNodeInfo",
                Map.of("DeadNodes", "{\"dn9:9866\":{\"decommissioned\":false}}"));
    assertThat(volumes("--namenode", nn.url(), "--namenode", standby.url())).isEqualTo(2);
    assertThat(out.toString())
        .contains("dn9:9866 is dead, says the NameNode")
        .contains("NameNode " + standby.address() + " did not answer: cannot be reached");
  }

  @Test
  void volumes_nameNodeGone_couldNotRun() throws IOException {
    FakeDaemon nn = keep(FakeDaemon.nameNode("active"));
    nn.close();
    assertThat(volumes("--namenode", nn.url())).isEqualTo(1);
    assertThat(out.toString()).contains("No DataNode to ask.").contains("did not answer");
  }

  @Test
  void volumes_clusterWithoutDataNodes_nothingToDo() throws IOException {
    assertThat(volumes("--namenode", keep(FakeDaemon.nameNode("active")).url())).isEqualTo(3);
    assertThat(out.toString()).contains("No DataNode to ask.");
  }

  @Test
  void volumes_noClusterNamed_saysWhatToDo() {
    assertThat(volumes()).isEqualTo(1);
    assertThat(err.toString()).contains("give --namenode URL or --conf DIR");
  }
}
