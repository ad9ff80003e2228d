package io.evenkeel.mover.follow;

import io.evenkeel.mover.core.follow.Prefixes;
import io.evenkeel.mover.core.follow.QueuedRequest;
import io.evenkeel.mover.core.follow.RequestKind;
import io.evenkeel.mover.core.follow.RequestKind.Line;
import io.evenkeel.mover.core.follow.RetryRule;
import io.evenkeel.mover.core.follow.RetryRule.Judgement;
import io.evenkeel.mover.core.follow.SpoolText;
import io.evenkeel.mover.core.task.GrowingWait;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.FileReport;
import io.evenkeel.mover.request.MoveListener;
import io.evenkeel.mover.request.MoveReport;
import io.evenkeel.mover.request.MoveRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.hadoop.util.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands requests of the journal to the mover, a bounded number at once, and ends them there. What
 * is as a rule one file is handed over together with others that wait: the NameNode tells of a
 * hundred files with one call. They are looked at first, which ends those with nothing to move: the
 * most by far, and what is moved may take hours. Each ends when the mover is done with it. Trees,
 * and what users wait for, are handed over one by one, so few at once that files need not wait for
 * them.
 */
final class RequestRunner implements ActiveDaemon.Work {
  private static final Logger LOG = LoggerFactory.getLogger(RequestRunner.class);

  /** As many as one call to the NameNode reads. */
  private static final int MOST_TOGETHER = 100;

  /** Looks at a hundred files each that are made at once. */
  private static final int MOST_LOOKS = 4;

  /** Answers to users that are written at once; a DataNode one goes to may hang for a minute. */
  private static final int MOST_ANSWERS = 4;

  /** Scans of whole trees handed out at once: more would leave the mover no room for events. */
  private static final int MOST_LOW = 4;

  /** Of renamed trees: half of what the mover works on; and as many of what users ask for. */
  private static final int MOST_ALONE = 16;

  private static final long LONGEST_HOLD_MS = 60_000;
  private static final long LOOK_MS = 100;
  private static final long RESUME_MS = 1_000;
  private static final long NOTE_MS = 1_000;
  private static final long ANSWER_AGAIN_MS = 10_000;

  /** What a request of a user is finished with before it leaves the journal. */
  interface Finish {
    /**
     * Tells the one who asked, on one of several threads of its own; {@code report} is null when no
     * attempt has ended with one.
     */
    void finish(QueuedRequest request, MoveReport report) throws IOException;
  }

  /** What was handed to the mover as one: a request, or several that are a file each. */
  private final class Attempt implements MoveListener {
    /** Those without an end, by path. Confined to the thread of this work. */
    private final Map<String, QueuedRequest> open = new LinkedHashMap<>();

    /** Of a look: files that are to be moved, also where it is broken off. Confined as those. */
    private final List<QueuedRequest> toMove = new ArrayList<>();

    private final Line line;
    private final List<Room> rooms;
    private final QueuedRequest first;
    private final boolean several;

    /** Of a scan: what it has come to, and what was left before that and since it was noted. */
    private volatile String position;

    private String noted;
    private boolean getsOn; // a scan may take days
    private final Queue<FileReport> left = new LinkedBlockingQueue<>(MoveReport.LISTED_FILES);
    private volatile boolean leftMore;

    Attempt(List<QueuedRequest> requests, Line line, List<Room> rooms) {
      requests.forEach(request -> open.put(request.path(), request));
      this.line = line;
      this.rooms = rooms;
      this.first = requests.get(0);
      this.noted = first.readUpTo();
      this.several = requests.size() > 1;
    }

    /** Whether it moves nothing. */
    private boolean isLook() {
      return line == Line.TO_LOOK_AT;
    }

    private MoveRequest request() {
      MoveRequest.Builder builder =
          first.kind() == RequestKind.SPOOL
              ? MoveRequest.of().paths(SpoolText.parse(first.text()).accepted())
              : MoveRequest.of(open.keySet().toArray(new String[0]));
      return builder
          .filesOnly(isOfFiles(line))
          .after(first.readUpTo())
          .priority(priority())
          .paced(line != Line.ASKED && !isLook())
          .dryRun(isLook())
          .listener(this)
          .build();
    }

