package io.evenkeel.mover.follow;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.config.Settings;
import io.evenkeel.mover.config.FollowKeys;
import io.evenkeel.mover.config.MoverKeys;
import io.evenkeel.mover.core.follow.ControlQuestion;
import io.evenkeel.mover.core.follow.ControlQuestion.Verb;
import java.io.BufferedReader;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the active daemon of {@code fs.defaultFS} what it does, and pauses it. It answers by files
 * in HDFS, so this needs the rights of the HDFS superuser and nothing else. Not thread-safe.
 * Separate from the tool: the daemon's files stand beside the daemon.
 */
public final class ControlClient implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ControlClient.class);
  private static final FsPermission PRIVATE = new FsPermission((short) 0700);
  private static final long LOOK_MS = 200;

  private final DistributedFileSystem fs;
  private final Path directory;
  private final long patienceMs;

  /** What the daemon says. Immutable. */
  public static final class Answer {
    private final int exitCode;
    private final String text;

    Answer(int exitCode, String text) {
      this.exitCode = exitCode;
      this.text = text;
    }

    /** An {@link ExitCode}. */
    public int exitCode() {
      return exitCode;
    }

    /** Some lines. */
    public String text() {
      return text;
    }
  }

  private ControlClient(DistributedFileSystem fs, Path directory, long patienceMs) {
    this.fs = fs;
    this.directory = directory;
    this.patienceMs = patienceMs;
  }

  /**
   * Connects.
   *
   * @throws CommandException when no daemon has ever run for the namespace, or its files may not be
   *     seen
   */
  public static ControlClient open(Configuration conf) throws IOException {
    return open(conf, Control.ANSWER_MS);
  }

  /** With another time to wait for an answer. */
  static ControlClient open(Configuration conf, long patienceMs) throws IOException {
    Settings settings = MoverKeys.TABLE.readOrFail(conf, conf::get, LOG::warn);
    Path daemon = new Path(FollowSettings.absolute(settings, FollowKeys.DIRECTORY));
    DistributedFileSystem fs = Follower.connect(conf);
    Path directory = new Path(daemon, Control.DIRECTORY);
    boolean opened = false;
    try {
      fs.getFileStatus(daemon);
      fs.mkdirs(directory, PRIVATE);
      fs.access(directory, FsAction.WRITE_EXECUTE); // it is made as a rule by somebody before
      opened = true;
    } catch (FileNotFoundException e) {
      throw new CommandException(
          ExitCode.COULD_NOT_RUN,
          "no daemon has run here: "
              + fs.getUri()
              + daemon
              + " ("
              + FollowKeys.DIRECTORY.name()
              + ") does not exist",
          e);
    } catch (AccessControlException e) {
      throw new CommandException(
          ExitCode.DENIED,
          UserGroupInformation.getCurrentUser().getShortUserName()
              + " may not ask the daemon, only a superuser of "
              + fs.getUri()
              + " may",
          e);
    } finally {
      if (!opened) {
        fs.close();
      }
    }
    return new ControlClient(fs, directory, patienceMs);
  }

  /** Has nothing moved until {@link #resume}, by whichever daemon is active. */
  public void pause() throws IOException {
    fs.createNewFile(new Path(directory, Control.PAUSED));
  }

  /** Has the daemon go on. */
  public void resume() throws IOException {
    fs.delete(new Path(directory, Control.PAUSED), false);
  }

  /**
   * Asks and waits for the answer.
   *
   * @param id of which request, 0 but for {@link Verb#CANCEL}
   * @return null when no active daemon answers
   */
  public Answer ask(Verb verb, long id) throws IOException, InterruptedException {
    ControlQuestion question = ControlQuestion.of(verb, id, UUID.randomUUID());
    Path file = new Path(directory, question.fileName());
    fs.create(file, false).close();
    long until = Time.monotonicNow() + patienceMs;
    Path answer = new Path(directory, question.answerName());
    try {
      while (!fs.exists(answer)) {
        if (Time.monotonicNow() > until) {
          return null;
        }
        Thread.sleep(LOOK_MS);
      }
      return read(answer);
    } finally {
      fs.delete(file, false);
      fs.delete(answer, false);
    }
  }

  private Answer read(Path answer) throws IOException {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(fs.open(answer), StandardCharsets.UTF_8))) {
      int code = Integer.parseInt(lines.readLine());
      return new Answer(code, lines.lines().collect(Collectors.joining("\n")));
    }
  }

  @Override
  public void close() throws IOException {
    fs.close();
  }
}
