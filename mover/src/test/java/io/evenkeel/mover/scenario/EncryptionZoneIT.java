package io.evenkeel.mover.scenario;

import static io.evenkeel.mover.scenario.Scene.B;
import static org.apache.hadoop.fs.StorageType.ARCHIVE;
import static org.apache.hadoop.fs.StorageType.DISK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.evenkeel.mover.FileMover;
import io.evenkeel.mover.hdfs.MoverCluster;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.MoveReport;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.key.KeyProvider;
import org.apache.hadoop.crypto.key.KeyProviderFactory;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An encryption zone whose keys lie in a key store. */
@Timeout(180)
class EncryptionZoneIT {
  private static final String PROVIDER = "hadoop.security.key.provider.path";

  @TempDir private Path dir;

  private static org.apache.hadoop.fs.Path path(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }

  /** Two DataNodes have both types, so that of three replicas one must leave its own. */
  private Scene start(Configuration conf) throws IOException {
    StorageType[] both = {DISK, ARCHIVE};
    StorageType[] disk = {DISK, DISK};
    StorageType[] archive = {ARCHIVE, ARCHIVE};
    MiniDFSCluster mini =
        new MiniDFSCluster.Builder(conf)
            .numDataNodes(4)
            .storageTypes(new StorageType[][] {both, both, disk, archive})
            .build();
    mini.waitActive();
    return new Scene(MoverCluster.of(mini));
  }

  /**
   * Ciphertext is moved as it is: the mover is given no key, and no byte of either form changes.
   */
  @Test
  void fileInAZone_movedWithoutItsKey() throws Exception {
    assumeFalse(
        VersionInfo.getVersion().startsWith("3.1."),
        "its client cannot encrypt on Java 9 or later");
    Configuration conf = MoverCluster.conf(dir);
    conf.set(PROVIDER, "jceks://file" + dir.resolve("keys.jks"));
    KeyProvider keys = KeyProviderFactory.get(new URI(conf.get(PROVIDER)), conf);
    keys.createKey("zone", new KeyProvider.Options(conf).setBitLength(128));
    keys.flush();
    try (Scene scene = start(conf)) {
      scene.fs().mkdirs(path("/zone"));
      scene.fs().createEncryptionZone(path("/zone"), "zone");
      scene.fs().mkdirs(path("/system")); // where the mover has its lease
      scene.fs().createEncryptionZone(path("/system"), "zone");
      byte[] data = scene.cluster().write("/zone/f", 3 * B - 5, 3);
      byte[] ciphertext = scene.cluster().read("/.reserved/raw/zone/f");
      assertThat(ciphertext).hasSameSizeAs(data).isNotEqualTo(data);
      scene.policy("/zone", "COLD");
      Configuration keyless = scene.cluster().conf();
      keyless.unset(PROVIDER);
      keyless.setBoolean("dfs.client.ignore.namenode.default.kms.uri", true); // nor the NameNode's

      try (FileMover mover = FileMover.open(keyless)) {
        MoveReport report = mover.move(path("/zone")).get(120, TimeUnit.SECONDS);
        assertThat(report.files(FileOutcome.MOVED)).as(report.listed().toString()).isEqualTo(1);
        assertThat(report.counts().localReplicas()).isEqualTo(6);
        assertThat(report.counts().remoteReplicas()).isEqualTo(3);
        scene.policy("/zone", "HOT"); // with the lease as it was left
        MoveReport back = mover.move(path("/zone")).get(120, TimeUnit.SECONDS);
        assertThat(back.files(FileOutcome.MOVED)).as(back.listed().toString()).isEqualTo(1);
        scene.policy("/zone", "COLD");
        assertThat(mover.move(path("/zone")).get(120, TimeUnit.SECONDS).isSatisfied()).isTrue();
      }

      assertThat(scene.types("/zone/f")).containsExactly(List.of("ARCHIVE", "ARCHIVE", "ARCHIVE"));
      assertThat(scene.cluster().read("/.reserved/raw/zone/f")).isEqualTo(ciphertext);
      assertThat(scene.cluster().read("/zone/f")).isEqualTo(data);
    }
  }
}
