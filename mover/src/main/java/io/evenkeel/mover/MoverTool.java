package io.evenkeel.mover;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.config.ConfigException;
import io.evenkeel.common.json.Json;
import io.evenkeel.mover.cli.MoverOptions;
import io.evenkeel.mover.cli.MoverRun;
import io.evenkeel.mover.cli.Movers;
import io.evenkeel.mover.cli.ReportJson;
import io.evenkeel.mover.cli.StockSettings;
import io.evenkeel.mover.cli.Surroundings;
import io.evenkeel.mover.config.MoverKeys;
import io.evenkeel.mover.core.follow.ControlQuestion.Verb;
import io.evenkeel.mover.follow.ControlClient;
import io.evenkeel.mover.follow.ControlClient.Answer;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.util.ShutdownHookManager;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/**
 * The command of the mover: {@code hadoop jar evenkeel-mover.jar io.evenkeel.mover.MoverTool
 * /path}.
 *
 * <p>Ends with 0 only when the NameNode says that everything asked for is satisfied. When the JVM
 * is ended, nothing more is started, and the report tells what was done. One run at a time.
 */
public final class MoverTool extends Configured implements Tool {
  private static final int HOOK_PRIORITY = 50; // before file systems are closed, at 10
  private static final int SECONDS_TO_END = 25;

  private final Surroundings surroundings;
  private final MoversOf movers;
  private final Daemon daemon;
  private boolean failureIsTold; // guarded by this

  /** Makes movers that work by a configuration. */
  interface MoversOf {
    Movers of(Configuration conf);
  }

  /** What {@code --follow} runs until it is stopped. */
  interface Daemon {
    /** Runs it; returns the exit code. */
    int run(Configuration conf, PrintStream out) throws IOException, InterruptedException;
  }

  /** Reads standard input, prints to standard output and standard error. */
  public MoverTool() {
    this(
        Surroundings.ofThisProcess(),
        conf -> namenode -> FileMover.open(conf, namenode),
        FollowMain::run);
  }

  /** With other surroundings and something else that moves. */
  MoverTool(Surroundings surroundings, MoversOf movers, Daemon daemon) {
    this.surroundings = surroundings;
    this.movers = movers;
    this.daemon = daemon;
  }

  /** Runs it and ends the JVM with its exit code. */
  public static void main(String[] args) throws Exception {
    System.exit(ToolRunner.run(new HdfsConfiguration(), new MoverTool(), keepingDash(args)));
  }

  /**
   * Names standard input as a list: Hadoop's parser of generic options swallows a lone dash that
   * comes right after them.
   */
  static String[] keepingDash(String... args) {
    List<String> kept = new ArrayList<>();
    for (String arg : args) {
      boolean isList = !kept.isEmpty() && kept.get(kept.size() - 1).equals("-f");
      if (arg.equals("-") && !isList) {
        kept.add("-f");
      }
      kept.add(arg);
    }
    return kept.toArray(new String[0]);
  }

  @Override
  public int run(String[] args) {
    synchronized (this) {
      failureIsTold = false;
    }
    MoverOptions options;
    try {
      options = MoverOptions.parse(args);
    } catch (IllegalArgumentException e) {
      surroundings.err().println("mover: " + e.getMessage());
      surroundings.err().println("Try 'mover --help'.");
      return ExitCode.USAGE.code();
    }
    if (options.isHelp()) {
      surroundings.out().print(MoverOptions.usage());
      surroundings.out().flush();
      return ExitCode.OK.code();
    }
    try {
      return run(options, configuration(options));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return failed(new CommandException(ExitCode.INTERRUPTED, "interrupted"), options);
    } catch (IOException | RuntimeException | LinkageError e) {
      return failed(interruptedOr(e), options);
    }
  }

  private static Throwable interruptedOr(Throwable e) {
    boolean ended = Thread.interrupted() || ShutdownHookManager.get().isShutdownInProgress();
    return ended ? new CommandException(ExitCode.INTERRUPTED, "interrupted", e) : e;
  }