    private int priority() {
      switch (line) {
        case ASKED:
          return 10;
        case ALONE: // a tree may have a million replicas, for which no other file is to wait
          return 0;
        case LOW:
          return -10;
        default:
          return 1;
      }
    }

    @Override
    public void replicaMoved(String path, boolean local, long bytes) {
      daemon.counters().replicaMoved(local, bytes);
    }

    @Override
    public void fileDone(FileReport file) {
      if (isOfFiles(line)) {
        turns.add(() -> ended(this, file));
      } else if (line == Line.LOW && !file.outcome().isSatisfied()) {
        // a directory that is denied for a moment is found only by reading it again
        boolean unread = file.outcome() == FileOutcome.DENIED && file.inodeId() == 0;
        leftMore |= unread || !left.offer(file);
      }
    }

    @Override
    public void readUpTo(String now) {
      boolean byInode = Prefixes.isWithin(now, "/.reserved"); // in a directory that was renamed
      if (line == Line.LOW && !byInode && Prefixes.isWithin(now, first.text())) {
        position = now;
      }
    }

    /**
     * Notes how far a scan has come, after all that waits before that place; where not all of that
     * can be noted, the scan is read again from the place before after a crash.
     */
    private void note() throws IOException {
      String now = position; // first: what is before it was told before it
      if (now == null || now.equals(noted) || leftMore || !open.containsValue(first)) {
        return;
      }
      MoveReport.Builder report = new MoveReport.Builder();
      for (FileReport file = left.poll(); file != null; file = left.poll()) {
        report.add(file);
      }
      Judgement judgement = rule.judge(first, report.build(), followed);
      boolean fits = !judgement.wholeAgain() && addOpen(first, judgement);
      if (fits && addAgain(first, judgement)) {
        daemon.journal().readUpTo(first, now);
        noted = now;
        getsOn = true;
      } else {
        leftMore = true;
      }
    }

    /** What breaks off a scan that gets on is its first failure again. */
    QueuedRequest asTried(QueuedRequest request) {
      return getsOn ? request.withAttempts(0) : request;
    }

    @Override
    public void leftOut(String path) {
      turns.add(() -> isNoFile(this, path));
    }
  }

  private final ActiveDaemon daemon;
  private final MoveService mover;
  private final RetryRule rule;
  private final Prefixes followed;
  private final Map<RequestKind, Finish> finish;

  /** What other threads tell this work, or ask it, done on its own. */
  private final LinkedBlockingQueue<ActiveDaemon.Work> turns = new LinkedBlockingQueue<>();

  private final Map<CompletableFuture<MoveReport>, Attempt> moving = new ConcurrentHashMap<>();

  // confined to the thread of this work, as all that follows
  /** Requests whose begin was logged and whose end is not yet. */
  private final Set<Long> begun = new HashSet<>();

  /** Requests whose asker is being told of their end. */
  private final Set<Long> answering = new HashSet<>();

  /** Who waits for the end of one that is to be cancelled, but whose asker is being told. */
  private final Map<Long, List<CompletableFuture<QueuedRequest>>> cancelling = new HashMap<>();

  /** Answers that are files, and those that are calls to the NameNode. */
  private final ExecutorService answers =
      Executors.newFixedThreadPool(MOST_ANSWERS, RequestRunner::thread);

  private final ExecutorService marks = Executors.newFixedThreadPool(1, RequestRunner::thread);

  private final Room room;
  private final Room roomForAsked; // beside it: users do not wait for what the daemon does itself
  private final Room roomForLow;
  private final Room roomAlone;
  private final Room roomForLooks = new Room(MOST_LOOKS);
  private long lookedAt = Time.monotonicNow() - LOOK_MS;
  private long notedAt = Time.monotonicNow();
  private String lastRefusal; // told once, as it may last for days
  private boolean answered; // since the last one that was denied
  private long heldUntil = Time.monotonicNow();
  private final GrowingWait hold;

