package io.evenkeel.mover.follow;

import io.evenkeel.mover.core.follow.Journal;
import io.evenkeel.mover.request.FileReport;
import io.evenkeel.mover.request.MoveReport;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;
import org.apache.hadoop.util.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is counted over the life of the process. Thread-safe. */
final class FollowCounters implements FollowMXBean {
  private static final Logger LOG = LoggerFactory.getLogger(FollowCounters.class);
  private static final int MOST_LOGGED = 10_000;

  final AtomicLong requests = new AtomicLong();
  final AtomicLong attempts = new AtomicLong();
  final AtomicLong satisfied = new AtomicLong();
  final AtomicLong failed = new AtomicLong();
  final AtomicLong retries = new AtomicLong();
  final AtomicLong rescans = new AtomicLong();
  final AtomicLong activations = new AtomicLong();
  private final AtomicLong events = new AtomicLong();
  private final AtomicLong replicas = new AtomicLong();
  private final AtomicLong localBytes = new AtomicLong();
  private final AtomicLong remoteBytes = new AtomicLong();
  private final String instance;
  private volatile String state = "standby";
  private volatile String lastError = "";
  private volatile String satisfier = "off";
  private volatile long lagTransactions = -1; // not read yet
  private volatile long lagMillis;
  private volatile ActiveDaemon active;

  /** Paths whose failure was logged; all are forgotten when they become too many. */
  private final Set<String> logged = ConcurrentHashMap.newKeySet();

  FollowCounters(String instance) {
    this.instance = instance;
  }

  void state(String value) {
    state = value;
  }

  /** Null when this process is not active. */
  void active(ActiveDaemon value) {
    active = value;
  }

  void lag(long transactions, long millis) {
    lagTransactions = transactions;
    lagMillis = millis;
  }

  /** Events cannot be read; how many there are is not known. */
  void lagUnknown() {
    lagTransactions = -1;
  }

  void satisfier(String value) {
    satisfier = value;
  }

  void error(String value) {
    lastError = value;
  }

  /** Counts what an attempt has done. */
  void attempt(MoveReport report) {
    attempts.incrementAndGet();
    satisfied.addAndGet(report.satisfiedCount());
  }

  /** Counts events of all kinds. */
  void events(long read) {
    events.addAndGet(read);
  }

  /** Counts what attempts move, while they do. */
  void replicaMoved(boolean local, long bytes) {
    (local ? localBytes : remoteBytes).addAndGet(bytes);
    replicas.incrementAndGet();
  }

  /** Counts a file given up; logged once per path. */
  void givenUp(FileReport file) {
    failed.incrementAndGet();
    lastError = file.toString();
    if (logged.size() >= MOST_LOGGED) {
      logged.clear();
    }
    if (logged.add(file.path())) {
      LOG.warn("Given up: {}", file);
    }
  }

  @Override
  public String getState() {
    return state;
  }

  @Override
  public boolean isPaused() {
    ActiveDaemon daemon = active;
    return daemon != null && !daemon.paused().isEmpty();
  }

  @Override
  public String getInstance() {
    return instance;
  }

  @Override
  public long getLagTransactions() {
    return lagTransactions;
  }

  @Override
  public long getLagMillis() {
    return lagMillis;
  }

  private long ofJournal(ToLongFunction<Journal> number, long otherwise) {
    ActiveDaemon daemon = active;
    return daemon == null ? otherwise : number.applyAsLong(daemon.journal());
  }

  @Override
  public long getLastTransaction() {
    return ofJournal(Journal::lastTxid, -1);
  }

  @Override
  public long getQueued() {
    return ofJournal(Journal::size, 0);
  }

  @Override
  public long getRunning() {
    return ofJournal(Journal::running, 0);
  }

  @Override
  public long getOldestRequestMillis() {
    long now = Time.monotonicNow();
    return ofJournal(journal -> now - journal.oldestSince(now), 0);
  }

  @Override
  public long getEvents() {
    return events.get();
  }

  @Override
  public long getRequests() {
    return requests.get();
  }

  @Override
  public long getAttempts() {
    return attempts.get();
  }

  @Override
  public long getFilesSatisfied() {
    return satisfied.get();
  }

  @Override
  public long getFilesFailed() {
    return failed.get();
  }

  @Override
  public long getReplicasMoved() {
    return replicas.get();
  }

  @Override
  public long getBytesLocal() {
    return localBytes.get();
  }

  @Override
  public long getBytesRemote() {
    return remoteBytes.get();
  }

  @Override
  public long getRetries() {
    return retries.get();
  }

  @Override
  public long getRescans() {
    return rescans.get();
  }

  @Override
  public long getActivations() {
    return activations.get();
  }

  @Override
  public String getLastError() {
    return lastError;
  }

  @Override
  public String getSatisfier() {
    return satisfier;
  }
}
