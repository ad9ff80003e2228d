package io.evenkeel.mover.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.ipc.RemoteException;
import org.junit.jupiter.api.Test;

class SlowNodesTest {
  private static final Object[] ONE_SLOW = {
    new DatanodeInfo.DatanodeInfoBuilder()
        .setNodeID(new DatanodeID("1.2.3.4", "host", "slow-uuid", 1, 2, 3, 4))
        .build()
  };

  private IOException failure;
  private int asked;

  private final SlowNodes slow = new SlowNodes(this::report);

  private Object[] report() throws IOException {
    asked++;
    if (failure != null) {
      throw new IOException("what was asked: " + failure.getMessage(), failure);
    }
    return ONE_SLOW;
  }

  @Test
  void uuids_fromTheSecondTimeOn_areAskedFor() {
    assertThat(slow.uuids()).isEmpty();
    assertThat(asked).isZero();
    assertThat(slow.uuids()).containsExactly("slow-uuid");
  }

  @Test
  void uuids_afterAFailover_areKnownAgain() {
    slow.uuids();
    failure = new RemoteException("org.apache.hadoop.ipc.StandbyException", "standby");
    assertThat(slow.uuids()).isEmpty();
    failure = new IOException("connection reset");
    assertThat(slow.uuids()).isEmpty();
    failure = null;
    assertThat(slow.uuids()).containsExactly("slow-uuid");
  }

  @Test
  void uuids_theNameNodeHasNoSuchCall_isNotAskedAgain() {
    slow.uuids();
    failure = new RemoteException("org.apache.hadoop.ipc.RpcNoSuchMethodException", "Unknown");
    assertThat(slow.uuids()).isEmpty();
    assertThat(slow.uuids()).isEmpty();
    assertThat(asked).isEqualTo(1);
  }

  @Test
  void uuids_aClientWithoutTheCall_asksNobody() {
    SlowNodes none = new SlowNodes(null);
    assertThat(none.uuids()).isEmpty();
    assertThat(none.uuids()).isEmpty();
  }
}
