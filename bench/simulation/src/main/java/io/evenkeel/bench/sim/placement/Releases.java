package io.evenkeel.bench.sim.placement;

import io.evenkeel.common.version.SupportedVersions;
import org.apache.hadoop.util.VersionInfo;

/**
 * The releases that have the calls {@code NameNodeCalls} makes. Stands apart from the classes that
 * make them: it loads on every release. Stateless.
 */
public final class Releases {
  private static final SupportedVersions KNOWN =
      SupportedVersions.of("3.1.4", "3.3.6", "3.4.3", "3.5.0");

  private Releases() {}

  /** Whether policies can be run on the Hadoop of this JVM. */
  public static boolean runHere() {
    return KNOWN.check(VersionInfo.getVersion()) != SupportedVersions.Verdict.UNKNOWN_LINE;
  }
}
