package io.evenkeel.mover.follow;

import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.json.Json;
import io.evenkeel.mover.core.follow.ControlQuestion;
import io.evenkeel.mover.core.follow.QueuedRequest;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.fs.FSDataOutputStream;
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
  private static final long EVERY_MS = 2_000;
  private static final long ASK_MS = 20_000;

  /** Less, for an answer to a user may hang, and --pause comes by the same thread. */
  private static final long CANCEL_MS = 2_000;

  private static final int MOST_LISTED = 1_000;

  private final ActiveDaemon daemon;
  private final RequestRunner work;
  private final DistributedFileSystem fs;
  private final Path directory;

  /** When each answer was seen first. */
  private final Map<String, Long> answersSince = new HashMap<>();

  Control(ActiveDaemon daemon, RequestRunner work, DistributedFileSystem fs, Path directory) {
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
        LOG.debug("{} cannot be read", directory, e);
      }
    }
  }

  /** Takes over whether it is paused, and answers all questions. */
  private void look() throws IOException, InterruptedException {
    for (String question : readPaused()) {
      answer(ControlQuestion.parse(question));
      fs.delete(new Path(directory, question), false);
    }
  }

  /** Takes over whether it is paused, before anything is moved; returns the questions. */
  List<String> readPaused() throws IOException {
    String paused = "";
    List<String> questions = new ArrayList<>();
    List<String> answers = new ArrayList<>();
    for (FileStatus file : files()) {
      String name = file.getPath().getName();
      if (name.equals(PAUSED)) {
        paused =
            "by " + file.getOwner() + " at " + Instant.ofEpochMilli(file.getModificationTime());
      } else if (file.isFile() && ControlQuestion.parse(name) != null) {
        questions.add(name);
      } else if (file.isFile() && name.contains(ControlQuestion.ANSWER)) {
        answers.add(name);
      }
    }
    daemon.pause(paused);
    removeOld(answers);
    return questions;
  }

  /** Answers nobody waits for any more. The clock of the NameNode may be another one. */
  private void removeOld(List<String> answers) throws IOException {
    answersSince.keySet().retainAll(answers);
    for (String name : answers) {
      long since = answersSince.computeIfAbsent(name, first -> Time.monotonicNow());
      if (Time.monotonicNow() - since > 2 * ANSWER_MS) {
        fs.delete(new Path(directory, name), false);
      }
    }
  }

  private FileStatus[] files() throws IOException {
    try {
      return fs.listStatus(directory);
    } catch (FileNotFoundException e) {
      return new FileStatus[0]; // nobody has asked anything yet
    }
  }

  private void answer(ControlQuestion question) throws IOException, InterruptedException {
    String text;
    try {
      text =
          question.verb() == ControlQuestion.Verb.CANCEL
              ? cancel(question.id())
              : work.call(() -> answerTo(question)).get(ASK_MS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      text = answer(ExitCode.COULD_NOT_RUN, "the daemon cannot answer: " + e);
    }
    Path answer = new Path(directory, question.answerName());
    Path temporary = new Path(directory, "." + question.answerName());
    FSDataOutputStream out = fs.createFile(temporary).replicate().build();
    try {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    } finally {
      out.close(); // throws the same exception again, which cannot suppress itself
    }
    fs.rename(temporary, answer);
  }

  /** The first line is the exit code, the others are for the one who asked. */
  private static String answer(ExitCode code, String text) {
    return code.code() + "\n" + text + "\n";
  }

  private String answerTo(ControlQuestion question) {
    switch (question.verb()) {
      case REQUESTS:
        return answer(ExitCode.OK, String.join("\n", work.list(MOST_LISTED).text()));
      case JSON:
        return answer(ExitCode.OK, Json.pretty(work.list(MOST_LISTED).json()));
      default:
        return answer(ExitCode.OK, work.list(0).text().get(0));
    }
  }

  private String cancel(long id) throws InterruptedException, ExecutionException, TimeoutException {
    CompletableFuture<QueuedRequest> cancelled = work.cancel(id);
    // what was asked later is answered later: by then it is known whether there is such a request
    work.call(() -> true).get(ASK_MS, TimeUnit.MILLISECONDS);
    QueuedRequest request;
    try {
      request = cancelled.get(CANCEL_MS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return answer(
          ExitCode.OK, "Request " + id + " ends; the answer to its user is being written.");
    }
    return request == null
        ? answer(ExitCode.NOTHING_TO_DO, "There is no request " + id + ".")
        : answer(ExitCode.OK, "Cancelled " + id + ": " + request.title());
  }
}
