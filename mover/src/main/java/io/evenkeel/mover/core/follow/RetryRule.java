package io.evenkeel.mover.core.follow;

import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.FileReport;
import io.evenkeel.mover.request.MoveReport;
import java.util.ArrayList;
import java.util.List;

/** What follows from a report: which files are tried again, which have failed. Immutable. */
public final class RetryRule {
  /** Attempts to answer, beyond those to move. */
  private static final int MORE_TO_FINISH = 10;

  private final int limit;
  private final long firstMs;
  private final long mostMs;

  /**
   * Creates it.
   *
   * @param limit how often something is tried again
   * @param firstMs the first wait, doubled each time
   * @param mostMs the longest wait
   */
  public RetryRule(int limit, long firstMs, long mostMs) {
    this.limit = limit;
    this.firstMs = firstMs;
    this.mostMs = mostMs;
  }

  /**
   * How long to wait before the next attempt.
   *
   * @param attempts attempts made before the last one
   * @param random 0..1, spreads attempts over the second half of the wait
   */
  public long waitMs(int attempts, double random) {
    long wait = Math.min(mostMs, firstMs << Math.min(attempts, 20));
    long half = wait / 2;
    return half + (long) (half * random);
  }

  /**
   * Attempts to count for a file that waits until it is closed, for the next wait: few when it was
   * not waiting before, for its close may have come before the report; growing from then on.
   */
  public static int attemptsOfOpen(QueuedRequest request) {
    return request.kind() == RequestKind.RETRY
        ? Math.min(request.attempts() + 1, Byte.MAX_VALUE)
        : 0;
  }

  /**
   * Attempts to count for a file of a request. Looks at one that was open are none: once it is
   * closed it is tried as often as any other.
   */
  public static int attemptsOf(QueuedRequest request, FileReport file) {
    return request.kind() == RequestKind.RETRY && file.inodeId() != 0 ? 0 : request.attempts();
  }

  /** The first wait. */
  public long firstMs() {
    return firstMs;
  }

  /** How long the files of a tree that no report lists wait before the tree is read again. */
  public long scanAgainMs() {
    return mostMs;
  }

  /** Whether another attempt is allowed after that many before the last one. */
  public boolean mayRetry(int attempts) {
    return attempts < limit;
  }

  /**
   * The same for the request as a whole. One that waits for the close of its file has no end: its
   * attempts are looks at it.
   */
  public boolean mayRetry(QueuedRequest request) {
    return request.kind() == RequestKind.RETRY || mayRetry(request.attempts());
  }

  /** Whether to try again to tell the one who asked, some times more than to move. */
  public boolean mayFinishAgain(int attempts) {
    return attempts < limit + MORE_TO_FINISH;
  }

  /**
   * Judges a report. Files of our own directory are neither tried again nor have they failed.
   *
   * <p>What could not be satisfied of a tree is tried again file by file: reading the tree again
   * for some of its files would cost the NameNode a listing of all of them each time. Files beyond
   * those a report lists wait for a scan of the tree. A file that is open waits for its close, for
   * as long as that takes; it is looked at from time to time, in case its close was not seen.
   *
   * <p>A file that is right but lacks replicas is looked at again as often: one that comes back
   * with its DataNode before the NameNode has replaced it is where it was. Only files that are
   * followed: what a user asks for elsewhere is done once it is answered. Nobody waits for it, no
   * scan follows where there is no room for it, and it never counts as failed.
   *
   * @param followed the paths where the close of a file will be seen as an event
   */
  public Judgement judge(QueuedRequest request, MoveReport report, Prefixes followed) {
    Judgement judgement = new Judgement();
    long listed = 0;
    for (FileReport found : report.listed()) {
      FileReport file = named(request, found);
      FileOutcome outcome = file.outcome();
      if (!outcome.isSatisfied()) {
        listed++;
        if (followed.isOwn(file.path())) {
          continue; // the lease and the journal are open
        }
        if (file.isOpen() && followed.covers(file.path())) {
          judgement.open.add(file);
        } else if (isTransient(file)) {
          boolean unread = file.path().isEmpty();
          boolean mayRetry = unread ? mayRetry(request) : mayRetry(attemptsOf(request, file));
          (mayRetry ? judgement.again : judgement.failed).add(file);
        } else if (outcome != FileOutcome.MISSING) { // no such path, so nothing to move
          judgement.failed.add(file);
        }
      } else if (file.isLacking()
          && mayRetry(request.attempts())
          && !request.kind().isAsked()
          && followed.covers(file.path())
          && !followed.isOwn(file.path())) {
        judgement.lacking.add(file);
      }
    }
    long more = report.fileCount() - report.satisfiedCount() - listed;
    boolean whole = isWhole(request, judgement.again) || (more > 0 && request.kind().isAsked());
    if (mayRetry(request)) {
      judgement.whole = whole;
      judgement.scan = more > 0 && !whole;
    } else if (more > 0) {
      String reason = more + " more files are not satisfied";
      judgement.failed.add(FileReport.of(request.shown(), FileOutcome.FAILED, reason));
    }
    return judgement;
  }

