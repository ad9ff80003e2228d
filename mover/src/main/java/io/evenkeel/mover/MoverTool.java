package io.evenkeel.mover;

import io.evenkeel.common.cli.StandardOutput;
import io.evenkeel.mover.cli.MoverCommand;
import io.evenkeel.mover.config.MoverKeys;
import io.evenkeel.mover.follow.Follower;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
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
  /** Runs it and ends the JVM with its exit code. */
  public static void main(String[] args) throws Exception {
    int code = call(args);
    System.exit(StandardOutput.checked(code, why -> System.err.println("mover: " + why)));
  }

  /** Runs it and returns its exit code; for launchers that live on. */
  public static int call(String... args) throws Exception {
    return ToolRunner.run(new HdfsConfiguration(), new MoverTool(), keepingDash(args));
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
    return new MoverCommand(System.in, System.out, System.err, FileMover::open, MoverTool::follow)
        .run(getConf(), args);
  }

  /** Follows renames in the foreground, until this thread is interrupted or it cannot start. */
  static void follow(Configuration conf, PrintStream out) throws IOException {
    Configuration own = new Configuration(conf);
    own.setBoolean(MoverKeys.HAND_OVER.name(), false); // it is the one that is asked
    try (FileMover mover = FileMover.open(own, FileSystem.getDefaultUri(own));
        Follower follower = Follower.open(conf, mover)) {
      out.println(follower.startLine());
      follower.start();
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // told to end: all is closed
    }
  }
}
