package io.evenkeel.volume;

import io.evenkeel.common.config.ConfigException;
import io.evenkeel.common.config.Settings;
import io.evenkeel.common.plugin.Fit;
import io.evenkeel.common.plugin.PluginStart;
import io.evenkeel.common.plugin.PluginStatus.State;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;

/**
 * What every policy of this module does when the DataNode configures it: the start of a plugin, and
 * stock's key for the bytes that stay free. Immutable.
 */
final class PolicyStart {
  private static final String KEY = "dfs.datanode.fsdataset.volume.choosing.policy";
  private static final String STOCK = "the stock round robin decides";

  private final PluginStart start;
  private final long keptFree;

  private PolicyStart(PluginStart start, long keptFree) {
    this.start = start;
    this.keptFree = keptFree;
  }

  /**
   * Reads and checks the configuration.
   *
   * @throws ConfigException naming key, value and range; logged as well, because the DataNode
   *     reports it as an "unexpected exception"
   * @throws IllegalStateException where Hadoop's interface has a method that this jar lacks; logged
   *     as well
   */
  static PolicyStart read(Logger log, Fit hadoop, Configuration conf) {
    try {
      hadoop.checkImplemented(KEY);
      PluginStart start = VolumeKeys.MODULE.startOrFail(hadoop, conf, conf::get, log::warn);
      return new PolicyStart(start, KeptFree.read(conf));
    } catch (ConfigException | IllegalStateException e) {
      throw refused(log, e);
    }
  }

  /** Says why the DataNode cannot start; returns the exception to throw. */
  static <E extends RuntimeException> E refused(Logger log, E e) {
    log.error("This DataNode cannot start: {}", e.getMessage());
    return e;
  }

  Settings settings() {
    return start.settings();
  }

  /** Bytes to keep free beyond the block. */
  long keptFree() {
    return keptFree;
  }

  /** Whether the stock policy must decide, because the jar does not fit this Hadoop. */
  boolean stock() {
    return start.isReleaseRefused();
  }

  /** Publishes and logs what an instance of {@code policy} does. */
  State announce(Class<?> policy, Logger log, boolean observes) {
    Map<String, String> inForce = new LinkedHashMap<>(settings().inForce());
    if (keptFree != KeptFree.byDefault()) {
      inForce.put(KeptFree.KEY, String.valueOf(keptFree));
    }
    if (stock()) {
      start.announce(policy, State.FALLBACK, start.refusal(STOCK), inForce, log::warn);
      return State.FALLBACK;
    }
    State state = observes ? State.OBSERVE : State.ACTIVE;
    start.announce(policy, state, start.reason(observes ? STOCK : ""), inForce, log::info);
    return state;
  }
}
