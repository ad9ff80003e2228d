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
import org.junit.jupiter.api.Tag;
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

  private static String page() {
    return "http://localhost:" + hdfs.getNameNode().getHttpAddress().getPort();
  }

  private static String status(File ticket) throws Exception {
    return run(ticket, "status", "--namenode", page());
  }

  private static String run(File ticket, String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Djava.security.krb5.conf=" + kdc.getKrb5conf());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Evenkeel.class.getName()));
    command.addAll(List.of(arguments));
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

  /** Pages, configuration and threads of all daemons; it takes a minute. */
  @Test
  @Tag("slow")
  void doctor_userWithATicket_seesTheCluster() throws Exception {
    assertThat(run(admin, "doctor", page(), "--minutes", "1"))
        .contains("round 7 of 7: 1 of 1 DataNodes answered")
        .contains("1 live DataNode on 1 host")
        .doesNotContain("401")
        .doesNotContain("403")
        .doesNotContain("its threads:")
        .doesNotContain("configuration of the NameNode:");
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
