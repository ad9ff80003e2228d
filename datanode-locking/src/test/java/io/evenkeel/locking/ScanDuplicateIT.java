package io.evenkeel.locking;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.hdfs.server.datanode.ReplicaHandler;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi.FsVolumeReferences;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi.ScanInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The directory scanner finds a replica on one volume of whose block the DataNode has a newer one
 * on another, as after a volume has come back; or only its data file. And a volume comes back with
 * an older replica than a copy that broke off.
 */
@Timeout(300)
class ScanDuplicateIT {
  private static final long OLD = 1000;
  private static final long NEW = 1001;

  @TempDir Path dir;

  /** It looks for the newer meta file beside the older data file. The NameNode wants no stamp 0. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void olderDuplicateIsFound_stockTakesTheStampOfTheNewerAway(boolean withMeta) throws Exception {
    assertThat(stampAfterScan(false, withMeta)).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void olderDuplicateIsFound_oursDeletesItAndKeepsTheNewer(boolean withMeta) throws Exception {
    assertThat(stampAfterScan(true, withMeta)).isEqualTo(NEW);
  }

  /** As Hadoop's own test of links wants it. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void linkToADuplicateIsFound_isLeftToStock(boolean ours) throws Exception {
    try (OneDataNode one = OneDataNode.start(dir, OneDataNode.conf(ours))) {
      DataNodeTestUtils.setHeartbeatsDisabledForTests(one.node(), true);
      ExtendedBlock block = newer(one);
      ScanInfo found = older(one, block, false);
      Path link = found.getBlockFile().toPath();
      Files.move(link, link.resolveSibling("elsewhere"));
      Files.createSymbolicLink(link, link.resolveSibling("elsewhere"));
      one.dataset().checkAndUpdate(block.getBlockPoolId(), found);
      assertThat(known(one, block).getGenerationStamp()).isZero();
    }
  }

  /** The copy stays as stock leaves it, and would keep the older replica out for ever. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void copyBrokeOff_olderReplicaOfAVolumeThatIsBack_isTakenIn(boolean ours) throws Exception {
    try (OneDataNode one = OneDataNode.start(dir, OneDataNode.conf(ours))) {
      DataNodeTestUtils.setHeartbeatsDisabledForTests(one.node(), true);
      ExtendedBlock older = new Replicas(one, dir).finalized(StorageType.DISK);
      String all = one.node().getConf().get(OneDataNode.DIRS);
      String without = one.directoriesWithout(one.dataset().getVolume(older));
      one.node().reconfigurePropertyImpl(OneDataNode.DIRS, without);
      ExtendedBlock newer = Replicas.at(older, NEW);
      Calls<Void> writer =
          Calls.start(
              "writer",
              () -> {
                one.dataset().createTemporary(StorageType.SSD, null, newer, true).close();
                return null;
              });
      assertThat(writer.failure()).isNull();
      assertThat(known(one, newer).getState()).isEqualTo(ReplicaState.TEMPORARY);
      one.node().reconfigurePropertyImpl(OneDataNode.DIRS, all);
      Await.until("it is in the map", () -> known(one, older).getState() == ReplicaState.FINALIZED);
      assertThat(known(one, older).getGenerationStamp()).isEqualTo(OLD);
    }
  }

  private static ExtendedBlock newer(OneDataNode one) throws IOException {
    ExtendedBlock newer = Replicas.at(new Replicas(one, null).block(), NEW);
    try (ReplicaHandler handler =
        one.dataset().createTemporary(StorageType.SSD, null, newer, false)) {
      Replicas.fill(handler.getReplica());
    }
    one.dataset().finalizeBlock(newer, false);
    return newer;
  }

  private long stampAfterScan(boolean ours, boolean withMeta) throws Exception {
    try (OneDataNode one = OneDataNode.start(dir, OneDataNode.conf(ours))) {
      // The NameNode knows none of these blocks and would have them deleted.
      DataNodeTestUtils.setHeartbeatsDisabledForTests(one.node(), true);
      Replicas replicas = new Replicas(one, dir);
      ExtendedBlock newer = newer(one);
      ScanInfo older = older(one, newer, withMeta);

      one.dataset().checkAndUpdate(newer.getBlockPoolId(), older);

      assertThat(older.getBlockFile()).doesNotExist();
      assertThat(replicas.files(newer)).hasSize(1);
      ReplicaInfo known = known(one, newer);
      assertThat(new File(known.getMetadataURI()).exists()).isEqualTo(ours);
      return known.getGenerationStamp();
    }
  }

  private static ReplicaInfo known(OneDataNode one, ExtendedBlock block) {
    return (ReplicaInfo) one.dataset().getReplica(block.getBlockPoolId(), block.getBlockId());
  }

  /** Puts the files of an older replica on a DISK, and says what a scan finds. */
  private static ScanInfo older(OneDataNode one, ExtendedBlock newer, boolean withMeta)
      throws IOException {
    ReplicaInfo known = known(one, newer);
    Path data = Path.of(known.getBlockURI());
    Path from = Path.of(known.getVolume().getBaseURI());
    FsVolumeSpi volume = anyDisk(one);
    Path to = Path.of(volume.getBaseURI()).resolve(from.relativize(data));
    Files.createDirectories(to.getParent());
    Files.copy(data, to);
    String meta = "blk_" + newer.getBlockId() + "_" + OLD + ".meta";
    if (withMeta) {
      Files.copy(Path.of(known.getMetadataURI()), to.resolveSibling(meta));
    }
    return new ScanInfo(
        newer.getBlockId(),
        to.getParent().toFile(),
        to.getFileName().toString(),
        withMeta ? meta : null,
        volume);
  }

  private static FsVolumeSpi anyDisk(OneDataNode one) throws IOException {
    try (FsVolumeReferences volumes = one.dataset().getFsVolumeReferences()) {
      for (FsVolumeSpi volume : volumes) {
        if (volume.getStorageType() == StorageType.DISK) {
          return volume;
        }
      }
      throw new IOException("no DISK");
    }
  }
}