  /** A file that was asked for by its inode id, with its path. */
  private static FileReport named(QueuedRequest request, FileReport file) {
    return file.path().equals(request.path()) && !file.path().equals(request.shown())
        ? file.withPath(request.shown())
        : file;
  }

  /** Whether the request itself is tried again, not files of it. */
  private static boolean isWhole(QueuedRequest request, List<FileReport> again) {
    boolean single =
        request.kind() != RequestKind.RETRY // which then has its inode
            && again.size() == 1
            && again.get(0).path().equals(request.shown());
    // a report without a path is about the request: it could not be read to its end
    boolean unread = again.stream().anyMatch(file -> file.path().isEmpty());
    // somebody waits for the end of all of what was asked for
    return !again.isEmpty() && (single || unread || request.kind().isAsked());
  }

  private static boolean isTransient(FileReport file) {
    switch (file.outcome()) {
      case MISSING:
        return file.inodeId() != 0; // the file is there, a block of it has no live replica now
      case PARTIAL:
      case PENDING_OPEN:
      case PENDING_REPLICATION:
      case NO_TARGET:
      case FAILED:
      case CANCELLED:
      case DENIED: // the superuser, while the NameNode cannot tell that it is one
        return true;
      default:
        return false;
    }
  }

  /** Whether no more is to be said of a file that was only looked at. */
  public static boolean isAnswer(FileReport file) {
    switch (file.outcome()) {
      case SATISFIED:
        return !file.isOpen();
      case PENDING_OPEN:
        return file.isOpen();
      case DELETED:
        return true;
      case MISSING:
        return file.inodeId() == 0; // there is no such path
      default:
        return file.outcome() == FileOutcome.DENIED;
    }
  }

  /** Whether the request itself was denied, not a file of it. */
  public static boolean isDenied(QueuedRequest request, MoveReport report) {
    return report.listed().stream()
        .filter(file -> file.outcome() == FileOutcome.DENIED)
        .anyMatch(file -> file.inodeId() == 0 || file.path().equals(request.path()));
  }

  /** What is to be done after one attempt. Not changed once it is given out. */
  public static final class Judgement {
    private final List<FileReport> again = new ArrayList<>();
    private final List<FileReport> open = new ArrayList<>();
    private final List<FileReport> failed = new ArrayList<>();
    private final List<FileReport> lacking = new ArrayList<>();
    private boolean whole;
    private boolean scan;

    private Judgement() {}

    /** Whether the request itself is tried again, instead of single files of it. */
    public boolean wholeAgain() {
      return whole;
    }

    /** Whether more files wait than are listed, for which the tree is read again later. */
    public boolean scanAgain() {
      return scan;
    }

    /** Files to try again; when {@link #wholeAgain} only for information. */
    public List<FileReport> again() {
      return again;
    }

    /** How many files wait for anything. */
    public int files() {
      return again.size() + open.size();
    }

    /** Files that wait until they are closed. */
    public List<FileReport> open() {
      return open;
    }

    /** Files that are right and lack replicas, to be looked at again. */
    public List<FileReport> lacking() {
      return lacking;
    }

    /** Files that are given up. */
    public List<FileReport> failed() {
      return failed;
    }
  }
}
