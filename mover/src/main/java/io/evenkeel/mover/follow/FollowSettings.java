package io.evenkeel.mover.follow;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.config.ConfigException;
import io.evenkeel.common.config.Key;
import io.evenkeel.common.config.OneLine;
import io.evenkeel.common.config.Settings;
import io.evenkeel.common.plugin.Fit;
import io.evenkeel.common.plugin.PluginStart;
import io.evenkeel.mover.config.FollowKeys;
import io.evenkeel.mover.config.MoverKeys;
import io.evenkeel.mover.core.follow.Prefixes;
import java.io.IOException;
import java.net.InetAddress;
import java.util.Map;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.VersionInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The daemon's configuration, read and checked once. Immutable. */
final class FollowSettings {
  private static final Logger LOG = LoggerFactory.getLogger(FollowSettings.class);

  private final Settings settings;
  private final Prefixes prefixes;
  private final String instance;
  private final String incarnation = UUID.randomUUID().toString();

  private FollowSettings(Settings settings, Prefixes prefixes, String instance) {
    this.settings = settings;
    this.prefixes = prefixes;
    this.instance = instance;
  }

  /**
   * Reads them.
   *
   * @throws ConfigException naming the key
   * @throws CommandException on a Hadoop that this jar does not know
   */
  static FollowSettings read(Configuration conf) throws IOException {
    return read(conf, MoverKeys.MODULE.fit(VersionInfo.getVersion()));
  }

  /** The same on a Hadoop that the jar fits or not. */
  static FollowSettings read(Configuration conf, Fit hadoop) throws IOException {
    PluginStart start = MoverKeys.MODULE.startOrFail(hadoop, conf, conf::get, LOG::warn);
    if (start.isReleaseRefused()) {
      throw new CommandException(ExitCode.COULD_NOT_RUN, start.releaseRefusal());
    }
    Settings settings = start.settings();
    String directory = absolute(settings, FollowKeys.DIRECTORY);
    if (!settings.get(FollowKeys.SPOOL).isEmpty()
        && Prefixes.isWithin(absolute(settings, FollowKeys.SPOOL), directory)) {
      // the daemon's own files would be taken for requests, and removed
      throw bad(FollowKeys.SPOOL, settings, "not in " + FollowKeys.DIRECTORY + ": " + directory);
    }
    return new FollowSettings(settings, prefixes(settings, directory), instance(settings));
  }

  private static Prefixes prefixes(Settings settings, String directory) {
    try {
      return Prefixes.parse(settings.get(FollowKeys.PREFIXES), directory);
    } catch (IllegalArgumentException e) {
      throw bad(FollowKeys.PREFIXES, settings, e.getMessage());
    }
  }

  /** What the daemon says of a value; {@code why} is empty where the range says all. */
  private static ConfigException bad(Key<String> key, Settings settings, String why) {
    String range = key.range() + (why.isEmpty() ? "" : " (" + why + ")");
    return new ConfigException(
        OneLine.of(key + " = '" + settings.get(key) + "' is not allowed; use " + range));
  }

  /** A path of a key, without an authority. */
  static String absolute(Settings settings, Key<String> key) {
    String text = settings.get(key);
    if (!text.startsWith("/") || text.equals("/")) {
      throw bad(key, settings, "");
    }
    return new Path(text).toUri().getPath();
  }

  private static String instance(Settings settings) throws IOException {
    String name = settings.get(FollowKeys.INSTANCE);
    if (name.indexOf('|') >= 0 || name.indexOf('\n') >= 0) {
      throw bad(FollowKeys.INSTANCE, settings, "");
    }
    return name.isEmpty() ? InetAddress.getLocalHost().getCanonicalHostName() : name;
  }

  <T> T get(Key<T> key) {
    return settings.get(key);
  }

  Map<String, String> inForce() {
    return settings.inForce();
  }

  Map<String, String> defaults() {
    return settings.defaults();
  }

  Prefixes prefixes() {
    return prefixes;
  }

  String instance() {
    return instance;
  }

  /** What tells this process from others of the same instance. */
  String incarnation() {
    return incarnation;
  }

  Path directory() {
    return new Path(settings.get(FollowKeys.DIRECTORY));
  }

  long leaseTimeoutMs() {
    return settings.get(FollowKeys.LEASE_TIMEOUT).toMillis();
  }
}
