package io.evenkeel.mover.scenario;

import static io.evenkeel.mover.scenario.Scene.B;
import static org.apache.hadoop.fs.StorageType.ARCHIVE;
import static org.apache.hadoop.fs.StorageType.DISK;
import static org.apache.hadoop.fs.StorageType.SSD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.testing.Await;
import io.evenkeel.mover.FileMover;
import io.evenkeel.mover.hdfs.MoverCluster;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.FileReport;
import io.evenkeel.mover.request.MoveReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.server.federation.router.Router;
import org.apache.hadoop.hdfs.server.federation.store.MountTableStore;
import org.apache.hadoop.hdfs.server.federation.store.driver.impl.StateStoreFileImpl;
import org.apache.hadoop.hdfs.server.federation.store.protocol.AddMountTableEntryRequest;
import org.apache.hadoop.hdfs.server.federation.store.records.MountTable;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two namespaces behind a live router (HDFS-10467). It answers for the keys, the version and the
 * upgrade of whatever namespace it likes, so nothing may be moved through it: every way in must say
 * so before anything is touched.
 */
@Tag("once") // there is a router to test with for one line of releases only
@Timeout(180)
class RouterIT {
  private static final String REFUSAL =
      "the mover does not work through a router, name the NameNode itself";

  private static final String ROUTER = "dfs.federation.router.";

  @TempDir private static Path dir;

  private static MiniDFSCluster mini;
  private static Router router;
  private static Configuration conf;
  private static String uri;

  @BeforeAll
  static void start() throws Exception {
    assumeTrue(VersionInfo.getVersion().startsWith("3.4."), "a router of 3.4 cannot run on it");
    Configuration cluster = MoverCluster.conf(dir);
    StorageType[] each = {DISK, SSD, ARCHIVE};
    mini =
        new MiniDFSCluster.Builder(cluster)
            .nnTopology(MiniDFSNNTopology.simpleFederatedTopology(2))
            .numDataNodes(3)
            .storagesPerDatanode(each.length)
            .storageTypes(each)
            .build();
    mini.waitActive();
    DFSTestUtil.setFederatedConfiguration(mini, cluster);
    router = new Router();
    router.init(routerConf(cluster));
    router.start();
    uri = "hdfs://localhost:" + router.getRpcServerAddress().getPort();
    mount("/one", "ns1");
    mount("/two", "ns2");
    conf = new Configuration(cluster);
    conf.set("fs.defaultFS", uri);
    write(0, "/one");
    write(1, "/two");
  }

  private static Configuration routerConf(Configuration cluster) {
    Configuration own = new Configuration(cluster);
    for (int n = 0; n < 2; n++) {
      own.set("dfs.namenode.rpc-address.ns" + (n + 1), mini.getURI(n).getAuthority());
    }
    for (String address : List.of("rpc", "admin")) {
      own.set(ROUTER + address + "-address", "localhost:0");
      own.set(ROUTER + address + "-bind-host", "localhost");
    }
    own.set(ROUTER + "default.nameserviceId", "ns1");
    own.set(ROUTER + "monitor.namenode", "ns1,ns2");
    own.set(ROUTER + "monitor.localnamenode.enable", "false");
    own.set(ROUTER + "heartbeat.interval", "200");
    own.set(ROUTER + "http.enable", "false");
    own.set(ROUTER + "safemode.enable", "false");
    own.set(ROUTER + "store.driver.class", StateStoreFileImpl.class.getName());
    own.set(StateStoreFileImpl.FEDERATION_STORE_FILE_DIRECTORY, dir.resolve("store").toString());
    return own;
  }

  private static void mount(String path, String nameservice) throws IOException {
    MountTableStore store = router.getStateStore().getRegisteredRecordStore(MountTableStore.class);
    store.addMountTableEntry(
        AddMountTableEntryRequest.newInstance(
            MountTable.newInstance(path, Map.of(nameservice, path))));
    router.getStateStore().refreshCaches(true);
  }

  private static void write(int nameNode, String directory) throws Exception {
    Scene scene = new Scene(MoverCluster.of(mini, nameNode));
    scene.cluster().write(directory + "/f", 2 * B, 3);
    scene.policy(directory, "COLD");
    try (FileSystem fs = FileSystem.newInstance(conf)) {
      Await.until("the router shows " + directory, () -> shows(fs, path(directory + "/f")));
    }
  }

  private static boolean shows(FileSystem fs, org.apache.hadoop.fs.Path file) {
    try {
      router.getStateStore().refreshCaches(true);
      return fs.exists(file);
    } catch (IOException e) {
      return false; // it has not heard of the NameNode yet
    }
  }

  private static org.apache.hadoop.fs.Path path(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }

  @AfterAll
  static void stop() {
    if (router != null) {
      router.stop();
      mini.shutdown();
    }
  }

  private static void assertNothingMoved() throws IOException {
    List<List<String>> onDisk = List.of(List.of("DISK", "DISK", "DISK"));
    assertThat(new Scene(MoverCluster.of(mini, 0)).types("/one/f")).isEqualTo(onDisk);
    assertThat(new Scene(MoverCluster.of(mini, 1)).types("/two/f")).isEqualTo(onDisk);
  }

  @Test
  void command_throughTheRouter_refusedBeforeAnythingMoves() throws Exception {
    Configuration daemon = new Configuration(conf);
    daemon.set("evenkeel.mover.follow.prefixes", "/two");
    for (String said :
        List.of(
            Scene.command(conf, "/one"),
            Scene.command(conf, uri + "/two/f"),
            Scene.command(conf, "--dry-run", "/two"),
            Scene.command(daemon, "--follow"))) {
      assertThat(said).startsWith("1 ").contains(uri).contains(REFUSAL);
    }
    assertNothingMoved();
  }

  @Test
  void api_onTheRouter_isNotOpened() {
    assertThatThrownBy(() -> FileMover.open(conf))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining(uri)
        .hasMessageContaining(REFUSAL);
  }

  @Test
  void api_onTheNameNodeItself_movesItsOwnAndRefusesThePathOfTheRouter() throws Exception {
    Scene scene = new Scene(MoverCluster.of(mini, 0));
    scene.cluster().write("/own/f", 2 * B, 3);
    scene.policy("/own", "COLD");
    try (FileMover mover = FileMover.open(conf, mini.getURI(0))) {
      MoveReport report = mover.move(path("/own"), path(uri + "/one/f")).get(60, TimeUnit.SECONDS);

      assertThat(report.files(FileOutcome.MOVED)).as(report.listed().toString()).isEqualTo(1);
      assertThat(report.listed())
          .extracting(FileReport::toString)
          .anyMatch(line -> line.contains("/one/f: failed") && line.contains("not of hdfs:"));
    }
    assertThat(scene.types("/own/f")).containsExactly(List.of("ARCHIVE", "ARCHIVE", "ARCHIVE"));
    assertNothingMoved();
  }
}
