package io.evenkeel.terasort;

import io.evenkeel.common.testing.Await;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.mapreduce.TaskAttemptID;

/**
 * HDFS as first attempts of map tasks see it on a bad day: the first task's read fails, the
 * second's JVM dies, the third and fourth are slow, so that they are killed or overtaken. Later
 * attempts have no trouble. Loaded by name in the tasks' JVMs.
 */
public final class TroubledFileSystem extends DistributedFileSystem {
  static final String TROUBLE = "io.evenkeel.terasort.test.trouble";
  static final int KINDS = 4;

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    String attempt = getConf().get("mapreduce.task.attempt.id");
    if (attempt != null && path.getName().startsWith("part-")) {
      trouble(getConf(), TaskAttemptID.forName(attempt), path);
    }
    return super.open(path, bufferSize);
  }

  private static void trouble(Configuration conf, TaskAttemptID attempt, Path path)
      throws IOException {
    if (!conf.getBoolean(TROUBLE, false) || attempt.getId() > 0) {
      return;
    }
    switch (attempt.getTaskID().getId() % KINDS) {
      case 0 -> throw new IOException("cannot read " + path);
      case 1 -> Runtime.getRuntime().halt(7);
      default -> pause();
    }
  }

  private static void pause() throws IOException {
    try {
      Await.pause(40_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }
}
