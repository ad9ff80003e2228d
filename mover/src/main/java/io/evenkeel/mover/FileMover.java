package io.evenkeel.mover;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.config.Settings;
import io.evenkeel.common.plugin.Fit;
import io.evenkeel.common.plugin.PluginStart;
import io.evenkeel.common.plugin.PluginStatus.State;
import io.evenkeel.mover.config.FollowKeys;
import io.evenkeel.mover.config.MoverKeys;
import io.evenkeel.mover.core.task.TaskRules;
import io.evenkeel.mover.engine.AccessDeniedException;
import io.evenkeel.mover.engine.Engine;
import io.evenkeel.mover.engine.EngineSettings;
import io.evenkeel.mover.follow.MoveService;
import io.evenkeel.mover.hdfs.DataNodeVersions;
import io.evenkeel.mover.hdfs.HandOver;
import io.evenkeel.mover.hdfs.HdfsConnection;
import io.evenkeel.mover.hdfs.HdfsNamespace;
import io.evenkeel.mover.hdfs.HdfsReplicaMover;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.MoveReport;
import io.evenkeel.mover.request.MoveRequest;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.VersionInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves the blocks of files to the storage types their policies ask for, without a scan of the
 * namespace: requests by priority and age, the files of a page in random order and many at once,
 * until the NameNode says that all are there.
 *
 * <p>Moving needs the rights of the HDFS superuser, since block keys and DataNode reports are given
 * to nobody else. For other users it hands the request to the daemon by {@code
 * satisfyStoragePolicy} and says so ({@link FileOutcome#HANDED_OVER}), or the files are denied. Any
 * number of movers may run at once, also beside {@code hdfs mover} and the Balancer; processes take
 * turns with moves inside DataNodes. Threads exist only while there is work. Thread-safe.
 */
public final class FileMover implements MoveService {
  private static final Logger LOG = LoggerFactory.getLogger(FileMover.class);
  private static final String QUOTA = "dfs.datanode.balance.max.concurrent.moves";
  private static final int QUOTA_DEFAULT = 100;

  /** A block of many gigabytes at the Balancer's bandwidth takes its time. */
  private static final Duration MOVE_LIMIT = Duration.ofHours(2);

  private final HdfsConnection connection;
  private final Engine engine;
  private final HandOver handOver;

  private FileMover(HdfsConnection connection, Engine engine, HandOver handOver) {
    this.connection = connection;
    this.engine = engine;
    this.handOver = handOver;
  }

  /**
   * Opens a mover for {@code fs.defaultFS}. Warns of DataNodes that run a Hadoop this jar does not
   * know; for that it asks the web pages of the NameNodes, some seconds each where one hangs.
   *
   * @throws io.evenkeel.common.config.ConfigException naming every bad {@code evenkeel.mover.*} key
   * @throws CommandException when HDFS refuses (an upgrade that is not finalised, a Hadoop that
   *     this jar does not know; not the superuser, where nothing may be handed over) or does not
   *     answer
   */
  public static FileMover open(Configuration conf) throws IOException {
    return open(conf, FileSystem.getDefaultUri(conf));
  }

  /** The same for a given NameNode or nameservice. */
  public static FileMover open(Configuration conf, URI nameNode) throws IOException {
    return open(conf, nameNode, MoverKeys.MODULE.fit(VersionInfo.getVersion()));
  }

  /** The same on a Hadoop that the jar fits or not. */
  static FileMover open(Configuration conf, URI nameNode, Fit hadoop) throws IOException {
    PluginStart start = MoverKeys.MODULE.startOrFail(hadoop, conf, conf::get, LOG::warn);
    if (start.isReleaseRefused()) {
      throw new CommandException(ExitCode.COULD_NOT_RUN, start.releaseRefusal());
    }
    Settings settings = start.settings();
    HdfsConnection connection = HdfsConnection.open(conf, nameNode);
    try {
      connection.checkUpgrade(settings.get(MoverKeys.RUN_DURING_UPGRADE));
      if (!settings.get(MoverKeys.ALLOW_UNTESTED)) {
        connection.checkVersion(MoverKeys.MODULE::knowsLine, MoverKeys.ALLOW_UNTESTED.name());
      }
      Engine engine =
          new Engine(
              new HdfsNamespace(connection),
              new HdfsReplicaMover(connection, MOVE_LIMIT),
              engineSettings(conf, settings),
              LOG::warn);
      DataNodeVersions.warn(conf, nameNode, MoverKeys.MODULE::knowsLine);
      start.announce(FileMover.class, State.ACTIVE, start.reason(), settings.inForce(), LOG::info);
      return new FileMover(connection, engine, null);
    } catch (AccessDeniedException e) {
      String user = UserGroupInformation.getCurrentUser().getShortUserName();
      String why = "user " + user + " may not move blocks; run as the HDFS superuser";
      if (settings.get(MoverKeys.HAND_OVER)) {
        String reason = start.reason(why + ", or paths are only asked for");
        start.announce(FileMover.class, State.FALLBACK, reason, settings.inForce(), LOG::info);
        return new FileMover(connection, null, new HandOver(connection, why));
      }
      connection.close();
      throw new CommandException(ExitCode.DENIED, why, e);
    } catch (IOException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  private static EngineSettings engineSettings(Configuration conf, Settings settings) {
    TaskRules rules =
        new TaskRules(
            settings.get(MoverKeys.SETTLE).toMillis(),
            settings.get(MoverKeys.RETRY_AFTER).toMillis(),
            settings.get(MoverKeys.ATTEMPTS).intValue());
    return new EngineSettings(
        settings.get(MoverKeys.THREADS).intValue(),
        movesPerDataNode(
            settings.get(MoverKeys.MOVES_PER_DATANODE), conf.getInt(QUOTA, QUOTA_DEFAULT)),
        settings.get(MoverKeys.BANDWIDTH_PER_DATANODE),
        rules,
        settings.get(FollowKeys.REPLICAS_PER_SECOND),
        settings.get(FollowKeys.LISTINGS_PER_SECOND));
  }

  /** Never more than half of what a DataNode takes, for the Balancer needs the other half. */
  static int movesPerDataNode(long wanted, int quota) {
    return (int) Math.min(Math.max(1, quota / 2), wanted);
  }

  /** Moves files or directory trees. */
  public CompletableFuture<MoveReport> move(Path... paths) {
    String[] names = Arrays.stream(paths).map(Path::toString).toArray(String[]::new);
    return move(MoveRequest.of(names).build());
  }

  /**
   * Moves what the request names. Cancelling the future starts nothing more; moves under way end by
   * themselves. What happens to files stands in the report; the future fails only when the mover is
   * closed or itself at fault.
   */
  @Override
  public CompletableFuture<MoveReport> move(MoveRequest request) {
    try {
      return handOver == null ? engine.submit(request) : handOver.submit(request);
    } catch (IllegalStateException e) {
      return failed(e);
    }
  }

  /**
   * Why nothing is moved now: an upgrade of HDFS that is not finalised, unless {@code
   * evenkeel.mover.run-during-upgrade} allows it. Until that ends files that are not as they should
   * be end as {@link FileOutcome#FAILED} with this reason. Null when files may be moved; asks the
   * NameNode when the last answer is older than 10 s.
   */
  @Override
  public String refusal() {
    return connection.refusal();
  }

  @Override
  public boolean isStarved() {
    return engine != null && engine.isStarved();
  }

  private static CompletableFuture<MoveReport> failed(Exception e) {
    CompletableFuture<MoveReport> future = new CompletableFuture<>();
    future.completeExceptionally(e);
    return future;
  }

  /**
   * Renames, as {@code FileSystem.rename} with {@link Options.Rename#NONE} does, and then moves
   * what was renamed, since the policy of the new directory applies to it.
   *
   * @return fails with the NameNode's exception (quota, permission, no such path) when the rename
   *     is refused, and nothing is moved
   */
  public CompletableFuture<MoveReport> rename(Path source, Path destination) {
    try {
      Path from = new Path(connection.pathOf(source));
      Path to = new Path(connection.pathOf(destination));
      connection.fileSystem().rename(from, to, Options.Rename.NONE);
      return move(to);
    } catch (IOException | CommandException e) {
      return failed(e);
    }
  }

  /** Ends all requests as cancelled, waits for moves under way at most some seconds. */
  @Override
  public void close() {
    if (engine != null) {
      engine.close();
    } else {
      handOver.close();
    }
    connection.close();
  }
}
