package io.evenkeel.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.util.DiskChecker.DiskOutOfSpaceException;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.Test;

/**
 * What every policy keeps, stock ones included. A rule that not every policy keeps needs a {@link
 * Capability}, which the subclass declares for the releases where it holds.
 */
abstract class VolumeChoosingPolicyContract {
  /** A rule that some policies do not keep. */
  enum Capability {
    /** Equal volumes are chosen equally often. */
    EXACT_ROTATION,
    /** ... also when lists of another storage type come in between (HDFS-9608). */
    ROTATION_PER_TYPE,
    /** ... also when the order of the list changes, or volumes come and go. */
    ROTATION_PER_VOLUME,
    /** The key for additional available space is honoured. */
    KEEPS_SPACE_FREE,
    /** A volume that throws fails its own turn only, not every later choice. */
    OUTLIVES_A_FAILING_VOLUME,
    /** After a volume was lost, the one whose turn it is comes after the others. */
    TURNS_BACK_AFTER_A_LOSS
  }

  static final long BLOCK = 128L << 20;
  static final boolean SHARED_COUNTER = VersionInfo.getVersion().startsWith("2.7.");

  abstract Class<?> policyClass();

  abstract Set<Capability> capabilities();

  final PolicyUnderTest policy() {
    return policy(0);
  }

  final PolicyUnderTest policy(long keptFree) {
    Configuration conf = new Configuration(false);
    conf.setLong(KeptFree.KEY, keptFree);
    return PolicyUnderTest.of(policyClass(), conf);
  }

  final void needs(Capability capability) {
    assumeTrue(
        capabilities().contains(capability),
        () -> policyClass().getSimpleName() + " does not claim " + capability);
  }

