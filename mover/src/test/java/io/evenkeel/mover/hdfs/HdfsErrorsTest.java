package io.evenkeel.mover.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import org.apache.hadoop.hdfs.server.namenode.SafeModeException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.net.NetUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a router answers to calls it does not pass on, and an older NameNode to newer ones. */
class HdfsErrorsTest {
  @ParameterizedTest
  @CsvSource({
    "java.lang.UnsupportedOperationException, Operation \"isUpgradeFinalized\" is not supported",
    "org.apache.hadoop.ipc.RpcNoSuchProtocolException, Unknown protocol: NamenodeProtocol",
    "org.apache.hadoop.ipc.RpcNoSuchMethodException, Unknown method isUpgradeFinalized"
  })
  void translate_callARouterDoesNotOffer_saysToNameTheNameNode(String type, String message) {
    IOException said =
        HdfsErrors.translate(
            new RemoteException(type, message + "\nat somewhere"),
            URI.create("hdfs://router:8888"),
            "isUpgradeFinalized");
    assertThat(said)
        .hasMessageStartingWith("hdfs://router:8888: isUpgradeFinalized: ")
        .hasMessageContaining("router")
        .hasMessageContaining("name the NameNode itself")
        .hasMessageNotContaining("\n");
  }

  @Test
  void translate_noNameNodeThere_saysThatAloneInALine() {
    IOException refused =
        NetUtils.wrapException("nn", 8020, "here", 0, new ConnectException("Connection refused"));
    String what = "isUpgradeFinalized" + HdfsConnection.SUPERUSER;
    assertThat(HdfsErrors.translate(refused, URI.create("hdfs://nn:8020"), what))
        .hasMessageStartingWith("hdfs://nn:8020: the NameNode does not answer: ")
        .hasMessageEndingWith("Connection refused");
  }

  @Test
  void isPassing_whatARestartOfTheNameNodeBrings_isTriedAgain() {
    assertThat(HdfsErrors.isPassing(new EOFException("End of File Exception"))).isTrue();
    assertThat(HdfsErrors.isPassing(new SafeModeException("on"))).isTrue();
    assertThat(HdfsErrors.isPassing(new ConnectException("refused"))).isFalse();
    assertThat(HdfsErrors.isPassing(new IOException("other"))).isFalse();
  }

  @Test
  void firstLine_noMessage_isTheNameOfTheException() {
    String type = "java.lang.ArrayIndexOutOfBoundsException";
    assertThat(HdfsErrors.firstLine(new RemoteException(type, "")))
        .isEqualTo("ArrayIndexOutOfBoundsException");
    assertThat(HdfsErrors.firstLine(new RemoteException(type, "\n\tat x"))).contains("OutOfBounds");
    assertThat(HdfsErrors.firstLine(new IOException())).isEqualTo("IOException");
    assertThat(HdfsErrors.firstLine(new IOException("a\nb"))).isEqualTo("a");
  }

  @ParameterizedTest
  @CsvSource({
    "/.reserved/.inodes/9, java.lang.IllegalArgumentException, '', true",
    "/.reserved/.inodes/9, java.lang.IllegalArgumentException, 'java.lang.IllegalArgumentException\n at', true",
    "/.reserved/.inodes/9, java.lang.IllegalArgumentException, too many, false",
    "/.reserved/.inodes/9, java.lang.IllegalStateException, '', false",
    "/.reserved/.inodes/9, java.io.FileNotFoundException, none, true",
    "/a, java.lang.IllegalArgumentException, '', false"
  })
  void isMissing_anInodeThatOnlyASnapshotHas_isOne(
      String path, String type, String message, boolean missing) {
    IOException e = new RemoteException(type, message.replace("\\n", "\n"));
    assertThat(HdfsErrors.isMissing(e, path)).isEqualTo(missing);
  }
}
