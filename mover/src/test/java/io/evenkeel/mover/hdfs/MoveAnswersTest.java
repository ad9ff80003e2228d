package io.evenkeel.mover.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.mover.core.task.MoveResult;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MoveAnswersTest {
  /** Texts of DataNodes, the second and third of the one that copies, as the target passes them. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "BUSY       | Not able to receive block 7 from /1.2.3.4:5 because threads quota=2 is"
            + " exceeded.",
        "PROXY_BUSY | opReplaceBlock BP-1:blk_7_1 received exception java.io.IOException: Got"
            + " error, status=ERROR, status message Not able to copy block 7 to /1.2.3.4:5"
            + " because threads quota=2 is exceeded., copy block BP-1:blk_7_1 from /1.2.3.4:6",
        "PINNED     | opReplaceBlock BP-1:blk_7_1 received exception java.io.IOException: Got"
            + " error, status message Not able to copy block 7 to /1.2.3.4:5 because it's pinned",
        "PROXY_UNREACHABLE | opReplaceBlock BP-1:blk_7_1 received exception"
            + " java.net.ConnectException: Connection refused",
        "PROXY_UNREACHABLE | opReplaceBlock BP-1:blk_7_1 received exception"
            + " java.io.EOFException: Unexpected EOF while trying to read response from server",
        "PROXY_UNREACHABLE | opReplaceBlock BP-1:blk_7_1 received exception"
            + " java.net.SocketTimeoutException: 60000 millis timeout while waiting for channel",
        "NO_SPACE   | opReplaceBlock BP-1:blk_7_1 received exception"
            + " org.apache.hadoop.util.DiskChecker$DiskOutOfSpaceException: Out of space",
        "FAILED     | something else"
      })
  void of_errorOfADataNode_saysWhoseItIs(MoveResult.Kind kind, String message) {
    BlockOpResponseProto answer =
        BlockOpResponseProto.newBuilder().setStatus(Status.ERROR).setMessage(message).build();

    MoveResult result = MoveAnswers.of(answer);

    assertThat(result.kind()).isEqualTo(kind);
    assertThat(result.isBusy()).isEqualTo(kind.name().endsWith("BUSY"));
  }
}
