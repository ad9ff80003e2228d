package io.evenkeel.cli.check.core;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** A key of Hadoop that names a class, which daemons load it, and which of our classes fit. */
public enum StockKey {
  /** Placement of replicated blocks. */
  REPLICATED(
      "dfs.block.replicator.classname",
      "hdfs-site.xml",
      "NameNode, Balancer and Mover",
      "io.evenkeel.placement.UniformBlockPlacementPolicy"),
  /** Placement of erasure-coded blocks. */
  STRIPED(
      "dfs.block.placement.ec.classname",
      "hdfs-site.xml",
      "NameNode, Balancer and Mover",
      "io.evenkeel.placement.UniformStripedBlockPlacementPolicy"),
  /** Choice of volumes. */
  VOLUMES(
      "dfs.datanode.fsdataset.volume.choosing.policy",
      "hdfs-site.xml",
      "DataNode",
      "io.evenkeel.volume.LatencyAwareVolumeChoosingPolicy",
      "io.evenkeel.volume.PerTypeRoundRobinVolumeChoosingPolicy"),
  /** The dataset. */
  DATASET(
      "dfs.datanode.fsdataset.factory",
      "hdfs-site.xml",
      "DataNode",
      "io.evenkeel.locking.FineGrainedDatasetFactory"),
  /** Network locations of hosts. */
  MAPPING(
      "net.topology.node.switch.mapping.impl",
      "core-site.xml",
      "NameNode and ResourceManager",
      "io.evenkeel.placement.NodeGroupMapping"),
  /** The topology. */
  TOPOLOGY("net.topology.impl", "core-site.xml", "NameNode");

  private final String key;
  private final String file;
  private final String daemons;
  private final List<String> ours;

  StockKey(String key, String file, String daemons, String... ours) {
    this.key = key;
    this.file = file;
    this.daemons = daemons;
    this.ours = Collections.unmodifiableList(Arrays.asList(ours));
  }

  /** Its name. */
  public String key() {
    return key;
  }

  /** Where it is set as a rule. */
  String file() {
    return file;
  }

  /** Who loads the class. */
  String daemons() {
    return daemons;
  }

  /** Our classes that fit. */
  List<String> ours() {
    return ours;
  }
}
