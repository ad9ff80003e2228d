package io.evenkeel.mover.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.ipc.RemoteException;
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
}
