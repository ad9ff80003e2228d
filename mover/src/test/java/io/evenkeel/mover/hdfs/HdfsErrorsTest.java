package io.evenkeel.mover.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import org.apache.hadoop.hdfs.server.namenode.SafeModeException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a router answers to calls it does not pass on, and an older NameNode to newer ones. */
class HdfsErrorsTest {
  private static final URI NAME_NODE = URI.create("hdfs://nn:8020");

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

  /** With HA the active NameNode wraps it while it starts. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void translate_safeMode_saysThatAlone(boolean wrapped) {
    String said = "Cannot delete /a. Name node is in safe mode.\nThe reported blocks 0 ...";
    String type = SafeModeException.class.getName();
    RemoteException e =
        wrapped
            ? new RemoteException(RetriableException.class.getName(), type + ": " + said)
            : new RemoteException(type, said);
    assertThat(HdfsErrors.translate(e, NAME_NODE, "list /a"))
        .hasMessage("hdfs://nn:8020: list /a: the NameNode is in safe mode");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "java.net.ConnectException",
        "java.net.UnknownHostException",
        "java.net.SocketTimeoutException"
      })
  void translate_theNameNodeTellsOfAnotherServer_isNotSaidToBeAway(String type) {
    RemoteException e = new RemoteException(type, "kms2 is away\n\tat x");
    assertThat(HdfsErrors.translate(e, NAME_NODE, "list /a"))
        .hasMessage("hdfs://nn:8020: list /a: kms2 is away");
  }

  @Test
  void translate_theConnectionEnds_namesNoWiki() {
    IOException e = NetUtils.wrapException("nn", 8020, "here", 0, new EOFException());
    assertThat(HdfsErrors.translate(e, NAME_NODE, "list /a"))
        .hasMessageStartingWith("hdfs://nn:8020: list /a: End of File Exception")
        .hasMessageNotContaining("details");
  }

  @ParameterizedTest
  @CsvSource({
    "hdfs://nn:8020, this NameNode is a standby; name the nameservice or the active one",
    "hdfs://ns, none of its NameNodes is active now"
  })
  void translate_standby_saysWhatHelps(URI uri, String said) {
    RemoteException e =
        new RemoteException(StandbyException.class.getName(), "Operation category READ\n\tat x");
    assertThat(HdfsErrors.translate(e, uri, "list /a")).hasMessage(uri + ": list /a: " + said);
  }

  @ParameterizedTest
  @CsvSource({
    "/f (is not a directory), true",
    "'Permission denied: user=a, access=EXECUTE, inode=\"/not a directory\":b:c:drwx------', false",
    "Permission denied. user=a is not the owner of inode=/x (is not a directory), false"
  })
  void isMissing_denied_isOneBelowAFileAlone(String message, boolean missing) {
    String type = AccessControlException.class.getName();
    assertThat(HdfsErrors.isMissing(new RemoteException(type, message + "\n\tat x")))
        .isEqualTo(missing);
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
    "/.reserved/.inodes/9, java.lang.IllegalArgumentException,"
        + " 'java.lang.IllegalArgumentException\n"
        + " at', true",
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
