package io.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.hadoop.security.AuthenticationFilterInitializer;
import org.apache.kerby.kerberos.kerb.client.KrbClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Commands that ask web servers which want Kerberos, as a user with the ticket of kinit. */
@Timeout(300)
class KerberosWebIT {
  @TempDir private static Path dir;
  private static MiniKdc kdc;
  private static MiniDFSCluster hdfs;
  private static File admin;
  private static File other;

  @BeforeAll
  static void start() throws Exception {
    kdc = new MiniKdc(MiniKdc.createConf(), dir.toFile());
    kdc.start();
    File keytab = dir.resolve("http.keytab").toFile();
    kdc.createPrincipal(keytab, "HTTP/localhost");
    admin = ticket("admin");
    other = ticket("other");
    Configuration conf = new Configuration();
    conf.set("hadoop.http.filter.initializers", AuthenticationFilterInitializer.class.getName());
    String http = "hadoop.http.authentication.";
    conf.set(http + "type", "kerberos");
    conf.set(http + "kerberos.principal", "HTTP/localhost@" + kdc.getRealm());
    conf.set(http + "kerberos.keytab", keytab.getPath());
    Path secret = Files.writeString(dir.resolve("secret"), "secret");
    conf.set(http + "signature.secret.file", secret.toString());
    conf.set("hadoop.security.authorization", "true");
    conf.set("hadoop.security.instrumentation.requires.admin", "true");
    conf.set(DFSConfigKeys.DFS_ADMIN, "admin");
    conf.set("hdfs.minidfs.basedir", dir.resolve("hdfs").toString());
    hdfs = new MiniDFSCluster.Builder(conf).numDataNodes(1).build();
  }

  @AfterAll
  static void stop() {
    hdfs.shutdown();
    kdc.stop();
  }

  private static File ticket(String user) throws Exception {
    File keytab = dir.resolve(user + ".keytab").toFile();
    kdc.createPrincipal(keytab, user);
    KrbClient client = new KrbClient(kdc.getKrb5conf().getParentFile());
    client.setAllowUdp(false);
    client.init();
    File cache = dir.resolve(user + ".ticket").toFile();
    client.storeTicket(client.requestTgt(user + "@" + kdc.getRealm(), keytab), cache);
    return cache;
  }

  private static String status(File ticket) throws Exception {
    String page = "http://localhost:" + hdfs.getNameNode().getHttpAddress().getPort();
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Djava.security.krb5.conf=" + kdc.getKrb5conf());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Evenkeel.class.getName()));
    command.addAll(List.of("status", "--namenode", page));
    Path said = dir.resolve("said");
    ProcessBuilder program = new ProcessBuilder(command).redirectErrorStream(true);
    program.environment().put("KRB5CCNAME", ticket.getPath());
    Process process = program.redirectOutput(said.toFile()).start();
    try {
      assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    return Files.readString(said);
  }

  /** The NameNode is named by its host, and says of the DataNode its address only. */
  @Test
  void status_userWithATicket_isAnsweredByNameNodeAndDataNode() throws Exception {
    assertThat(status(admin))
        .containsPattern("NameNode localhost:\\d+ \\(active\\) +\\d")
        .containsPattern("DataNode 127[.]0[.]0[.]1:\\d+ +\\d")
        .doesNotContain("answered");
  }

  @Test
  void status_noTicket_saysToGetOne() throws Exception {
    assertThat(status(dir.resolve("none").toFile()))
        .contains("answered 401: it asks for Kerberos, and there is no ticket it takes; run kinit");
  }

  @Test
  void status_userWhoIsNoAdministrator_isToldApart() throws Exception {
    assertThat(status(other))
        .contains(
            "answered 403: this user may not see it"
                + " (hadoop.security.instrumentation.requires.admin)");
  }
}