  /**
   * Creates it.
   *
   * @param followed where the close of a file is seen
   * @param finish by kind: told of the end of each request of a user
   * @param inFlight most requests handed over at once, users' not counted
   */
  RequestRunner(
      ActiveDaemon daemon,
      MoveService mover,
      RetryRule rule,
      Prefixes followed,
      Map<RequestKind, Finish> finish,
      int inFlight) {
    this.daemon = daemon;
    this.mover = mover;
    this.rule = rule;
    this.followed = followed;
    this.finish = finish;
    this.hold = new GrowingWait(rule.firstMs(), Math.max(rule.firstMs(), LONGEST_HOLD_MS));
    this.room = new Room(inFlight);
    this.roomForLow = new Room(Math.max(1, Math.min(MOST_LOW, inFlight / 8)));
    this.roomAlone = new Room(Math.max(1, Math.min(MOST_ALONE, inFlight / 4)));
    this.roomForAsked = new Room(Math.max(1, Math.min(MOST_ALONE, inFlight / 4)));
    daemon.onStop(this::stopMoving);
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "evenkeel-follow-answers");
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Hands out until this daemon is not active any more; what is being moved then is whoever's is
   * active next.
   */
  @Override
  public void run() throws IOException, InterruptedException {
    try {
      handOut();
    } finally {
      stopMoving();
      answers.shutdownNow();
      marks.shutdownNow();
    }
  }

  private void stopMoving() {
    stop(attempt -> true);
  }

  private void stop(Predicate<Attempt> which) {
    moving.forEach(
        (future, attempt) -> {
          if (which.test(attempt)) {
            future.cancel(false);
          }
        });
  }

  private void handOut() throws IOException, InterruptedException {
    while (!daemon.hasEnded()) {
      for (ActiveDaemon.Work turn = turns.poll(); turn != null; turn = turns.poll()) {
        turn.run();
      }
      if (isPaused()) {
        stop(attempt -> !attempt.isLook()); // replicas that are under way arrive
      }
      if (!lookAtSome() && (!mayMove() || !handOutSome())) {
        ActiveDaemon.Work turn = turns.poll(LOOK_MS, TimeUnit.MILLISECONDS);
        if (turn != null) {
          turn.run();
        }
      }
      if (Time.monotonicNow() - notedAt > NOTE_MS) {
        for (Attempt attempt : moving.values()) {
          attempt.note();
        }
        boolean starved = mover.isStarved();
        Stream.of(room, roomAlone, roomForAsked).forEach(one -> one.adapt(starved));
        daemon.sync();
        notedAt = Time.monotonicNow();
      }
    }
  }

  /** Also while nothing may be moved: what is as it should be need not wait for that. */
  private boolean lookAtSome() throws IOException {
    boolean soon = Time.monotonicNow() - lookedAt < LOOK_MS; // more may come to be read together
    if (soon || isHeld()) {
      return false;
    }
    lookedAt = Time.monotonicNow();
    boolean some = false;
    while (handOut(Line.TO_LOOK_AT, roomForLooks)) {
      some = true;
    }
    return some;
  }

  private boolean isHeld() {
    return daemon.isHeld() || Time.monotonicNow() < heldUntil;
  }

  /** An upgrade may take days: what waits is not handed out, so that it loses no attempt by it. */
  private boolean mayMove() {
    if (isPaused() || isHeld()) {
      return false;
    }
    boolean someWait = daemon.journal().size() > daemon.journal().running();
    String refusal = someWait ? mover.refusal() : null;
    if (refusal != null && !refusal.equals(lastRefusal)) {
      daemon.counters().error("nothing is moved: " + refusal);
    }
    lastRefusal = refusal;
    return refusal == null;
  }

  /** Hands over what is next and has room; false when there is nothing. */
  private boolean handOutSome() throws IOException {
    return handOut(Line.ASKED, roomForAsked)
        || handOut(Line.ALONE, room, roomAlone)
        || handOut(Line.TO_MOVE, room)
        || handOut(Line.LOW, room, roomForLow);
  }

  /** The same from one line, which takes a place in each room. */
  private boolean handOut(Line line, Room... rooms) throws IOException {
    List<Room> all = Arrays.asList(rooms);
    if (!all.stream().allMatch(Room::isFree)) {
      return false;
    }
    List<QueuedRequest> taken = take(line, isOfFiles(line) ? MOST_TOGETHER : 1);
    if (!taken.isEmpty()) {
      submit(new Attempt(taken, line, all));
    }
    return !taken.isEmpty();
  }

  /** Whether what is handed over from it are files, together. */
  private static boolean isOfFiles(Line line) {
    return line == Line.TO_LOOK_AT || line == Line.TO_MOVE;
  }

