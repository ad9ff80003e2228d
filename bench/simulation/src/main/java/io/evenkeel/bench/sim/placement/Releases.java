package io.evenkeel.bench.sim.placement;

import org.apache.hadoop.util.VersionInfo;

/**
 * The releases that have the calls {@code NameNodeCalls} makes. Stands apart from the classes that
 * make them: it loads on every release. Stateless.
 */
public final class Releases {
  private Releases() {}

  /** Whether policies can be run on the Hadoop of this JVM. */
  public static boolean runHere() {
    return VersionInfo.getVersion().matches("3[.][1345][.].*");
  }
}
