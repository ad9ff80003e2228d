package io.evenkeel.mover.cli;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.cli.Misuse;
import io.evenkeel.common.config.ConfigException;
import io.evenkeel.common.json.Json;
import io.evenkeel.mover.config.MoverKeys;
import io.evenkeel.mover.core.follow.ControlQuestion.Verb;
import io.evenkeel.mover.follow.ControlClient;
import io.evenkeel.mover.follow.ControlClient.Answer;
import io.evenkeel.mover.follow.MoveService;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.URI;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.util.ShutdownHookManager;

/**
 * One command line of the mover: moves files, runs the daemon or asks one, and turns every failure
 * into one line and an exit code. When the JVM is to end, the work is interrupted and what it has
 * to say waited for. Used once.
 */
public final class MoverCommand {
  private static final int HOOK_PRIORITY = 50; // before file systems are closed, at 10
  private static final int SECONDS_TO_END = 25;

  private final InputStream in;
  private final PrintStream out;
  private final PrintStream err;
  private final Opener opener;
  private final Daemon daemon;
  private boolean failureIsTold; // guarded by this

  /** Opens what moves the files of one namespace. */
  public interface Opener {
    /**
     * Opens it.
     *
     * @param namenode {@code hdfs://authority}
     */
    MoveService open(Configuration conf, URI namenode) throws IOException;
  }

  /** What {@code --follow} runs. */
  public interface Daemon {
    /** Runs it until this thread is interrupted. */
    void run(Configuration conf, PrintStream out) throws IOException;
  }

  /** Creates it; the report goes to {@code out}, all else to {@code err}. */
  public MoverCommand(
      InputStream in, PrintStream out, PrintStream err, Opener opener, Daemon daemon) {
    this.in = in;
    this.out = out;
    this.err = err;
    this.opener = opener;
    this.daemon = daemon;
  }

  /**
   * Runs it.
   *
   * @param base to which the files of HDFS are added, which the launcher does not load
   * @return the exit code
   */
  public int run(Configuration base, String... args) {
    MoverOptions options;
    try {
      options = MoverOptions.parse(args);
    } catch (IllegalArgumentException e) {
      err.println("mover: " + Misuse.inWords(e.getMessage()));
      err.println("Try 'mover --help'.");
      return ExitCode.USAGE.code();
    }
    if (options.help) {
      out.print(MoverOptions.usage());
      out.flush();
      return ExitCode.OK.code();
    }
    MoverRun run = new MoverRun(options, in, out, err, opener);
    Thread main = Thread.currentThread();
    CountDownLatch ended = new CountDownLatch(1);
    // Hadoop's hooks run one after another; a hook of the JVM would race with that which closes
    // all file systems, and a daemon's lease would not be given back
    Runnable hook = () -> end(run, main, ended, options);
    ShutdownHookManager.get().addShutdownHook(hook, HOOK_PRIORITY);
    try {
      return execute(options, configuration(options, base), run);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return failed(interrupted(e), options);
    } catch (IOException | RuntimeException | LinkageError e) {
      boolean told = Thread.interrupted() || ShutdownHookManager.get().isShutdownInProgress();
      return failed(told ? interrupted(e) : e, options);
    } finally {
      ended.countDown();
      if (!ShutdownHookManager.get().isShutdownInProgress()) {
        ShutdownHookManager.get().removeShutdownHook(hook);
      }
    }
  }

  private Configuration configuration(MoverOptions options, Configuration base) throws IOException {
    Configuration conf = new HdfsConfiguration(base);
    if (options.runDuringUpgrade) {
      conf.setBoolean(MoverKeys.RUN_DURING_UPGRADE.name(), true);
    }
    StockSettings.check(conf, err);
    StockSettings.login(conf);
    return conf;
  }

  private int execute(MoverOptions options, Configuration conf, MoverRun run)
      throws IOException, InterruptedException {
    if (options.follow) {
      daemon.run(conf, out);
      return ExitCode.OK.code();
    }
    return options.asksDaemon() ? askDaemon(options, conf) : run.run(conf).code();
  }

  /** Asks a daemon that runs for its requests, the end of one, or a pause. */
  private int askDaemon(MoverOptions options, Configuration conf)
      throws IOException, InterruptedException {
    try (ControlClient client = ControlClient.open(conf)) {
      if (options.pause) {
        client.pause();
      } else if (options.resume) {
        client.resume();
      }
      Answer answer = client.ask(verb(options), options.cancelled == null ? 0 : options.cancelled);
      if (answer != null) {
        out.println(answer.text());
        out.flush();
        return answer.exitCode();
      }
      throw new CommandException(
          ExitCode.COULD_NOT_RUN,
          "no active daemon has answered; is one running?"
              + (options.pause ? " The next active daemon moves nothing until --resume." : "")
              + (options.resume ? " The next active daemon is not paused." : ""));
    }
  }

  private static Verb verb(MoverOptions options) {
    if (options.requests) {
      return options.json ? Verb.JSON : Verb.REQUESTS;
    }
    return options.cancelled == null ? Verb.STATE : Verb.CANCEL;
  }

  /** The JVM is to end: interrupts the work and waits for what it says. */
  private void end(MoverRun run, Thread main, CountDownLatch ended, MoverOptions options) {
    boolean reading = run.stop();
    main.interrupt();
    if (reading) { // no interrupt ends a read of standard input, so it is not waited for
      failed(interrupted(null), options);
      return;
    }
    try {
      ended.await(SECONDS_TO_END, TimeUnit.SECONDS); // moves under way end by themselves
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  static CommandException interrupted(Throwable cause) {
    return new CommandException(ExitCode.INTERRUPTED, "interrupted", cause);
  }

  /** Tells it once: the shutdown hook may be about to, and the JVM ends after that. */
  private synchronized int failed(Throwable e, MoverOptions options) {
    ExitCode code = exitCode(e);
    if (failureIsTold) {
      return code.code();
    }
    failureIsTold = true;
    if (options.debug) {
      e.printStackTrace(err);
    }
    boolean known = e instanceof CommandException || e instanceof ConfigException;
    // what a NameNode refuses has its whole stack trace behind the first line
    String text = (known ? e.getMessage() : e.toString()).split("[\\r\\n]", 2)[0];
    err.println("mover: " + text);
    if (options.json) {
      out.println(Json.pretty(ReportJson.failed(code, text)));
      out.flush();
    }
    return code.code();
  }

  private static ExitCode exitCode(Throwable e) {
    if (e instanceof CommandException) {
      return ((CommandException) e).exitCode();
    }
    if (e instanceof ConfigException) {
      return ExitCode.USAGE;
    }
    return e instanceof AccessControlException ? ExitCode.DENIED : ExitCode.COULD_NOT_RUN;
  }
}
