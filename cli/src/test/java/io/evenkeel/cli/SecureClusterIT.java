package io.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.cli.HadoopJvm;
import io.evenkeel.common.testing.Await;
import io.evenkeel.mover.FileMover;
import io.evenkeel.terasort.BlockTeraValidate;
import java.io.File;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** All plugins on a cluster with Kerberos, block tokens and encrypted transfer. */
@Timeout(600)
@Tag("slow")
class SecureClusterIT {
  private static final int FILES = 20;

  @TempDir private Path dir;
  private MiniKdc kdc;
  private File keytab;

  @BeforeEach
  void startKdc() throws Exception {
    kdc = new MiniKdc(MiniKdc.createConf(), dir.resolve("kdc").toFile());
    kdc.start();
    keytab = dir.resolve("hdfs.keytab").toFile();
    kdc.createPrincipal(keytab, "hdfs/localhost", "HTTP/localhost");
  }

  @AfterEach
  void stopKdc() {
    kdc.stop();
    UserGroupInformation.reset();
    UserGroupInformation.setConfiguration(new Configuration());
  }

  private Configuration conf() {
    Configuration conf = new HdfsConfiguration();
    String principal = "hdfs/localhost@" + kdc.getRealm();
    conf.set("hadoop.security.authentication", "kerberos");
    for (String server : new String[] {"namenode", "datanode"}) {
      conf.set("dfs." + server + ".kerberos.principal", principal);
      conf.set("dfs." + server + ".keytab.file", keytab.getPath());
    }
    conf.set("dfs.web.authentication.kerberos.principal", "HTTP/localhost@" + kdc.getRealm());
    conf.set("dfs.web.authentication.kerberos.keytab", keytab.getPath());
    conf.setBoolean("dfs.block.access.token.enable", true);
    conf.set("dfs.data.transfer.protection", "privacy");
    conf.setBoolean("dfs.encrypt.data.transfer", true);
    conf.setBoolean("ignore.secure.ports.for.testing", true);
    conf.set("hdfs.minidfs.basedir", dir.resolve("hdfs").toString());
    conf.setInt("dfs.heartbeat.interval", 1);
    conf.setInt("dfs.namenode.heartbeat.recheck-interval", 1000);
    conf.setInt("dfs.namenode.redundancy.interval.seconds", 1);
    conf.setInt("dfs.namenode.replication.interval", 1);
    conf.set("net.topology.impl", "org.apache.hadoop.net.NetworkTopologyWithNodeGroup");
    conf.setBoolean("dfs.use.dfs.network.topology", false);
    conf.set("dfs.block.replicator.classname", "io.evenkeel.placement.UniformBlockPlacementPolicy");
    conf.set(
        "dfs.datanode.fsdataset.volume.choosing.policy",
        "io.evenkeel.volume.LatencyAwareVolumeChoosingPolicy");
    conf.set("dfs.datanode.fsdataset.factory", "io.evenkeel.locking.FineGrainedDatasetFactory");
    return conf;
  }

  private static Set<String> states() throws Exception {
    Set<String> states = new HashSet<>();
    for (ObjectName bean :
        ManagementFactory.getPlatformMBeanServer()
            .queryNames(new ObjectName("io.evenkeel:type=Plugin,*"), null)) {
      states.add(
          bean.getKeyProperty("module")
              + " "
              + ManagementFactory.getPlatformMBeanServer().getAttribute(bean, "State"));
    }
    return states;
  }

  /** How many replicas each block has; 0 where two of a block are on one host. */
  private static long replicasApart(DistributedFileSystem fs, int file) throws Exception {
    long fewest = Long.MAX_VALUE;
    for (BlockLocation block : fs.getFileBlockLocations(path(file), 0, Long.MAX_VALUE)) {
      long hosts =
          Arrays.stream(block.getTopologyPaths())
              .map(each -> each.substring(0, each.lastIndexOf('/')))
              .distinct()
              .count();
      fewest = Math.min(fewest, hosts == block.getNames().length ? hosts : 0);
    }
    return fewest;
  }

  private static boolean allOnThreeHosts(DistributedFileSystem fs) throws Exception {
    for (int i = 0; i < FILES; i++) {
      if (replicasApart(fs, i) != 3) {
        return false;
      }
    }
    return true;
  }

  private static boolean isOn(DistributedFileSystem fs, int file, StorageType type)
      throws Exception {
    for (BlockLocation block : fs.getFileBlockLocations(path(file), 0, Long.MAX_VALUE)) {
      if (!Arrays.stream(block.getStorageTypes()).allMatch(type::equals)) {
        return false;
      }
    }
    return true;
  }

  private static org.apache.hadoop.fs.Path path(int file) {
    return new org.apache.hadoop.fs.Path("/data/f" + file);
  }