  static List<FakeVolume> roomy(int count, StorageType type) {
    List<FakeVolume> volumes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      volumes.add(FakeVolume.roomy(type + "-" + i, type));
    }
    return volumes;
  }

  @Test
  void chooseVolume_oneVolume_isAlwaysIt() throws IOException {
    List<FakeVolume> one = roomy(1, StorageType.DISK);
    assertThat(policy().counts(10, BLOCK, one)).containsExactly(10);
  }

  @Test
  void chooseVolume_emptyList_isOutOfSpace() {
    assertThatThrownBy(() -> policy().choose(BLOCK, List.of()))
        .isExactlyInstanceOf(DiskOutOfSpaceException.class)
        .hasMessage("No more available volumes");
  }

  @Test
  void chooseVolume_noVolumeHasRoom_isOutOfSpaceNamingTheLargest() {
    List<FakeVolume> volumes =
        List.of(
            new FakeVolume("a", StorageType.DISK, 1000),
            new FakeVolume("b", StorageType.DISK, 3000),
            new FakeVolume("c", StorageType.DISK, 2000));
    assertThatThrownBy(() -> policy().choose(4000, volumes))
        .isExactlyInstanceOf(DiskOutOfSpaceException.class)
        .hasMessageContaining("3000")
        .hasMessageContaining("4000");
  }

  @Test
  void chooseVolume_exactlyTheBlockIsFree_isOutOfSpace() {
    List<FakeVolume> volumes = List.of(new FakeVolume("a", StorageType.DISK, BLOCK));
    assertThatThrownBy(() -> policy().choose(BLOCK, volumes))
        .isExactlyInstanceOf(DiskOutOfSpaceException.class);
  }

  @Test
  void chooseVolume_oneByteMoreThanTheBlock_isEnough() throws IOException {
    FakeVolume volume = new FakeVolume("a", StorageType.DISK, BLOCK + 1);
    assertThat(policy().choose(BLOCK, List.of(volume))).isSameAs(volume.spi);
  }

  @Test
  void chooseVolume_onlyOneHasRoom_isAlwaysIt() throws IOException {
    List<FakeVolume> volumes = roomy(4, StorageType.DISK);
    volumes.subList(0, 3).forEach(v -> v.setAvailable(100));
    assertThat(policy().counts(10, BLOCK, volumes)).containsExactly(0, 0, 0, 10);
  }

  @Test
  void chooseVolume_zeroSizes_choosesOrIsOutOfSpace() throws IOException {
    FakeVolume empty = new FakeVolume("a", StorageType.DISK, 0);
    assertThatThrownBy(() -> policy().choose(0, List.of(empty)))
        .isExactlyInstanceOf(DiskOutOfSpaceException.class);
    FakeVolume oneByte = new FakeVolume("b", StorageType.DISK, 1);
    assertThat(policy().choose(0, List.of(oneByte))).isSameAs(oneByte.spi);
  }

  @Test
  void chooseVolume_noStorageType_isServedAlike() throws IOException {
    needs(Capability.EXACT_ROTATION);
    List<FakeVolume> volumes = roomy(3, null);
    assertThat(policy().counts(30, BLOCK, volumes)).containsOnly(10);
  }

  @Test
  void chooseVolume_spaceCannotBeRead_throwsThatException() {
    FakeVolume broken = FakeVolume.roomy("a", StorageType.DISK);
    IOException failure = new IOException("statfs failed");
    broken.failWith(failure);
    assertThatThrownBy(() -> policy().choose(BLOCK, List.of(broken))).isSameAs(failure);
  }

  @Test
  void chooseVolume_removedVolume_isNeverReturned() throws IOException {
    PolicyUnderTest policy = policy();
    List<FakeVolume> volumes = roomy(5, StorageType.DISK);
    policy.counts(7, BLOCK, volumes);
    while (volumes.size() > 1) {
      volumes.remove(0);
      FsVolumeSpi chosen = policy.choose(BLOCK, volumes);
      assertThat(volumes).anyMatch(v -> v.spi == chosen);
    }
  }

  @Test
  void chooseVolume_calledAgainForOneBlock_answersAgain() throws IOException {
    PolicyUnderTest policy = policy();
    List<FakeVolume> volumes = roomy(3, StorageType.DISK);
    FsVolumeSpi first = policy.choose(BLOCK, volumes);
    volumes.removeIf(v -> v.spi == first);
    assertThat(policy.choose(BLOCK, volumes)).isNotNull().isNotSameAs(first);
  }

  /**
   * Two disks fail that stand side by side; the second is found only when a block meets it. Hadoop
   * counts on that in TestDataNodeVolumeFailureReporting: stock's position stays where it is while
   * the list moves up, so that the copies the NameNode orders do not meet the second one.
   */
  @Test
  void chooseVolume_volumeIsLostOnItsTurn_itsNeighbourComesAfterTheOthers() throws IOException {
    needs(Capability.TURNS_BACK_AFTER_A_LOSS);
    PolicyUnderTest policy = policy();
    List<FakeVolume> volumes = roomy(4, StorageType.DISK);
    FsVolumeSpi lost = policy.choose(BLOCK, volumes);
    assertThat(lost).isSameAs(volumes.get(0).spi);
    volumes.remove(0);
    assertThat(policy.counts(2, BLOCK, volumes)).containsExactly(0, 1, 1);
    assertThat(policy.choose(BLOCK, volumes)).isSameAs(volumes.get(0).spi);
    volumes.remove(0);
    assertThat(policy.counts(20, BLOCK, volumes)).containsExactly(10, 10);
  }

  @Test
  void chooseVolume_equalVolumes_rotateExactly() throws IOException {
    needs(Capability.EXACT_ROTATION);
    for (int n = 1; n <= 12; n++) {
      long[] counts = policy().counts(10 * n, BLOCK, roomy(n, StorageType.SSD));
      assertThat(counts).containsOnly(10);
    }
  }

  @Test
  void chooseVolume_otherTypesInBetween_rotateExactly() throws IOException {
    needs(Capability.ROTATION_PER_TYPE);
    PolicyUnderTest policy = policy();
    List<FakeVolume> disks = roomy(4, StorageType.DISK);
    List<FakeVolume> ssds = roomy(2, StorageType.SSD);
    List<FakeVolume> ram = roomy(1, StorageType.RAM_DISK);
    long[] diskCounts = new long[4];
    for (int round = 0; round < 40; round++) {
      long[] chosen = policy.counts(1, BLOCK, disks);
      for (int i = 0; i < chosen.length; i++) {
        diskCounts[i] += chosen[i];
      }
      policy.counts(1 + round % 3, BLOCK, ssds);
      policy.counts(round % 2, BLOCK, ram);
    }
    assertThat(diskCounts).containsOnly(10);
  }

  @Test
  void chooseVolume_listInRandomOrder_rotatesExactly() throws IOException {
    needs(Capability.ROTATION_PER_VOLUME);
    Random random = new Random(20261121);
    PolicyUnderTest policy = policy();
    List<FakeVolume> volumes = roomy(7, StorageType.DISK);
    List<FakeVolume> shuffled = new ArrayList<>(volumes);
    long[] counts = new long[7];
    for (int i = 0; i < 70; i++) {
      Collections.shuffle(shuffled, random);
      FsVolumeSpi chosen = policy.choose(BLOCK, shuffled);
      for (int v = 0; v < 7; v++) {
        counts[v] += volumes.get(v).spi == chosen ? 1 : 0;
      }
    }
    assertThat(counts).containsOnly(10);
  }

  @Test
  void chooseVolume_volumesAddedLater_standAtTheEndOfTheLine() throws IOException {
    needs(Capability.EXACT_ROTATION);
    PolicyUnderTest policy = policy();
    List<FakeVolume> volumes = roomy(2, StorageType.DISK);
    policy.counts(4, BLOCK, volumes);
    for (int i = 0; i < 5; i++) {
      volumes.add(FakeVolume.roomy("added" + i, StorageType.DISK));
    }
    assertThat(policy.counts(9, BLOCK, volumes)).containsExactly(2, 2, 1, 1, 1, 1, 1);
    assertThat(policy.counts(70, BLOCK, volumes)).containsOnly(10);
  }

  @Test
  void chooseVolume_volumeAddedInTheMiddle_isChosenOncePerRound() throws IOException {
    needs(Capability.ROTATION_PER_VOLUME);
    PolicyUnderTest policy = policy();
    List<FakeVolume> volumes = roomy(4, StorageType.DISK);
    policy.counts(402, BLOCK, volumes);
    volumes.add(2, FakeVolume.roomy("added", StorageType.DISK));
    assertThat(policy.counts(5, BLOCK, volumes)).containsOnly(1);
    assertThat(policy.counts(50, BLOCK, volumes)).containsOnly(10);
  }

  @Test
  void chooseVolume_additionalAvailableSpace_isKeptFree() throws IOException {
    needs(Capability.KEEPS_SPACE_FREE);
    FakeVolume volume = new FakeVolume("a", StorageType.DISK, BLOCK + 1000);
    assertThat(policy(999).choose(BLOCK, List.of(volume))).isSameAs(volume.spi);
    assertThatThrownBy(() -> policy(1000).choose(BLOCK, List.of(volume)))
        .isExactlyInstanceOf(DiskOutOfSpaceException.class);
  }

  @Test
  void chooseVolume_oneVolumeKeepsFailing_othersAreStillChosen() throws IOException {
    needs(Capability.OUTLIVES_A_FAILING_VOLUME);
    PolicyUnderTest policy = policy();
    List<FakeVolume> volumes = roomy(4, StorageType.DISK);
    volumes.get(1).failWith(new IOException("statfs failed"));
    int failures = 0;
    for (int i = 0; i < 40; i++) {
      try {
        policy.choose(BLOCK, volumes);
      } catch (IOException e) {
        failures++;
      }
    }
    assertThat(failures).isEqualTo(10);
  }
}
