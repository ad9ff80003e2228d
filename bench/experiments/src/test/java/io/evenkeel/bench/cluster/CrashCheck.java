package io.evenkeel.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.jmx.JmxClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.tools.DFSck;

/**
 * What one namespace must be like when {@link CrashLoad}s have stopped and all DataNodes and
 * volumes are there: every acknowledged byte is read, and fsck finds nothing to complain of, also
 * after superfluous replicas were deleted.
 */
final class CrashCheck {
  private static final Duration LIMIT = Duration.ofMinutes(3);

  private final DistributedFileSystem fs;
  private final URI web;
  private final List<CrashLoad> loads;
  private ShortCopies copies;
  private DeletedBlocks deletedBlocks;
  private int replaced;
  private int deleted;

  /**
   * Prepares.
   *
   * @param web the web server of the NameNode
   * @param loads the writers of this namespace
   */
  CrashCheck(DistributedFileSystem fs, URI web, List<CrashLoad> loads) {
    this.fs = fs;
    this.web = web;
    this.loads = loads;
  }

  /** Lets copies that a fault of the NameNode made too short be replaced. */
  CrashCheck replacing(ShortCopies found) {
    copies = found;
    return this;
  }

  /** Lets files go whose blocks a fault of the NameNode had deleted everywhere. */
  CrashCheck forgiving(DeletedBlocks found) {
    deletedBlocks = found;
    return this;
  }

  /** How many were let go. */
  int deleted() {
    return deleted;
  }

  /** How many replicas were replaced, and files deleted whose only one stock calls corrupt. */
  int replaced() {
    return replaced;
  }

  void run(String when) throws IOException {
    List<String> wrong = new ArrayList<>();
    for (CrashLoad load : loads) {
      for (CrashFile file : load.files()) {
        if (!file.deleted() && fs.exists(file.path())) {
          await(when + ": closed " + file.path(), () -> closed(file) || isDeletedByNameNode(file));
        }
        if (isDeletedByNameNode(file)) {
          file.delete(fs);
          deleted++;
        }
        String mismatch = file.mismatch(fs);
        if (mismatch != null) {
          wrong.add(mismatch);
        }
      }
    }
    assertThat(wrong).as(when).isEmpty();
    awaitHealthy(when);
    for (CrashLoad load : loads) {
      load.lowerReplication(fs);
    }
    await(when + ": excess replicas are deleted", this::nothingToDelete);
    awaitHealthy(when);
  }

  private boolean isDeletedByNameNode(CrashFile file) {
    return deletedBlocks != null && !file.deleted() && deletedBlocks.has(fs, file.path());
  }

  static void await(String what, BooleanSupplier condition) {
    assertThat(Processes.await(LIMIT, condition)).as(what).isTrue();
  }

  private void awaitHealthy(String when) {
    boolean healthy = Processes.await(LIMIT, this::healthy);
    if (!healthy && copies != null) {
      int found = copies.replace(fsck()) + deleteLost();
      replaced += found;
      healthy = found > 0 && Processes.await(LIMIT, this::healthy);
    }
    assertThat(healthy).as("%s: %s", when, healthy ? "" : fsck()).isTrue();
  }

  private int deleteLost() {
    int found = 0;
    Set<Path> lost = copies.lost(fsck());
    try {
      for (CrashLoad load : loads) {
        for (CrashFile file : load.files()) {
          if (lost.contains(file.path())) {
            file.delete(fs);
            found++;
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found;
  }

  private boolean closed(CrashFile file) {
    try {
      return fs.isFileClosed(file.path()) || fs.recoverLease(file.path());
    } catch (IOException e) {
      return false; // asked again
    }
  }

  private boolean healthy() {
    String text = fsck();
    return text.contains("is HEALTHY") && text.matches("(?s).*Under-replicated blocks:\\s+0 .*");
  }

  /**
   * What the NameNode wants deleted is deleted; fsck does not count it. A wish that is open when a
   * DataNode is killed, or its block appended to, stays open.
   */
  private boolean nothingToDelete() {
    try {
      Map<String, Object> bean =
          new JmxClient(web, 10_000).bean("Hadoop:service=NameNode,name=FSNamesystem");
      return Stream.of("ExcessBlocks", "PendingDeletionBlocks")
          .allMatch(name -> bean.get(name) instanceof Number n && n.longValue() == 0);
    } catch (IOException e) {
      return false; // asked again
    }
  }

  private String fsck() {
    Configuration conf = new Configuration(fs.getConf());
    conf.set("fs.defaultFS", fs.getUri().toString());
    conf.set("dfs.namenode.http-address", web.getAuthority());
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
      new DFSck(conf, out).run(new String[] {"/"});
    } catch (Exception e) {
      return "fsck could not run: " + e;
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
