package io.evenkeel.placement;

import io.evenkeel.common.config.Key;
import io.evenkeel.common.config.KeyTable;
import io.evenkeel.common.version.SupportedVersions;

/** The configuration keys of this module and the Hadoop releases it is tested on. */
public final class PlacementKeys {
  /** Hadoop releases the tests of this module run on. */
  public static final SupportedVersions SUPPORTED =
      SupportedVersions.of("3.1.4", "3.3.6", "3.4.3", "3.5.0");

  /** Use the module on a release that is not in {@link #SUPPORTED}. */
  public static final Key<Boolean> ALLOW_UNTESTED =
      Key.bool(
          "evenkeel.placement.allow-untested",
          false,
          "Stay active on a Hadoop release this jar was not tested on, instead of refusing to start.");

  /** What makes two DataNodes one host. */
  public static final Key<String> HOST_KEY =
      Key.choice(
          "evenkeel.placement.host-key",
          "What makes two DataNodes one host: the node group where the topology has them, else the address (auto); or one of them by force; none: every DataNode is its own host.",
          "auto",
          "node-group",
          "address",
          "hostname",
          "none");

  /** What to do with fewer hosts than replicas. */
  public static final Key<String> FEW_HOSTS =
      Key.choice(
          "evenkeel.placement.few-hosts",
          "With fewer eligible hosts than replicas: share hosts, count it and call the block satisfied (best-effort), or place fewer replicas and call it not satisfied (strict).",
          "best-effort",
          "strict");

  /** Where a writer outside the cluster gets its first replica. */
  public static final Key<String> EDGE_WRITERS =
      Key.choice(
          "evenkeel.placement.edge-writers",
          "The first replica of a writer that is on no host of a DataNode: anywhere (uniform), or in its rack as in stock, which loads that rack more than others (rack).",
          "uniform",
          "rack");

  /** All keys under {@code evenkeel.placement.}. */
  public static final KeyTable TABLE =
      KeyTable.of("evenkeel.placement.", ALLOW_UNTESTED, HOST_KEY, FEW_HOSTS, EDGE_WRITERS);

  private PlacementKeys() {}
}