  private List<QueuedRequest> take(Line line, int most) throws IOException {
    List<QueuedRequest> taken = new ArrayList<>();
    QueuedRequest next = daemon.journal().take(Time.monotonicNow(), line);
    while (next != null) {
      if (!answering.contains(next.id())) { // else it is being cancelled
        taken.add(next);
      }
      next = taken.size() < most ? daemon.journal().take(Time.monotonicNow(), line) : null;
    }
    return taken;
  }

  private boolean isPaused() {
    return !daemon.paused().isEmpty();
  }

  private void submit(Attempt attempt) {
    if (!isOfFiles(attempt.line)) {
      QueuedRequest request = attempt.first;
      begun.add(request.id());
      LOG.info("Request {} begins: {} {}", request.id(), request.kind().shown(), request.title());
    }
    attempt.rooms.forEach(Room::take);
    try {
      CompletableFuture<MoveReport> future = mover.move(attempt.request());
      moving.put(future, attempt);
      CompletableFuture<MoveReport> unused =
          future.whenComplete(
              (report, error) -> {
                moving.remove(future);
                turns.add(() -> ended(attempt, report, error));
              });
    } catch (RuntimeException e) {
      turns.add(() -> ended(attempt, null, e));
    }
  }

  /** The mover is done with one of several files. */
  private void ended(Attempt attempt, FileReport file) throws IOException {
    QueuedRequest request = daemon.hasEnded() ? null : attempt.open.get(file.path());
    if (request == null || !isOpen(request)) {
      return; // it has had its end, or this is about all of them
    }
    if (attempt.isLook() && !RetryRule.isAnswer(file)) {
      answered = true; // not denied
      hold.reset();
      attempt.toMove.add(request); // together with others, once this has ended
    } else {
      attempt.open.remove(file.path());
      reported(request, new MoveReport.Builder().add(file).build(), attempt.isLook());
    }
  }

  private void isNoFile(Attempt attempt, String path) throws IOException {
    QueuedRequest request = attempt.open.remove(path);
    if (request != null) {
      found(request, Line.ALONE);
    }
  }

  private void found(QueuedRequest request, Line line) throws IOException {
    daemon.journal().found(request, line, Time.monotonicNow());
  }

  /** The mover is done with all of an attempt. What is told late has had its end then. */
  private void ended(Attempt attempt, MoveReport report, Throwable error) throws IOException {
    attempt.rooms.forEach(Room::giveBack);
    List<QueuedRequest> left = new ArrayList<>(attempt.open.values());
    attempt.open.clear();
    if (daemon.hasEnded()) {
      return; // has no end in the journal: it is handed out again by whoever is active next
    }
    boolean unread =
        report == null || report.listed().stream().anyMatch(file -> file.path().isEmpty());
    left.removeIf(request -> !isOpen(request));
    for (QueuedRequest request : left) {
      if (error instanceof CancellationException) { // no attempt is lost by it
        daemon.journal().retry(request, request.attempts(), Time.monotonicNow() + RESUME_MS);
      } else if (attempt.isLook()
          && (!(unread && attempt.several) || attempt.toMove.contains(request))) {
        found(request, Line.TO_MOVE);
      } else if (attempt.several) {
        // one that cannot be read keeps the others from being read to their end
        found(request, Line.ALONE);
      } else if (report == null) {
        failed(attempt.asTried(request), error);
      } else {
        reported(unread ? attempt.asTried(request) : request, report, false);
      }
    }
  }

  /** Not so once it was cancelled, also where its attempt ended at that moment. */
  private boolean isOpen(QueuedRequest request) {
    return !answering.contains(request.id()) && daemon.journal().find(request.id()) != null;
  }

  private void failed(QueuedRequest request, Throwable error) throws IOException {
    daemon.counters().attempts.incrementAndGet();
    daemon.counters().error(request.title() + ": " + error);
    if (rule.mayRetry(request)) {
      later(request);
    } else {
      String reason = String.valueOf(error);
      FileReport failed = FileReport.of(request.title(), FileOutcome.FAILED, reason);
      end(request, null, Collections.singletonList(failed));
    }
  }

  private void reported(QueuedRequest request, MoveReport report, boolean look) throws IOException {
    try {
      judge(request, report, look);
    } catch (RuntimeException e) { // one request must not end the work on all others
      failed(request, e);
    }
  }

