package io.evenkeel.mover.follow;

import io.evenkeel.mover.config.FollowKeys;
import io.evenkeel.mover.core.follow.PollPace;
import io.evenkeel.mover.core.follow.RetryRule;
import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** Puts together the threads of a session. Stateless. */
final class SessionParts {
  private static final long LONGEST_WAIT_MS = 3_600_000;

  private SessionParts() {}

  static void start(
      Session session, FollowSettings settings, MoverFunction mover, DistributedFileSystem fs)
      throws IOException {
    RetryRule retries =
        new RetryRule(
            settings.get(FollowKeys.RETRIES).intValue(),
            settings.get(FollowKeys.RETRY_WAIT).toMillis(),
            LONGEST_WAIT_MS);
    PollPace pace =
        new PollPace(
            settings.get(FollowKeys.POLL_INTERVAL).toMillis(),
            settings.get(FollowKeys.IDLE_POLL_INTERVAL).toMillis());
    AskWork ask = new AskWork(session, settings, fs);
    int inFlight = settings.get(FollowKeys.IN_FLIGHT).intValue();
    HandOutWork work =
        new HandOutWork(session, mover, retries, settings.prefixes(), ask::finish, inFlight);
    Control control =
        new Control(session, work, fs, new Path(settings.directory(), Control.DIRECTORY));
    control.readPaused();
    session.start("requests", work);
    session.start("control", control);
    session.start("events", new EventWork(session, fs, settings.prefixes(), pace));
    ask.start();
  }
}
