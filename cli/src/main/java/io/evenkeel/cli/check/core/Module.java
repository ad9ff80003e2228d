package io.evenkeel.cli.check.core;

import io.evenkeel.common.plugin.Fit;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** A plugin jar: its keys, and the keys of Hadoop that name a class of it. */
public enum Module {
  /** Block placement and the mapping. */
  PLACEMENT(
      "evenkeel.placement.",
      "io.evenkeel.placement.config.PlacementKeys",
      "evenkeel-placement",
      "the NameNode does not start",
      StockKey.REPLICATED,
      StockKey.STRIPED,
      StockKey.MAPPING),
  /** Choice of volumes. */
  VOLUME(
      "evenkeel.volume.",
      "io.evenkeel.volume.VolumeKeys",
      "evenkeel-volume-policy",
      Module.STOCK,
      StockKey.VOLUMES),
  /** Locks of a DataNode. */
  LOCKING(
      "evenkeel.locking.",
      "io.evenkeel.locking.LockingKeys",
      "evenkeel-datanode-locking",
      Module.STOCK,
      StockKey.DATASET),
  /** The mover, which no daemon of Hadoop loads. */
  MOVER(
      "evenkeel.mover.",
      "io.evenkeel.mover.config.MoverKeys",
      "evenkeel-mover",
      "it refuses to move"),
  /** TeraSort's tools, which no daemon loads. */
  TERASORT(
      "evenkeel.terasort.",
      "io.evenkeel.terasort.config.TerasortKeys",
      "evenkeel-terasort-tools",
      "a WARN");

  private static final String STOCK = "stock decides, with a WARN";

  private final String prefix;
  private final String keysClass;
  private final String artifact;
  private final String otherwise;
  private final List<StockKey> switches;

  Module(String prefix, String keysClass, String artifact, String otherwise, StockKey... switches) {
    this.prefix = prefix;
    this.keysClass = keysClass;
    this.artifact = artifact;
    this.otherwise = otherwise;
    this.switches = Collections.unmodifiableList(Arrays.asList(switches));
  }

  /** What its keys begin with. */
  public String prefix() {
    return prefix;
  }

  /** The class of its jar that has the table of its keys. */
  public String keysClass() {
    return keysClass;
  }

  /** Its jar without the version. */
  public String artifact() {
    return artifact;
  }

  /** What happens at start on a Hadoop that its jar does not know. */
  public String otherwise(Fit fit) {
    boolean stock = fit.kind() != Fit.Kind.NOT_IMPLEMENTED || !otherwise.equals(STOCK);
    return stock ? otherwise : "the DataNode does not start";
  }

  /** Keys of Hadoop that switch it on; none where no daemon loads it. */
  List<StockKey> switches() {
    return switches;
  }
}
