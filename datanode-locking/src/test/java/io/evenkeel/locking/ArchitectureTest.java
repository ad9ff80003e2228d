package io.evenkeel.locking;

import io.evenkeel.common.testing.ArchitectureRules;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class ArchitectureTest {
  @Test
  void moduleClasses_allRules_keepThem() {
    ArchitectureRules.checkModule(
        "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FineGrainedDataset",
        "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.VolumeRemovals",
        "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.LockedMemoryReplicas",
        "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.ReplicaDeletions",
        "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.CreationWait",
        "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.ReplicaCreations",
        "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.ReplicaMoves",
        "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.MergingReplicaMap",
        "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.DeferredCaching",
        "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.package-info");
  }

  @Test
  void tests_sleepOnlyInAwait() {
    ArchitectureRules.onlyAwaitSleeps().check(ArchitectureRules.testClassesBeside(getClass()));
  }
}