  @Test
  void allPlugins_writeLoseAHostAndMove_asWithoutSecurity() throws Exception {
    Configuration conf = conf();
    UserGroupInformation.setConfiguration(conf);
    UserGroupInformation.loginUserFromKeytab("hdfs/localhost@" + kdc.getRealm(), keytab.getPath());
    StorageType[] types = {StorageType.DISK, StorageType.SSD};
    try (MiniDFSCluster mini =
        new MiniDFSCluster.Builder(conf)
            .numDataNodes(5)
            .racks(new String[] {"/r0/h0", "/r0/h1", "/r1/h2", "/r1/h3", "/r1/h3"})
            .storageTypes(types)
            .build()) {
      mini.waitActive();
      assertThat(states()).contains("placement active", "volume active", "locking active");
      DistributedFileSystem fs = mini.getFileSystem();
      for (int i = 0; i < FILES; i++) {
        DFSTestUtil.createFile(fs, path(i), 300_000, (short) 3, i);
        // not all are reported yet; none may ever share a host
        assertThat(replicasApart(fs, i)).as("file " + i).isPositive();
      }
      Await.until("each replica is reported", () -> allOnThreeHosts(fs));

      mini.stopDataNode(4);
      Await.until(
          "the NameNode calls it dead", () -> mini.getNamesystem().getNumDeadDataNodes() == 1);
      Await.until("each block has three replicas again", () -> allOnThreeHosts(fs));

      fs.setStoragePolicy(new org.apache.hadoop.fs.Path("/data"), "ALL_SSD");
      try (FileMover mover = FileMover.open(conf)) {
        assertThat(mover.move(new org.apache.hadoop.fs.Path("/data")).get().isSatisfied()).isTrue();
      }
      for (int i = 0; i < FILES; i++) {
        assertThat(isOn(fs, i, StorageType.SSD)).as("file " + i).isTrue();
        assertThat(DFSTestUtil.readFileAsBytes(fs, path(i)))
            .isEqualTo(DFSTestUtil.calculateFileContentsFromSeed(i, 300_000));
      }
    }
  }

  /** Sorted records, as TeraSort leaves them. */
  private static void writeRecords(DistributedFileSystem fs, int records) throws Exception {
    try (OutputStream out =
        fs.create(
            new org.apache.hadoop.fs.Path("/tera/part-r-00000"), true, 4096, (short) 3, 65536)) {
      for (int i = 0; i < records; i++) {
        out.write(String.format("%010d%090d", i, i).getBytes(StandardCharsets.US_ASCII));
      }
    }
  }

  /** What a container of YARN has: no ticket and no keytab, but a file with tokens, or not. */
  private String validateInContainer(Configuration client, File tokens, String report)
      throws Exception {
    Path site = Files.createDirectories(dir.resolve("site"));
    try (OutputStream out = Files.newOutputStream(site.resolve("core-site.xml"))) {
      client.writeXml(out);
    }
    List<String> command =
        new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin/java").toString()));
    command.addAll(HadoopJvm.opening());
    command.add("-cp");
    command.add(site + File.pathSeparator + System.getProperty("java.class.path"));
    command.addAll(List.of(BlockTeraValidate.class.getName(), "/tera", report));
    Path said = dir.resolve("said");
    ProcessBuilder container = new ProcessBuilder(command).redirectErrorStream(true);
    container.redirectOutput(said.toFile());
    if (tokens != null) {
      container.environment().put("HADOOP_TOKEN_FILE_LOCATION", tokens.getPath());
    }
    int code = container.start().waitFor();
    return code + " " + Files.readString(said);
  }

  @Test
  void validation_delegationTokensOnly_validates() throws Exception {
    Configuration conf = conf();
    conf.setInt("dfs.namenode.fs-limits.min-block-size", 1024);
    UserGroupInformation.setConfiguration(conf);
    UserGroupInformation.loginUserFromKeytab("hdfs/localhost@" + kdc.getRealm(), keytab.getPath());
    try (MiniDFSCluster mini =
        new MiniDFSCluster.Builder(conf)
            .numDataNodes(3)
            .racks(new String[] {"/r0/h0", "/r0/h1", "/r1/h2"})
            .build()) {
      mini.waitActive();
      DistributedFileSystem fs = mini.getFileSystem();
      writeRecords(fs, 5000);
      Credentials credentials = new Credentials();
      assertThat(fs.addDelegationTokens("hdfs", credentials)).isNotEmpty();
      File tokens = dir.resolve("tokens").toFile();
      credentials.writeTokenStorageFile(
          new org.apache.hadoop.fs.Path(tokens.toURI()), new Configuration(false));

      Configuration client = new Configuration(false);
      client.set("fs.defaultFS", fs.getUri().toString());
      client.set("mapreduce.framework.name", "local");
      client.set("hadoop.tmp.dir", dir.resolve("tmp").toString());
      client.set("dfs.data.transfer.protection", "privacy");
      client.setInt("mapreduce.job.maps", 2);
      // Login by Kerberos would need a ticket, and the local shuffle Hadoop's native library.
      client.set("hadoop.security.authentication", "simple");
      assertThat(validateInContainer(client, tokens, "/report"))
          .contains("valid: 5,000 records")
          .startsWith("0 ");
      assertThat(validateInContainer(client, null, "/other"))
          .as("without tokens")
          .contains("SIMPLE authentication is not enabled")
          .doesNotContain("valid: ")
          .startsWith("1 ");
    }
  }
}
