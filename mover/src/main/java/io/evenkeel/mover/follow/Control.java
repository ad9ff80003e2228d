package io.evenkeel.mover.follow;

import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.cli.ReportHead;
import io.evenkeel.common.config.Units;
import io.evenkeel.common.json.Json;
import io.evenkeel.mover.core.follow.ControlQuestion;
import io.evenkeel.mover.core.follow.QueuedRequest;
import io.evenkeel.mover.core.follow.RequestState;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.util.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What administrators ask of the active daemon, by files in a directory beside its journal: whoever
 * may write there is a superuser already. While {@link #PAUSED} is there nothing is moved, also
 * after a failover. The other files are a {@link ControlQuestion} each. Of one thread.
 */
final class Control implements ActiveDaemon.Work {
  /** The directory, below that of the daemon. */
  static final String DIRECTORY = "control";

  /** Says that the daemon is paused; its owner is who wants it. */
  static final String PAUSED = "paused";

  /** The longest time in which a question is answered, unless something is wrong. */
  static final long ANSWER_MS = 30_000;

  private static final Logger LOG = LoggerFactory.getLogger(Control.class);
  private static final String SCHEMA = "evenkeel.mover.requests/1";
  private static final long EVERY_MS = 2_000;

  /** Not longer, for an answer to a user may hang, and --pause comes by the same thread. */
  private static final long CANCEL_MS = 2_000;

  private static final int MOST_LISTED = 1_000;

  private final ActiveDaemon daemon;
  private final RequestRunner work;
  private final DistributedFileSystem fs;
  private final Path directory;

  private final LongSupplier clock;

  /** Answers to cancels that could not be written yet: asked again, the request is not there. */
  private final Map<String, String> unwritten = new HashMap<>();

  private final Problems problems = new Problems();

  /** When each answer was seen first. */
  private final Map<String, Long> answersSince = new HashMap<>();

  Control(ActiveDaemon daemon, RequestRunner work, DistributedFileSystem fs, Path directory) {
    this(daemon, work, fs, directory, Time::monotonicNow);
  }

  /** With another clock. */
  Control(
      ActiveDaemon daemon,
      RequestRunner work,
      DistributedFileSystem fs,
      Path directory,
      LongSupplier clock) {
    this.clock = clock;
    this.daemon = daemon;
    this.work = work;
    this.fs = fs;
    this.directory = directory;
  }

  @Override
  public void run() throws InterruptedException {
    while (!daemon.awaitEnd(EVERY_MS)) {
      try {
        if (!daemon.isHeld()) { // else another daemon may be the one to answer
          look();
        }
      } catch (IOException e) {
        failed(e);
      }
    }
  }

  /** Told once, for it is tried every 2 s; it does not end being active. */
  private void failed(IOException e) {
    String why = "administrators are not answered in " + directory + ": " + Problems.line(e);
    if (problems.isNew(why) && !daemon.hasEnded()) { // else interrupted in a call
      daemon.counters().error(why);
      LOG.warn("Now {}", why);
    }
  }

  /** Takes over whether it is paused, answers all questions, removes what nobody has taken. */
  void look() throws IOException, InterruptedException {
    problems.nextRound();
    List<String> names = readPaused();
    answerAll(names);
    removeOld(names);
  }

  /** Takes over whether it is paused; returns the names of the other files. */
  List<String> readPaused() throws IOException {
    String paused = "";
    List<String> others = new ArrayList<>();
    for (FileStatus file : files()) {
      String name = file.getPath().getName();
      if (name.equals(PAUSED)) {
        paused =
            "by " + file.getOwner() + " at " + Instant.ofEpochMilli(file.getModificationTime());
      } else if (file.isFile()) {
        others.add(name);
      }
    }
    daemon.pause(paused);
    return others;
  }

  private FileStatus[] files() throws IOException {
    try {
      return fs.listStatus(directory);
    } catch (FileNotFoundException e) {
      return new FileStatus[0]; // nobody has asked anything yet
    }
  }

  private void answerAll(List<String> names) throws IOException, InterruptedException {
    unwritten.keySet().retainAll(names);
    for (String name : names) {
      ControlQuestion question = ControlQuestion.parse(name);
      if (question != null) {
        Path temporary = new Path(directory, "." + question.answerName());
        String text = unwritten.get(name);
        if (text == null) {
          text = textOf(question);
        }
        if (question.verb() == ControlQuestion.Verb.CANCEL) {
          unwritten.put(name, text);
        }
        SpoolDirectory.create(fs, temporary, text);
        fs.rename(temporary, new Path(directory, question.answerName()));
        fs.delete(new Path(directory, name), false);
      }
    }
  }

  /**
   * Removes answers of whichever daemon that were there for so long that nobody waits for them any
   * more, as when who asked was killed. The clock of the NameNode may be another one.
   */
  private void removeOld(List<String> names) throws IOException {
    answersSince.keySet().retainAll(names);
    for (String name : names) {
      if (name.contains(ControlQuestion.ANSWER)) {
        long since = answersSince.computeIfAbsent(name, first -> clock.getAsLong());
        if (clock.getAsLong() - since > 2 * ANSWER_MS) {
          fs.delete(new Path(directory, name), false);
        }
      }
    }
  }

  private String textOf(ControlQuestion question) throws InterruptedException {
    try {
      return answer(question);
    } catch (RuntimeException e) { // or the next daemon would end by it as well
      return answer(ExitCode.COULD_NOT_RUN, "the daemon cannot answer: " + e);
    }
  }

  private String answer(ControlQuestion question) throws InterruptedException {
    switch (question.verb()) {
      case REQUESTS:
        return answer(ExitCode.OK, text());
      case JSON:
        return answer(ExitCode.OK, Json.pretty(json()));
      case CANCEL:
        return cancel(question.id());
      default:
        return answer(ExitCode.OK, headline(daemon.journal().size()));
    }
  }

  /** The first line is the exit code, the others are for the one who asked. */
  private static String answer(ExitCode code, String text) {
    return code.code() + "\n" + text + "\n";
  }

  private String cancel(long id) throws InterruptedException {
    QueuedRequest request = daemon.journal().find(id);
    try {
      if (request == null || work.cancel(id).get(CANCEL_MS, TimeUnit.MILLISECONDS) == null) {
        String ended = "Request " + id + " has ended already, or was cancelled.";
        boolean known = daemon.journal().wasGiven(id); // perhaps by a daemon that died of it
        return answer(ExitCode.NOTHING_TO_DO, known ? ended : "There is no request " + id + ".");
      }
    } catch (TimeoutException | ExecutionException e) { // an answer to its user is being written
      return answer(ExitCode.OK, "Request " + id + " ends soon: " + request.title());
    }
    return answer(ExitCode.OK, "Cancelled " + id + ": " + request.title());
  }

  private String headline(int queued) {
    return daemon.counters().getInstance()
        + (queued == 1 ? ": 1 request" : ": " + queued + " requests")
        + (daemon.paused().isEmpty() ? "" : ", paused " + daemon.paused());
  }

  private List<RequestState> requests() {
    return daemon.journal().first(MOST_LISTED, Time.monotonicNow());
  }

  /** For people: a headline, and a line for each request. */
  private String text() {
    int queued = daemon.journal().size();
    List<RequestState> requests = requests();
    List<String> lines = new ArrayList<>();
    lines.add(headline(queued));
    if (!requests.isEmpty()) {
      lines.add(line("ID", "KIND", "STATE", "AGE", "TRIES", "PATH"));
    }
    for (RequestState state : requests) {
      QueuedRequest request = state.request();
      lines.add(
          line(
              String.valueOf(request.id()),
              request.kind().shown(),
              text(state),
              Units.humanDuration(state.ageMs()),
              String.valueOf(request.attempts()),
              request.title().replaceAll("[\\p{C}\\p{Zl}\\p{Zp}]", "?")));
    }
    if (requests.size() < queued) {
      lines.add("... and " + (queued - requests.size()) + " more");
    }
    return String.join("\n", lines);
  }

  private static String text(RequestState state) {
    if (state.isMoving()) {
      return "moving";
    }
    return state.waitMs() > 0 ? "again in " + Units.humanDuration(state.waitMs()) : "waits";
  }

  private static String line(String... cells) {
    return String.format(Locale.ROOT, "%9s  %-7s  %-14s  %7s  %5s  %s", (Object[]) cells);
  }

  /** The same for programs. */
  private Map<String, Object> json() {
    Map<String, Object> json = ReportHead.of(SCHEMA, ExitCode.OK);
    json.put("instance", daemon.counters().getInstance());
    json.put("paused", daemon.paused().isEmpty() ? null : daemon.paused());
    json.put("queued", daemon.journal().size());
    List<Object> requests = new ArrayList<>();
    for (RequestState state : requests()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("id", state.request().id());
      one.put("kind", state.request().kind().shown());
      one.put("moving", state.isMoving());
      one.put("againInSeconds", state.waitMs() / 1000);
      one.put("ageSeconds", state.ageMs() / 1000);
      one.put("attempts", state.request().attempts());
      one.put("path", state.request().title());
      requests.add(one);
    }
    json.put("requests", requests);
    return json;
  }
}
