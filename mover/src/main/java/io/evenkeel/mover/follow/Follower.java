package io.evenkeel.mover.follow;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.jmx.NumberedBeans;
import io.evenkeel.common.plugin.PluginStatus;
import io.evenkeel.common.plugin.PluginStatus.Report;
import io.evenkeel.common.plugin.PluginStatus.State;
import io.evenkeel.mover.config.FollowKeys;
import io.evenkeel.mover.core.follow.Journal;
import io.evenkeel.mover.core.follow.LeaseRule;
import io.evenkeel.mover.core.follow.PollPace;
import io.evenkeel.mover.core.follow.RequestKind;
import io.evenkeel.mover.core.follow.RetryRule;
import io.evenkeel.mover.core.task.GrowingWait;
import io.evenkeel.mover.hdfs.HdfsConnection;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.management.JMException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.Time;
import org.apache.hadoop.util.VersionInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows renames below some directories and hands them to a mover. Of several for one namespace
 * one is active, by a lease in HDFS; the others wait for it to end. Thread-safe.
 */
public final class Follower implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Follower.class);
  private static final long COMPACT_AT = 64L << 20;
  private static final long JOIN_MS = 15_000;
  private static final long LONGEST_PAUSE_MS = 30_000;
  private static final long LONGEST_RETRY_MS = 3_600_000;
  private static final NumberedBeans BEANS =
      new NumberedBeans(
          ManagementFactory.getPlatformMBeanServer(), "io.evenkeel:type=Mover,name=Follow");

  private final FollowSettings settings;
  private final MoveService mover;
  private final DistributedFileSystem fs;
  private final FollowCounters counters;
  private final HdfsLease lease;
  private final LeaseRule rule;
  private final Problems problems = new Problems();
  private final CountDownLatch stop = new CountDownLatch(1);
  private final Thread thread = new Thread(this::run, "evenkeel-follow");
  private final String startLine;

  /** Whether its numbers are to be in JMX no more. */
  private volatile boolean gone;

  /** For tests: what a process that was killed would have left is left. */
  private volatile boolean killed;

  private Follower(FollowSettings settings, MoveService mover, DistributedFileSystem fs)
      throws IOException {
    this.settings = settings;
    this.mover = mover;
    this.fs = fs;
    this.counters = new FollowCounters(settings.instance());
    this.rule =
        new LeaseRule(settings.instance(), settings.incarnation(), settings.leaseTimeoutMs());
    this.lease = new HdfsLease(fs, new Path(settings.directory(), "lease"), rule.owner());
    this.startLine =
        PluginStatus.publish(
                "mover",
                Follower.class,
                Report.of(
                    State.ACTIVE,
                    "",
                    VersionInfo.getVersion(),
                    settings.inForce(),
                    settings.defaults()))
            .startLine();
    publish();
    thread.setDaemon(true);
  }

  private void publish() {
    try {
      BEANS.register(counters, () -> gone);
    } catch (JMException | RuntimeException e) {
      LOG.warn("The daemon is not visible in JMX: {}", e.toString());
    }
  }

  /**
   * Reads the configuration and asks the NameNode whether this user may follow it.
   *
   * @throws io.evenkeel.common.config.ConfigException naming the bad key
   * @throws CommandException when this user is not the superuser of HDFS, or {@code fs.defaultFS}
   *     is not HDFS
   */
  public static Follower open(Configuration conf, MoveService mover) throws IOException {
    FollowSettings settings = FollowSettings.read(conf);
    DistributedFileSystem fs = connect(conf);
    try {
      checkSuperuser(fs, fs.getUri());
      return new Follower(settings, mover, fs);
    } catch (IOException | RuntimeException e) {
      fs.close();
      throw e;
    }
  }

  /** A connection to the active NameNode of its own. */
  static DistributedFileSystem connect(Configuration conf) throws IOException {
    URI uri = FileSystem.getDefaultUri(conf);
    FileSystem made = FileSystem.newInstance(uri, HdfsConnection.withoutObservers(conf, uri));
    if (!(made instanceof DistributedFileSystem)) {
      made.close();
      throw new CommandException(
          ExitCode.COULD_NOT_RUN, "fs.defaultFS = " + uri + " is not an HDFS NameNode");
    }
    return (DistributedFileSystem) made;
  }

  private static void checkSuperuser(DistributedFileSystem fs, URI uri) throws IOException {
    try {
      fs.getClient().getNamenode().getCurrentEditLogTxid();
    } catch (RemoteException e) {
      IOException cause = e.unwrapRemoteException(AccessControlException.class);
      if (cause instanceof AccessControlException) {
        String user = UserGroupInformation.getCurrentUser().getShortUserName();
        throw new CommandException(
            ExitCode.DENIED,
            user + " is not a superuser of " + uri + "; only superusers may read its events",
            cause);
      }
      throw cause;
    }
  }

  /** One line: what it is, on which Hadoop, with what settings. */
  public String startLine() {
    return startLine;
  }

  /** What it has done and does. */
  public FollowMXBean status() {
    return counters;
  }

  /** Starts to follow, or to wait until it may. */
  public void start() {
    LOG.info(startLine);
    thread.start();
  }

  private void run() {
    long look = Math.max(100, settings.leaseTimeoutMs() / 8);
    GrowingWait failing = new GrowingWait(look, Math.max(look, LONGEST_PAUSE_MS));
    try {
      while (stop.getCount() > 0) {
        long pause = look;
        try {
          long begin = Time.monotonicNow();
          boolean active = rule.mayTake(lease.look(), begin);
          if (active) {
            beActive();
          } else if (rule.isRenewed()) { // not as two that fail in turn
            problems.nextRound(); // the next failure is another one
          }
          if (active && Time.monotonicNow() - begin < LONGEST_PAUSE_MS) { // it would end so again
            pause = failing.next();
          } else {
            failing.reset();
          }
        } catch (IOException | RuntimeException | Error e) { // or nothing would ever follow again
          notActive(e);
          pause = failing.next(); // each attempt is some calls to the NameNode
        }
        counters.state("standby");
        stop.await(pause, TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException e) {
      LOG.debug("Interrupted", e);
    } finally {
      counters.state("stopped");
    }
  }

  /** Told once: an attempt every 30 s may fail for days, as without a DataNode of the journal. */
  private void notActive(Throwable e) {
    if (stop.getCount() == 0) {
      return; // broken off, as a recovery that waits for a DataNode
    }
    String why = Problems.line(e);
    counters.error("not active: " + why);
    problems.nextRound();
    if (problems.isNew(why)) {
      LOG.warn("{} is not active: {}; trying again", settings.instance(), why);
    }
    LOG.debug("Not active", e);
  }

  /** Takes the lease and works until it is lost, the journal fails or this is stopped. */
  private void beActive() throws IOException, InterruptedException {
    counters.state("starting");
    lease.take();
    LeaseKeeper keeper = new LeaseKeeper(lease::renew, settings.leaseTimeoutMs());
    keeper.start();
    ActiveDaemon daemon = null;
    try {
      HdfsSegmentStore store =
          new HdfsSegmentStore(
              fs,
              new Path(settings.directory(), "journal"),
              settings.incarnation(),
              () -> stop.getCount() == 0 || keeper.isLost());
      Journal journal =
          Journal.open(store, COMPACT_AT, Time.monotonicNow(), settings.prefixes().roots());
      daemon = new ActiveDaemon(journal, counters, settings.get(FollowKeys.MOST_QUEUED));
      tellUnread(journal); // before anything that may fail: the next one finds nothing unread
      beginNow(journal);
      int found = journal.size(); // before any of them may end
      counters.active(daemon);
      daemon.holdWhile(keeper::isLate); // before anything is handed out
      startWork(daemon);
      announce(journal, found); // when it is known whether it is paused
      boolean expired = false;
      while (stop.getCount() > 0 && !keeper.isLost() && !daemon.hasEnded()) {
        expired = suspend(daemon, keeper.isExpired(), expired);
        stop.await(50, TimeUnit.MILLISECONDS);
      }
    } finally {
      counters.state("standby");
      boolean lost = keeper.isLost() || keeper.isExpired();
      if (daemon != null) {
        daemon.stop();
      }
      keeper.stop();
      leave(daemon, lost);
    }
  }

  /** Starts the threads of an active daemon. */
  private void startWork(ActiveDaemon daemon) throws IOException {
    RetryRule retries =
        new RetryRule(
            settings.get(FollowKeys.RETRIES).intValue(),
            settings.get(FollowKeys.RETRY_WAIT).toMillis(),
            LONGEST_RETRY_MS);
    PollPace pace = new PollPace(settings.get(FollowKeys.POLL_INTERVAL).toMillis());
    int inFlight = settings.get(FollowKeys.IN_FLIGHT).intValue();
    RequestRunner work =
        new RequestRunner(
            daemon, mover, retries, settings.prefixes(), startAsked(daemon), inFlight);
    Control control =
        new Control(daemon, work, fs, new Path(settings.directory(), Control.DIRECTORY));
    control.readPaused(); // before anything is moved
    daemon.start("requests", work);
    daemon.start("control", control);
    daemon.start("events", new EventReader(daemon, fs, settings.prefixes(), pace));
    long scanMs = settings.get(FollowKeys.SCAN_INTERVAL).toMillis();
    if (scanMs > 0) {
      daemon.start("scans", () -> daemon.scan(settings.prefixes(), scanMs));
    }
  }

  /** Starts what takes requests of users; returns what tells them of the end. */
  private Map<RequestKind, RequestRunner.Finish> startAsked(ActiveDaemon daemon) {
    Map<RequestKind, RequestRunner.Finish> finish = new EnumMap<>(RequestKind.class);
    if (settings.get(FollowKeys.SATISFIER).equals("on")) {
      SatisfierQueue queue = new SatisfierQueue(daemon, fs);
      finish.put(RequestKind.SATISFY, (request, report) -> queue.finish(request));
      daemon.start("satisfier", queue);
    }
    String directory = settings.get(FollowKeys.SPOOL);
    if (!directory.isEmpty()) {
      SpoolDirectory spool = new SpoolDirectory(daemon, fs, new Path(directory));
      finish.put(RequestKind.SPOOL, spool::finish);
      daemon.start("spool", spool);
    }
    return finish;
  }

  /**
   * Stops what is being moved while another one may be active, which cannot be asked. The threads
   * go on: mostly the NameNode was slow, and the lease is renewed after that.
   */
  private boolean suspend(ActiveDaemon daemon, boolean expired, boolean before) {
    if (expired) {
      daemon.stopMoves();
    }
    if (expired != before) {
      counters.state(expired ? "standby" : "active");
      if (expired) {
        LOG.warn("The lease could not be renewed in time: nothing is moved until it is");
      } else {
        LOG.info("The lease is renewed: active again");
      }
    }
    return expired;
  }

  /** Who follows for the first time sees all from here on: nothing between "active" and events. */
  private void beginNow(Journal journal) throws IOException {
    if (journal.lastTxid() < 0) {
      journal.advance(EventReader.currentTransaction(fs));
      journal.sync();
    }
  }

  private void tellUnread(Journal journal) {
    if (journal.unreadBytes() > 0) {
      String unread =
          journal.unreadBytes()
              + " bytes of the journal are damaged or of another version of Evenkeel";
      counters.error(unread);
      counters.rescans.incrementAndGet();
      LOG.error(
          "{}: all prefixes are scanned; other requests there are lost, the journal is kept in {}",
          unread,
          settings.directory() + "/journal/unread-*");
    }
  }

  private void announce(Journal journal, int found) {
    problems.nextRound(); // the next failure is another one
    problems.nextRound();
    counters.activations.incrementAndGet();
    counters.state("active");
    LOG.info(
        "{} is active: {} requests in the journal, last transaction {}",
        settings.instance(),
        found,
        journal.lastTxid());
    if (journal.cutBytes() > 0) {
      LOG.info(
          "The last {} bytes of the journal are no whole record, as after a crash, and left out",
          journal.cutBytes());
    }
  }

  private void leave(ActiveDaemon daemon, boolean lost) {
    counters.active(null);
    if (killed) {
      return;
    }
    if (daemon != null && isSynced(daemon.journal())) {
      close(daemon.journal()); // first: who is active next need not recover it
    }
    giveBack(lost);
    if (daemon != null) {
      close(daemon.journal()); // one that failed; its DataNode may hang
    }
  }

  private static boolean isSynced(Journal journal) {
    try {
      journal.sync();
      return true;
    } catch (IOException | RuntimeException e) {
      LOG.debug("The journal could not be synced", e);
      return false;
    }
  }

  private static void close(Journal journal) {
    try {
      journal.close();
    } catch (IOException | RuntimeException e) {
      LOG.debug("The journal could not be closed", e);
    }
  }

  /** Also after an attempt that failed: another one may be able to do what this one is not. */
  private void giveBack(boolean lost) {
    try {
      // a journal that was taken away tells of it first
      if (stop.getCount() > 0 && rule.lostTo(lease.look())) {
        LOG.error(
            "Another process also uses the instance name {}; give each daemon its own {}",
            settings.instance(),
            FollowKeys.INSTANCE.name());
      }
      if (lost) {
        lease.abandon();
      } else {
        lease.release(); // when it is still its own
      }
    } catch (IOException e) {
      LOG.warn("The lease was not released: {}", Problems.line(e));
    }
  }

  /** Stops everything and closes nothing in HDFS, as a killed process would. */
  void kill() {
    killed = true;
    end();
  }

  private void end() {
    stop.countDown();
    try {
      thread.join(JOIN_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    gone = true;
  }

  /** Gives the lease back and stops; requests without an end stay in the journal. */
  @Override
  public void close() {
    end();
    try {
      fs.close();
    } catch (IOException e) {
      LOG.debug("The file system was not closed", e);
    }
  }
}