  private void judge(QueuedRequest request, MoveReport report, boolean look) throws IOException {
    daemon.counters().attempt(report);
    if (!look && !report.isSatisfied() && mover.refusal() != null) { // a look moves nothing
      daemon.journal().retry(request, request.attempts(), due(request.attempts())); // none lost
      return;
    }
    if (RetryRule.isDenied(request, report)) {
      denied(request);
      return;
    }
    if (report.files(FileOutcome.DENIED) < report.fileCount()) {
      answered = true;
      hold.reset();
    }
    Judgement judgement = rule.judge(request, report, followed);
    boolean fits = addOpen(request, judgement);
    boolean asked = request.kind().isAsked();
    if (judgement.wholeAgain() || (asked && !fits && rule.mayRetry(request))) {
      later(request);
      return;
    }
    fits &= addAgain(request, judgement);
    addLacking(request, judgement);
    if (!asked && (judgement.scanAgain() || !fits)) {
      long due = Time.monotonicNow() + rule.scanAgainMs();
      daemon.journal().add(RequestKind.SCAN, request.shown(), request.attempts() + 1, due);
      daemon.counters().retries.incrementAndGet();
    }
    end(request, report, judgement.failed());
  }

  /** Has files wait for their close, which is told by path; false where there is no room. */
  private boolean addOpen(QueuedRequest request, Judgement judgement) throws IOException {
    int attempts = RetryRule.attemptsOfOpen(request);
    boolean fits = true;
    for (FileReport file : judgement.open()) {
      fits &= hasRoom(judgement);
      if (fits) {
        daemon.journal().add(RequestKind.RETRY, file.path(), attempts, due(attempts));
      }
    }
    return fits;
  }

  /** A single file takes no more room than its request has. */
  private boolean hasRoom(Judgement judgement) {
    return judgement.files() <= 1 || daemon.hasRoom();
  }

  /** Has files tried again, each alone; false where there is no room. */
  private boolean addAgain(QueuedRequest request, Judgement judgement) throws IOException {
    boolean fits = true;
    for (FileReport file : judgement.again()) {
      int before = RetryRule.attemptsOf(request, file);
      fits &= hasRoom(judgement);
      if (fits) {
        boolean found = file.inodeId() != 0;
        RequestKind kind = found ? RequestKind.INODE : RequestKind.RETRY;
        String text = found ? QueuedRequest.textOf(file) : file.path();
        daemon.journal().add(kind, text, before + 1, due(before));
        daemon.counters().retries.incrementAndGet();
      }
    }
    return fits;
  }

  /**
   * Has files looked at again, by path: one that was renamed meanwhile is another event's. They are
   * looked at before they are given to the mover, which would wait for what they lack.
   */
  private void addLacking(QueuedRequest request, Judgement judgement) throws IOException {
    int before = request.attempts();
    for (FileReport file : judgement.lacking()) {
      if (daemon.hasRoomToSpare()
          && daemon.journal().add(RequestKind.RETRY, file.path(), before + 1, due(before))) {
        daemon.counters().retries.incrementAndGet();
      }
    }
  }

  /**
   * The superuser is denied nothing, but while the NameNode cannot tell that it is one, as when the
   * group mapping is down, everything is denied. Then nothing more is handed out for a while, and
   * no attempt is lost by it.
   */
  private void denied(QueuedRequest request) throws IOException {
    daemon.counters().error(request.title() + ": denied");
    if (answered && rule.mayRetry(request)) {
      later(request);
    } else if (answered) {
      FileReport failed = FileReport.of(request.title(), FileOutcome.DENIED, "denied");
      end(request, null, Collections.singletonList(failed));
    } else {
      if (Time.monotonicNow() >= heldUntil) { // others of the same moment wait as long
        heldUntil = Time.monotonicNow() + hold.next();
      }
      daemon.journal().retry(request, request.attempts(), heldUntil);
    }
    answered = false;
  }

  private void later(QueuedRequest request) throws IOException {
    daemon.counters().retries.incrementAndGet();
    daemon.journal().retry(request, request.attempts() + 1, due(request.attempts()));
  }

  private long due(int attempts) {
    return Time.monotonicNow() + rule.waitMs(attempts, ThreadLocalRandom.current().nextDouble());
  }

