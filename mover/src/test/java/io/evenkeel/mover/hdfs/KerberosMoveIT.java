package io.evenkeel.mover.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.mover.engine.AccessDeniedException;
import java.io.File;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.Properties;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A cluster whose users and servers have Kerberos principals. */
class KerberosMoveIT {
  private static MiniKdc kdc;
  private static File hdfs;
  private static File alice;

  @BeforeAll
  static void startKdc(@TempDir Path dir) throws Exception {
    Properties conf = MiniKdc.createConf();
    kdc = new MiniKdc(conf, dir.toFile());
    kdc.start();
    hdfs = dir.resolve("hdfs.keytab").toFile();
    kdc.createPrincipal(hdfs, "hdfs/localhost", "HTTP/localhost");
    alice = dir.resolve("alice.keytab").toFile();
    kdc.createPrincipal(alice, "alice/localhost");
  }

  @AfterAll
  static void stopKdc() {
    kdc.stop();
    UserGroupInformation.reset();
    UserGroupInformation.setConfiguration(new Configuration());
  }

  private static Configuration conf(Path dir, String protection, boolean encrypted) {
    Configuration conf = MoverCluster.conf(dir);
    String principal = "hdfs/localhost@" + kdc.getRealm();
    conf.set("hadoop.security.authentication", "kerberos");
    for (String server : new String[] {"namenode", "datanode"}) {
      conf.set("dfs." + server + ".kerberos.principal", principal);
      conf.set("dfs." + server + ".keytab.file", hdfs.getPath());
    }
    conf.set("dfs.web.authentication.kerberos.principal", "HTTP/localhost@" + kdc.getRealm());
    conf.set("dfs.web.authentication.kerberos.keytab", hdfs.getPath());
    conf.setBoolean("dfs.block.access.token.enable", true);
    conf.set("dfs.data.transfer.protection", protection);
    conf.setBoolean("dfs.encrypt.data.transfer", encrypted);
    // The web servers of the DataNodes need no certificates then; what they transfer is protected.
    conf.setBoolean("ignore.secure.ports.for.testing", true);
    return conf;
  }

  private static UserGroupInformation login(String name, File keytab) throws Exception {
    return UserGroupInformation.loginUserFromKeytabAndReturnUGI(
        name + "/localhost@" + kdc.getRealm(), keytab.getPath());
  }

  @ParameterizedTest
  @CsvSource({"authentication, false", "privacy, false", "privacy, true"})
  void superuser_moves_othersAreDenied(String protection, boolean encrypted, @TempDir Path dir)
      throws Exception {
    Configuration conf = conf(dir, protection, encrypted);
    UserGroupInformation.setConfiguration(conf);
    UserGroupInformation.loginUserFromKeytab("hdfs/localhost@" + kdc.getRealm(), hdfs.getPath());
    try (MoverCluster cluster = MoverCluster.start(conf, 4)) {
      SecureMoveIT.moveFile(cluster, "/f");
      login("alice", alice)
          .doAs(
              (PrivilegedExceptionAction<Void>)
                  () -> {
                    try (HdfsConnection connection = cluster.connect()) {
                      assertThatThrownBy(() -> connection.checkUpgrade(false))
                          .isInstanceOf(AccessDeniedException.class)
                          .hasMessageContaining("alice");
                      assertThatThrownBy(connection::blockKeys)
                          .isInstanceOf(AccessDeniedException.class)
                          .hasMessageContaining("alice");
                      assertThat(new HdfsNamespace(connection).list("/f", null).files()).hasSize(1);
                    }
                    return null;
                  });
    }
  }
}