  /** That of the tool with the files of HDFS, which the launcher does not load. */
  private Configuration configuration(MoverOptions options) throws IOException {
    Configuration conf =
        getConf() == null ? new HdfsConfiguration() : new HdfsConfiguration(getConf());
    if (options.isRunDuringUpgrade()) {
      conf.setBoolean(MoverKeys.RUN_DURING_UPGRADE.name(), true);
    }
    StockSettings.refuse(conf);
    String ignored = StockSettings.ignored(conf);
    if (ignored != null) {
      surroundings.err().println("mover: " + ignored);
    }
    StockSettings.login(conf);
    return conf;
  }

  private int run(MoverOptions options, Configuration conf)
      throws IOException, InterruptedException {
    if (options.isFollow()) {
      return daemon.run(conf, surroundings.out());
    }
    if (options.asksDaemon()) {
      return askDaemon(options, conf, surroundings.out());
    }
    MoverRun run = read(options, conf);
    Thread main = Thread.currentThread();
    CountDownLatch ended = new CountDownLatch(1);
    Runnable hook =
        () -> {
          run.stop();
          end(main, ended);
        };
    ShutdownHookManager.get().addShutdownHook(hook, HOOK_PRIORITY);
    try {
      return run.run(movers.of(conf)).code();
    } catch (IOException | RuntimeException | LinkageError e) {
      return failed(interruptedOr(e), options); // before the JVM ends
    } finally {
      ended.countDown();
      remove(hook);
    }
  }

  /** A read of standard input knows no interrupt, so nothing is waited for where that ends it. */
  private MoverRun read(MoverOptions options, Configuration conf) throws IOException {
    CommandException interrupted = new CommandException(ExitCode.INTERRUPTED, "interrupted");
    Runnable hook = () -> failed(interrupted, options);
    ShutdownHookManager.get().addShutdownHook(hook, HOOK_PRIORITY);
    try {
      return new MoverRun(options, conf, surroundings, version());
    } finally {
      remove(hook);
    }
  }

  private static void remove(Runnable hook) {
    if (!ShutdownHookManager.get().isShutdownInProgress()) {
      ShutdownHookManager.get().removeShutdownHook(hook);
    }
  }

  /** Ends the run of another thread and waits for its report. */
  private static void end(Thread main, CountDownLatch ended) {
    main.interrupt();
    try {
      ended.await(SECONDS_TO_END, TimeUnit.SECONDS); // moves under way end by themselves
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static String version() {
    return MoverTool.class.getPackage().getImplementationVersion();
  }

  /** Tells it once: the shutdown hook may be about to, and the JVM ends after that. */
  private synchronized int failed(Throwable e, MoverOptions options) {
    ExitCode code = exitCode(e);
    if (failureIsTold) {
      return code.code();
    }
    failureIsTold = true;
    if (options.isDebug()) {
      e.printStackTrace(surroundings.err());
    }
    boolean known = e instanceof CommandException || e instanceof ConfigException;
    // what a NameNode refuses has its whole stack trace behind the first line
    String text = (known ? e.getMessage() : e.toString()).split("[\\r\\n]", 2)[0];
    surroundings.err().println("mover: " + text);
    if (options.isJson()) {
      surroundings.out().println(Json.pretty(ReportJson.failed(version(), code, text)));
      surroundings.out().flush();
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

  /** Asks a daemon that runs for its requests, the end of one, or a pause. */
  private static int askDaemon(MoverOptions options, Configuration conf, PrintStream out)
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
          "no active daemon has answered; is one running?"
              + (options.isPause() ? " The next active daemon moves nothing until --resume." : "")
              + (options.isResume() ? " The next active daemon is not paused." : ""));
    }
  }

  private static Verb verb(MoverOptions options) {
    if (options.isRequests()) {
      return options.isJson() ? Verb.JSON : Verb.REQUESTS;
    }
    return options.cancelled() > 0 ? Verb.CANCEL : Verb.STATE;
  }
}
