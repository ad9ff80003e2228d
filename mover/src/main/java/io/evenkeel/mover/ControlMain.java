package io.evenkeel.mover;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.mover.cli.MoverOptions;
import io.evenkeel.mover.core.follow.ControlQuestion.Verb;
import io.evenkeel.mover.follow.ControlClient;
import io.evenkeel.mover.follow.ControlClient.Answer;
import java.io.IOException;
import java.io.PrintStream;
import org.apache.hadoop.conf.Configuration;

/** What is asked of a daemon that runs: its requests, the end of one, a pause. */
final class ControlMain {
  private ControlMain() {}

  /** Asks it; returns an {@link ExitCode}. */
  static int run(MoverOptions options, Configuration conf, PrintStream out)
      throws IOException, InterruptedException {
    try (ControlClient daemon = ControlClient.open(conf)) {
      if (options.isPause()) {
        daemon.pause();
      } else if (options.isResume()) {
        daemon.resume();
      }
      Answer answer = daemon.ask(verb(options), options.cancelled());
      if (answer != null) {
        out.println(answer.text());
        out.flush();
        return answer.exitCode();
      }
      throw new CommandException(
          ExitCode.COULD_NOT_RUN,
          "no active daemon has answered: does one run?"
              + (options.isPause() ? " Whichever is active next moves nothing until --resume." : "")
              + (options.isResume() ? " Whichever is active next is not paused." : ""));
    }
  }

  private static Verb verb(MoverOptions options) {
    if (options.isRequests()) {
      return options.isJson() ? Verb.JSON : Verb.REQUESTS;
    }
    return options.cancelled() > 0 ? Verb.CANCEL : Verb.STATE;
  }
}
