package io.evenkeel.cli.status.core;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/** What one daemon answered, or why it did not. Immutable. */
public final class DaemonReport {
  private final Daemon daemon;
  private final Identity identity;
  private final List<PluginReport> plugins;
  private final String error;

  private DaemonReport(Daemon daemon, Identity identity, List<PluginReport> plugins, String error) {
    this.daemon = Objects.requireNonNull(daemon);
    this.identity = identity;
    this.plugins = Collections.unmodifiableList(new ArrayList<>(plugins));
    this.error = error;
  }

  /** A daemon that answered. */
  public static DaemonReport answered(
      Daemon daemon, Identity identity, List<PluginReport> plugins) {
    return new DaemonReport(daemon, Objects.requireNonNull(identity), plugins, null);
  }

  /** A daemon that did not answer; the reason is one line. */
  public static DaemonReport silent(Daemon daemon, String error) {
    return new DaemonReport(
        daemon,
        new Identity("unknown", "", ""),
        Collections.<PluginReport>emptyList(),
        Objects.requireNonNull(error));
  }

  /** Who was asked. */
  public Daemon daemon() {
    return daemon;
  }

  /** Release, high-availability state and block pool. */
  public Identity identity() {
    return identity;
  }

  /** Plugins in the order of their bean names; empty on a stock daemon. */
  public List<PluginReport> plugins() {
    return plugins;
  }

  /** Whether there was an answer. */
  public boolean hasAnswered() {
    return error == null;
  }

  /** Why there was no answer; null when there was one. */
  public String error() {
    return error;
  }

  PluginReport plugin(String title) {
    for (PluginReport plugin : plugins) {
      if (plugin.title().equals(title)) {
        return plugin;
      }
    }
    return null;
  }

  /** Equal for daemons that one line of the table can stand for. */
  String sameness() {
    StringBuilder text = new StringBuilder(daemon.role()).append('\n');
    text.append(Daemon.NAMENODE.equals(daemon.role()) ? daemon.uri() : "").append('\n');
    text.append(identity.hadoopVersion).append('\n').append(error);
    for (PluginReport plugin : plugins) {
      text.append('\n').append(plugin.sameness());
    }
    return text.toString();
  }

  /** What a daemon is beside its plugins. Immutable. */
  public static final class Identity {
    private final String hadoopVersion;
    private final String haState;
    private final String blockPool;

    /**
     * Creates it.
     *
     * @param hadoopVersion release, or {@code unknown}
     * @param haState {@code active}, {@code standby} or {@code observer}; empty when not a NameNode
     * @param blockPool id shared by the NameNodes of one namespace; empty when not a NameNode
     */
    public Identity(String hadoopVersion, String haState, String blockPool) {
      this.hadoopVersion = Objects.requireNonNull(hadoopVersion);
      this.haState = Objects.requireNonNull(haState);
      this.blockPool = Objects.requireNonNull(blockPool);
    }

    /** Hadoop release, or {@code unknown}. */
    public String hadoopVersion() {
      return hadoopVersion;
    }

    /** High-availability state in lower case; empty when there is none. */
    public String haState() {
      return haState;
    }

    /** Id of the block pool; empty when not a NameNode. */
    public String blockPool() {
      return blockPool;
    }
  }
}
