package io.evenkeel.placement.live;

import io.evenkeel.common.testing.Await;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.tools.DFSck;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/** The programs of an operator, run in this process. Stateless. */
final class Tools {
  private static final String BALANCER = "org.apache.hadoop.hdfs.server.balancer.Balancer";
  private static final String MOVER = "org.apache.hadoop.hdfs.server.mover.Mover";

  private Tools() {}

  /** What {@code hdfs fsck} prints. */
  static String fsck(Configuration conf, String... arguments) throws Exception {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    try (PrintStream out = new PrintStream(text, true, StandardCharsets.UTF_8)) {
      int code = ToolRunner.run(new DFSck(conf, out), arguments);
      out.println("exit code " + code);
    }
    return text.toString(StandardCharsets.UTF_8);
  }

  /** Exit code of {@code hdfs balancer}. */
  static int balancer(Configuration conf, String... arguments) throws Exception {
    return cli(BALANCER, conf, arguments);
  }

  /** Exit code of {@code hdfs mover}. */
  static int mover(Configuration conf, String... arguments) throws Exception {
    return cli(MOVER, conf, arguments);
  }

  /** The class behind the command; it is not public in Balancer. */
  private static int cli(String program, Configuration conf, String... arguments) throws Exception {
    Constructor<?> constructor = Class.forName(program + "$Cli").getDeclaredConstructor();
    constructor.setAccessible(true);
    // the programs write into the configuration
    return ToolRunner.run(new Configuration(conf), (Tool) constructor.newInstance(), arguments);
  }

  /** The Balancer without its command line, as services that embed it do. */
  static int balancerRun(Configuration conf, Collection<URI> nameNodes) throws Exception {
    Class<?> parameters = Class.forName(BALANCER + "Parameters");
    Field standard = parameters.getDeclaredField("DEFAULT");
    standard.setAccessible(true);
    Method run =
        Class.forName(BALANCER)
            .getDeclaredMethod("run", Collection.class, parameters, Configuration.class);
    run.setAccessible(true);
    return (int) run.invoke(null, nameNodes, standard.get(null), new Configuration(conf));
  }

  /** Runs something again and again beside a test. */
  static final class Loop implements AutoCloseable {
    private final AtomicBoolean ended = new AtomicBoolean();
    private final AtomicInteger rounds = new AtomicInteger();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final Thread thread;

    Loop(String name, Callable<?> action) {
      thread = new Thread(() -> repeat(action), name);
      thread.start();
    }

    private void repeat(Callable<?> action) {
      while (!ended.get() && failure.get() == null) {
        try {
          action.call();
          rounds.incrementAndGet();
        } catch (Throwable e) { // an assertion too
          failure.set(e);
        }
        Await.pauseUninterruptibly(Duration.ofMillis(500));
      }
    }

    /** Completed rounds. */
    int rounds() {
      return rounds.get();
    }

    /** Ends after the round that is on; fails when a round failed or none was completed. */
    void finish() throws InterruptedException {
      close();
      if (failure.get() != null) {
        throw new AssertionError(thread.getName() + " failed", failure.get());
      }
      if (rounds.get() == 0) {
        throw new AssertionError(thread.getName() + " completed no round");
      }
    }

    @Override
    public void close() throws InterruptedException {
      ended.set(true);
      thread.join();
    }
  }
}
