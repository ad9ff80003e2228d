package io.evenkeel.mover.core.follow;

import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.FileReport;
import io.evenkeel.mover.request.MoveReport;
import java.util.ArrayList;
import java.util.List;

/** What follows from a report: which files are tried again, which have failed. Immutable. */
public final class RetryRule {
  /** A request with more files to try again is tried again as a whole. */
  static final int MOST_FILES = 100;

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

  /** Whether another attempt is allowed after that many before the last one. */
  public boolean mayRetry(int attempts) {
    return attempts < limit;
  }

  /** Whether to try again to tell the one who asked, some times more than to move. */
  public boolean mayFinishAgain(int attempts) {
    return attempts < limit + MORE_TO_FINISH;
  }

  /**
   * Judges a report. Files of our own directory are neither tried again nor have they failed.
   *
   * @param followed the paths where the close of a file will be seen as an event
   */
  public Judgement judge(QueuedRequest request, MoveReport report, Prefixes followed) {
    List<FileReport> again = new ArrayList<>();
    List<FileReport> failed = new ArrayList<>();
    long listed = 0;
    for (FileReport file : report.listed()) {
      FileOutcome outcome = file.outcome();
      if (!outcome.isSatisfied()) {
        listed++;
        if (followed.isOwn(file.path())) {
          continue; // the lease and the journal are open
        }
        if (isTransient(file) && !(isOpen(outcome) && followed.covers(file.path()))) {
          (mayRetry(request.attempts()) ? again : failed).add(file);
        } else if (isFailure(outcome)) {
          failed.add(file);
        }
      }
    }
    long unsatisfied = report.fileCount() - report.satisfiedCount();
    boolean truncated = listed < unsatisfied;
    if (truncated && !mayRetry(request.attempts())) {
      String more = unsatisfied - listed + " more files are not satisfied";
      failed.add(FileReport.of(request.text(), FileOutcome.FAILED, more));
    }
    boolean whole = truncated ? mayRetry(request.attempts()) : asAWhole(request, again);
    return new Judgement(whole, again, failed);
  }

  /** Whether these are not tried again file by file. */
  private static boolean asAWhole(QueuedRequest request, List<FileReport> again) {
    boolean single = again.size() == 1 && again.get(0).path().equals(request.text());
    boolean indivisible =
        request.kind() == RequestKind.SATISFY || request.kind() == RequestKind.SPOOL;
    // a report without a path is about the request: it could not be read to its end
    boolean unread = again.stream().anyMatch(file -> file.path().isEmpty());
    return !again.isEmpty() && (single || unread || indivisible || again.size() > MOST_FILES);
  }

  private static boolean isOpen(FileOutcome outcome) {
    return outcome == FileOutcome.PENDING_OPEN;
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
        return true;
      default:
        return false;
    }
  }

  /** Whether the request itself was denied, not a file of it. */
  public static boolean isDenied(MoveReport report) {
    return report.listed().stream()
        .anyMatch(file -> file.outcome() == FileOutcome.DENIED && file.inodeId() == 0);
  }

  /** A file that is gone needs nothing; one that is open is asked for again after its close. */
  private static boolean isFailure(FileOutcome outcome) {
    return outcome != FileOutcome.MISSING && !isOpen(outcome);
  }

  /** What is to be done after one attempt. Immutable. */
  public static final class Judgement {
    private final boolean whole;
    private final List<FileReport> again;
    private final List<FileReport> failed;

    private Judgement(boolean whole, List<FileReport> again, List<FileReport> failed) {
      this.whole = whole;
      this.again = again;
      this.failed = failed;
    }

    /** Whether the request itself is tried again, instead of single files of it. */
    public boolean wholeAgain() {
      return whole;
    }

    /** Files to try again; when {@link #wholeAgain} only for information. */
    public List<FileReport> again() {
      return again;
    }

    /** Files that are given up. */
    public List<FileReport> failed() {
      return failed;
    }
  }
}
