package io.evenkeel.mover.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.testing.Await;
import io.evenkeel.mover.engine.AccessDeniedException;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
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

  @Test
  void superuser_moves_othersAreDenied(@TempDir Path dir) throws Exception {
    moveAndDeny("privacy", false, dir);
  }

  /** Plain authentication is what the keytab's test has, encryption what SecureMoveIT has. */
  @ParameterizedTest
  @CsvSource({"authentication, false", "privacy, true"})
  @Tag("slow")
  void superuser_underOtherProtection_moves_othersAreDenied(
      String protection, boolean encrypted, @TempDir Path dir) throws Exception {
    moveAndDeny(protection, encrypted, dir);
  }

  private static void moveAndDeny(String protection, boolean encrypted, Path dir) throws Exception {
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

  /** Processes nobody has logged in for: what counts is the keytab their configuration names. */
  @Test
  void keytabOfItsOwn_commandAndDaemonMove(@TempDir Path dir) throws Exception {
    Configuration conf = conf(dir, "authentication", false);
    UserGroupInformation.setConfiguration(conf);
    UserGroupInformation.loginUserFromKeytab("hdfs/localhost@" + kdc.getRealm(), hdfs.getPath());
    try (MoverCluster cluster = MoverCluster.start(conf, 3)) {
      Path site = dir.resolve("site.xml");
      try (OutputStream out = Files.newOutputStream(site)) {
        cluster.conf().writeXml(out);
      }
      HdfsConnection connection = cluster.connect();
      HdfsNamespace namespace = new HdfsNamespace(connection);
      cluster.write("/cold/f", 2 * MoverCluster.BLOCK, 3);
      cluster.fs().setStoragePolicy(path("/cold"), "COLD");

      Process stranger = tool(dir, site, "/cold");
      assertThat(stranger.waitFor()).as(printed(dir)).isIn(1, 5); // could not run, or denied
      Process asAlice = tool(dir, site, keytab("alice", alice), "/cold");
      assertThat(asAlice.waitFor()).as(printed(dir)).isEqualTo(ExitCode.DENIED.code());
      Process asHdfs = tool(dir, site, keytab("hdfs", hdfs), "/cold");
      assertThat(asHdfs.waitFor()).as(printed(dir)).isZero();
      MoverCluster.awaitAll(namespace, "/cold/f", "ARCHIVE", 3);

      cluster.fs().mkdirs(path("/hot"));
      cluster.fs().setStoragePolicy(path("/hot"), "ALL_SSD");
      String prefixes = "-Devenkeel.mover.follow.prefixes=/hot";
      String scans = "-Devenkeel.mover.follow.scan-interval=6h"; // it may start after the rename
      Process daemon = tool(dir, site, keytab("hdfs", hdfs), prefixes, scans, "--follow");
      try {
        assertThat(cluster.fs().rename(path("/cold/f"), path("/hot/f"))).isTrue();
        MoverCluster.awaitAll(namespace, "/hot/f", "SSD", 3);
      } catch (AssertionError e) {
        throw new AssertionError(printed(dir), e);
      } finally {
        daemon.destroy();
        assertThat(daemon.waitFor(60, TimeUnit.SECONDS)).as("it ends").isTrue();
        connection.close();
      }
    }
  }

  /**
   * A daemon whose tickets end after half a minute, while it runs: it has to log in again to reach
   * a NameNode that was restarted.
   */
  @Test
  @Tag("slow")
  void keytabOfItsOwn_ticketEnds_daemonGoesOn(@TempDir Path dir) throws Exception {
    Configuration conf = conf(dir, "authentication", false);
    UserGroupInformation.setConfiguration(conf);
    UserGroupInformation.loginUserFromKeytab("hdfs/localhost@" + kdc.getRealm(), hdfs.getPath());
    String krb5 = Files.readString(Path.of(System.getProperty("java.security.krb5.conf")));
    Path shortLived = dir.resolve("krb5.conf");
    Files.writeString(
        shortLived, krb5.replace("[libdefaults]", "[libdefaults]\n    ticket_lifetime = 30s"));
    try (MoverCluster cluster = MoverCluster.start(conf, 3)) {
      Path site = dir.resolve("site.xml");
      try (OutputStream out = Files.newOutputStream(site)) {
        cluster.conf().writeXml(out);
      }
      cluster.write("/f", 2 * MoverCluster.BLOCK, 3);
      cluster.fs().mkdirs(path("/hot"));
      cluster.fs().setStoragePolicy(path("/hot"), "ALL_SSD");
      cluster.fs().mkdirs(path("/cold"));
      cluster.fs().setStoragePolicy(path("/cold"), "COLD");
      Process daemon =
          tool(
              dir,
              site,
              shortLived,
              keytab("hdfs", hdfs),
              "-Dhadoop.kerberos.min.seconds.before.relogin=5",
              "-Devenkeel.mover.follow.prefixes=/hot,/cold",
              "-Devenkeel.mover.follow.scan-interval=6h",
              "--follow");
      try {
        long began = System.nanoTime();
        assertThat(cluster.fs().rename(path("/f"), path("/hot/f"))).isTrue();
        try (HdfsConnection connection = cluster.connect()) {
          MoverCluster.awaitAll(new HdfsNamespace(connection), "/hot/f", "SSD", 3);
        }
        Await.until(
            "the daemon's ticket has ended",
            Duration.ofSeconds(60),
            () -> System.nanoTime() - began > TimeUnit.SECONDS.toNanos(40),
            () -> "");
        cluster.mini().restartNameNode(0);
        assertThat(cluster.fs().rename(path("/hot/f"), path("/cold/f"))).isTrue();
        try (HdfsConnection connection = cluster.connect()) {
          MoverCluster.awaitAll(new HdfsNamespace(connection), "/cold/f", "ARCHIVE", 3);
        }
      } catch (AssertionError e) {
        throw new AssertionError(printed(dir), e);
      } finally {
        daemon.destroy();
        assertThat(daemon.waitFor(60, TimeUnit.SECONDS)).as("it ends").isTrue();
      }
    }
  }

  private static org.apache.hadoop.fs.Path path(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }

  /** The generic options that name a keytab as stock's mover takes it. */
  private static String keytab(String name, File file) {
    return String.join(
        " ",
        "-Ddfs.mover.keytab.enabled=true",
        "-Ddfs.mover.keytab.file=" + file,
        "-Ddfs.mover.kerberos.principal=" + name + "/localhost@" + kdc.getRealm());
  }

  /** The command with arguments of several words each. */
  private static Process tool(Path dir, Path site, String... arguments) throws IOException {
    return tool(dir, site, Path.of(System.getProperty("java.security.krb5.conf")), arguments);
  }

  private static Process tool(Path dir, Path site, Path krb5, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String argument : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (argument.startsWith("--add-")) {
        command.add(argument);
      }
    }
    command.addAll(
        List.of(
            "-XX:TieredStopAtLevel=1", // it ends soon
            "-XX:+UseSerialGC",
            "-Djava.security.krb5.conf=" + krb5,
            "-Dlog4j.configuration=" + System.getProperty("log4j.configuration"),
            "-cp",
            System.getProperty("java.class.path"),
            "io.evenkeel.mover.MoverTool",
            "-conf",
            site.toString()));
    for (String words : arguments) {
      command.addAll(List.of(words.split(" ")));
    }
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(dir.resolve("printed").toFile()))
        .start();
  }

  private static String printed(Path dir) throws IOException {
    return Files.readString(dir.resolve("printed"));
  }
}