  /** Ends a request, once the one who asked for it has been told. */
  private void end(QueuedRequest request, MoveReport report, List<FileReport> failed)
      throws IOException {
    if (finish.containsKey(request.kind())) {
      tell(request, report, failed, false);
    } else {
      ended(request, report, failed, false, null);
    }
  }

  private void tell(
      QueuedRequest request, MoveReport report, List<FileReport> failed, boolean isCancelled) {
    answering.add(request.id());
    ExecutorService pool = request.kind() == RequestKind.SATISFY ? marks : answers;
    pool.execute(
        () -> {
          Throwable error = null;
          try {
            finish.get(request.kind()).finish(request, report);
          } catch (IOException | RuntimeException | Error e) {
            error = e;
          }
          Throwable unanswered = error;
          turns.add(() -> told(request, report, failed, isCancelled, unanswered));
        });
  }

  private void told(
      QueuedRequest request,
      MoveReport report,
      List<FileReport> failed,
      boolean isCancelled,
      Throwable unanswered)
      throws IOException {
    answering.remove(request.id());
    List<CompletableFuture<QueuedRequest>> waiting = cancelling.remove(request.id());
    // one that could not be answered would be tried again
    boolean cancelled = isCancelled || (waiting != null && unanswered != null);
    ended(request, report, failed, cancelled, unanswered);
    if (waiting != null) {
      waiting.forEach(each -> each.complete(cancelled ? request : null));
    }
  }

  /** Only what has an end counts its failed files: each attempt finds them again. */
  private void ended(
      QueuedRequest request,
      MoveReport report,
      List<FileReport> failed,
      boolean cancelled,
      Throwable unanswered)
      throws IOException {
    if (!cancelled && daemon.hasEnded()) {
      return; // perhaps interrupted in a call; whoever is active next repeats it
    }
    if (unanswered != null) {
      boolean again = !cancelled && rule.mayFinishAgain(request.attempts());
      String how = again ? "cannot be answered yet" : "ends without an answer";
      String what = "Request " + request.id() + " " + how + ": " + request.title();
      String why = Problems.line(unanswered);
      LOG.warn("{}: {}", what, why);
      daemon.counters().error(what + ": " + why);
      if (again) {
        long due = Time.monotonicNow() + ANSWER_AGAIN_MS;
        daemon.journal().retry(request, request.attempts() + 1, due);
        return;
      }
    }
    for (FileReport file : failed) {
      boolean unnamed = file.path().isEmpty(); // about the request as a whole
      daemon.counters().givenUp(unnamed ? file.withPath(request.title()) : file);
    }
    daemon.journal().done(request);
    if (cancelled) {
      daemon.sync(); // before that is told
      LOG.info("Request {} is cancelled: {}", request.id(), request.title());
    }
    if (begun.remove(request.id())) {
      String what = report == null ? "result not known" : report.toString();
      LOG.info("Request {} has ended: {}; {} files given up", request.id(), what, failed.size());
    }
  }

  /**
   * Ends a request for good, whatever it waits for. Moves of replicas that have begun end by
   * themselves. From any thread.
   *
   * @return ends once who asked for it was told, with null when there is none of this id
   */
  CompletableFuture<QueuedRequest> cancel(long id) {
    CompletableFuture<QueuedRequest> cancelled = new CompletableFuture<>();
    turns.add(() -> cancel(id, cancelled));
    return cancelled;
  }

  private void cancel(long id, CompletableFuture<QueuedRequest> cancelled) throws IOException {
    QueuedRequest request = daemon.journal().find(id);
    if (request == null) {
      cancelled.complete(null);
      return;
    }
    moving.forEach(
        (future, attempt) -> {
          if (attempt.open.values().removeIf(each -> each.id() == id)) {
            future.cancel(false); // others it was handed over with are handed over again
          }
        });
    List<FileReport> failed = Collections.emptyList();
    if (!finish.containsKey(request.kind())) {
      ended(request, null, failed, true, null);
      cancelled.complete(request);
      return;
    }
    cancelling.computeIfAbsent(id, any -> new ArrayList<>()).add(cancelled);
    if (!answering.contains(id)) { // else its end is known by then, or it is not tried again
      FileReport file = FileReport.of("", FileOutcome.CANCELLED, "cancelled by an administrator");
      tell(request, new MoveReport.Builder().add(file).build(), failed, true);
    }
  }
}
