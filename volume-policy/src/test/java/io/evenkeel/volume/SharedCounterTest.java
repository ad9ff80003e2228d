package io.evenkeel.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.RoundRobinVolumeChoosingPolicy;
import org.junit.jupiter.api.Test;

/** HDFS-9608: one counter for all storage types leaves volumes unused for ever. */
class SharedCounterTest {
  private static final long BLOCK = 128L << 20;

  /** One block to an SSD, one to a DISK, again and again; counts per disk. */
  private static long[] disksChosen(Class<?> policyClass) throws IOException {
    PolicyUnderTest policy = PolicyUnderTest.of(policyClass, new Configuration(false));
    List<FakeVolume> ssds = VolumeChoosingPolicyContract.roomy(2, StorageType.SSD);
    List<FakeVolume> disks = VolumeChoosingPolicyContract.roomy(4, StorageType.DISK);
    long[] counts = new long[4];
    for (int i = 0; i < 400; i++) {
      policy.choose(BLOCK, ssds);
      long[] one = policy.counts(1, BLOCK, disks);
      for (int v = 0; v < 4; v++) {
        counts[v] += one[v];
      }
    }
    return counts;
  }

  @Test
  void stockRoundRobin_ssdBesideDisk_leavesDisksUnused() throws IOException {
    assumeTrue(VolumeChoosingPolicyContract.SHARED_COUNTER, "this release has HDFS-9608 fixed");
    assertThat(disksChosen(RoundRobinVolumeChoosingPolicy.class)).contains(0L);
  }

  @Test
  void perTypeRoundRobin_ssdBesideDisk_usesAllDisksEqually() throws IOException {
    assertThat(disksChosen(PerTypeRoundRobinVolumeChoosingPolicy.class)).containsOnly(100);
  }
}
