package io.evenkeel.mover.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.LogLines;
import io.evenkeel.mover.core.plan.NodeView;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.apache.hadoop.ipc.RemoteException;
import org.junit.jupiter.api.Test;

/** The DataNodes that the NameNode calls slow. */
class LiveDataNodesTest {
  private static final DatanodeInfo NODE =
      new DatanodeInfo.DatanodeInfoBuilder()
          .setNodeID(new DatanodeID("1.2.3.4", "host", "uuid", 1, 2, 3, 4))
          .setNetworkLocation("/rack")
          .build();

  private IOException failure;
  private int asked;

  private final LiveDataNodes nodes = nodes(this::slow);

  private static LiveDataNodes nodes(HdfsConnection.Call<Object[]> slow) {
    DatanodeStorageReport[] live = {new DatanodeStorageReport(NODE, new StorageReport[0])};
    return new LiveDataNodes(new Configuration(), () -> live, slow);
  }

  private Object[] slow() throws IOException {
    asked++;
    if (failure != null) {
      throw new IOException("what was asked: " + failure.getMessage(), failure);
    }
    return new Object[] {NODE};
  }

  private static boolean isSlow(LiveDataNodes nodes) throws IOException {
    return nodes.refresh().node("uuid").use() == NodeView.Use.LAST_CHOICE;
  }

  @Test
  void slowOnes_fromTheSecondTimeOn_areAskedFor() throws IOException {
    assertThat(isSlow(nodes)).isFalse();
    assertThat(asked).isZero();
    assertThat(isSlow(nodes)).isTrue();
  }

  @Test
  void slowOnes_afterAFailover_areKnownAgain() throws IOException {
    isSlow(nodes);
    try (LogLines log = LogLines.of(LiveDataNodes.class)) {
      failure = new RemoteException("org.apache.hadoop.ipc.StandbyException", "standby");
      assertThat(isSlow(nodes)).isFalse();
      failure = new IOException("connection reset");
      assertThat(isSlow(nodes)).isFalse();
      failure = null;
      assertThat(isSlow(nodes)).isTrue();
      assertThat(log.at("INFO")).singleElement().asString().contains("not known now", "standby");
    }
  }

  @Test
  void slowOnes_theNameNodeHasNoSuchCall_isNotAskedAgain() throws IOException {
    isSlow(nodes);
    failure = new RemoteException("org.apache.hadoop.ipc.RpcNoSuchMethodException", "Unknown");
    assertThat(isSlow(nodes)).isFalse();
    assertThat(isSlow(nodes)).isFalse();
    assertThat(asked).isEqualTo(1);
  }

  @Test
  void slowOnes_aClientWithoutTheCall_asksNobody() throws IOException {
    LiveDataNodes none = nodes(null);
    assertThat(isSlow(none)).isFalse();
    assertThat(isSlow(none)).isFalse();
  }
}
