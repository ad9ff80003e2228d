package io.evenkeel.terasort;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;
import org.apache.hadoop.util.ShutdownHookManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What happens to a run when its JVM is ended or its thread interrupted. */
class HookTest {

  private static List<Runnable> hooks() throws ReflectiveOperationException {
    Method inOrder = ShutdownHookManager.class.getDeclaredMethod("getShutdownHooksInOrder");
    inOrder.setAccessible(true);
    List<Runnable> hooks = new ArrayList<>();
    for (Object entry : (List<?>) inOrder.invoke(ShutdownHookManager.get())) {
      Method hook = entry.getClass().getDeclaredMethod("getHook");
      hook.setAccessible(true);
      hooks.add((Runnable) hook.invoke(entry));
    }
    hooks.removeIf(hook -> !hook.getClass().getName().contains("BlockTeraValidate"));
    return hooks;
  }

  /** A file system on which the JVM is ended while the listing of the input is being written. */
  public static final class EndedAtTheListing extends LocalFileSystem {
    static final AtomicInteger SEEN = new AtomicInteger();

    @Override
    public FSDataOutputStream create(
        org.apache.hadoop.fs.Path path,
        FsPermission permission,
        boolean overwrite,
        int buffer,
        short replicas,
        long block,
        Progressable progress)
        throws IOException {
      FSDataOutputStream out =
          super.create(path, permission, overwrite, buffer, replicas, block, progress);
      return path.getName().equals("_listing")
          ? new FSDataOutputStream(
              new FilterOutputStream(out) {
                @Override
                public void write(byte[] bytes, int from, int length) throws IOException {
                  out.write(bytes, from, length);
                  if (SEEN.getAndIncrement() == 0) {
                    end();
                  }
                }
              },
              null)
          : out;
    }

    private static void end() {
      try {
        hooks().forEach(Runnable::run);
      } catch (ReflectiveOperationException e) {
        throw new AssertionError(e);
      }
    }
  }

  @Test
  void run_endedWhileTheListingIsWritten_leavesNoReport(@TempDir Path dir) throws Exception {
    DataSets.write(dir.resolve("in"), DataSets.sorted(30, 7), 3);
    LocalRuns runs = new LocalRuns(dir);
    Configuration conf = runs.conf(256);
    conf.setClass("fs.file.impl", EndedAtTheListing.class, FileSystem.class);
    conf.setBoolean("fs.file.impl.disable.cache", true);
    Path report = runs.nextReport();
    LocalRuns.Outcome outcome = runs.ours(conf, dir.resolve("in").toString());
    assertThat(EndedAtTheListing.SEEN.get()).isPositive();
    assertThat(outcome.code()).as(outcome.out()).isEqualTo(1);
    assertThat(report).doesNotExist();
  }

  @Test
  void run_asAToolOfALauncher_hookKillsTheJobAndRemovesTheReport() throws Exception {
    // not a @TempDir: the killed job's thread may still write when the test is over
    Path dir = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "hook");
    DataSets.write(dir.resolve("in"), DataSets.sorted(30, 7), 3);
    LocalRuns runs = new LocalRuns(dir);
    Configuration conf = runs.conf(256);
    AtomicInteger seen = new AtomicInteger();
    List<Boolean> there = new ArrayList<>();
    Path report = runs.nextReport();
    SlyFileSystem.install(
        conf,
        path -> {
          if (seen.getAndIncrement() == 0) {
            try {
              there.add(Files.exists(report));
              hooks().forEach(Runnable::run);
              there.add(Files.exists(report.resolve("_listing")));
            } catch (ReflectiveOperationException e) {
              throw new AssertionError(e);
            }
          }
        });
    LocalRuns.Outcome outcome = runs.ours(conf, dir.resolve("in").toString());
    assertThat(there).isEqualTo(Arrays.asList(true, false));
    assertThat(outcome.code()).as(outcome.out()).isEqualTo(1);
    assertThat(hooks()).isEmpty();
  }
}
