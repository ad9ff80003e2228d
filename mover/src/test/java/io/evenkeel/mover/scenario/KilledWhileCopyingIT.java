package io.evenkeel.mover.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import io.evenkeel.mover.MoverTool;
import io.evenkeel.mover.hdfs.MoverCluster;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.mover.Mover;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A mover is killed while DataNodes copy inside themselves, and started again at once. DataNodes
 * write both copies of a replica to one temporary file, so the second must not ask before the first
 * has ended.
 */
@Timeout(180)
class KilledWhileCopyingIT {
  private static final int LENGTH = 1 << 20;
  private static final int COPY_MILLIS = 8_000;
  private static final int LEASE_MILLIS = 20_000;

  @TempDir private Path dir;
  private final AtomicInteger copies = new AtomicInteger();
  private final AtomicInteger running = new AtomicInteger();
  private final List<String> doubled = Collections.synchronizedList(new ArrayList<>());
  private final List<String> targets = Collections.synchronizedList(new ArrayList<>());

  /** A slow disk. */
  private final class Slow extends FileIoProvider {
    Slow(Configuration conf, DataNode dataNode) {
      super(conf, dataNode);
    }

    @Override
    public void nativeCopyFileUnbuffered(
        FsVolumeSpi volume, File from, File to, boolean preserveFileDate) throws IOException {
      copies.incrementAndGet();
      running.incrementAndGet();
      synchronized (targets) {
        if (targets.contains(to.toString())) {
          doubled.add(to.getName());
        }
        targets.add(to.toString());
      }
      Files.createDirectories(to.toPath().getParent());
      byte[] part = new byte[(int) Math.max(512, from.length() / 16)];
      try (FileInputStream in = new FileInputStream(from);
          FileOutputStream out = new FileOutputStream(to)) {
        for (int n = in.read(part); n > 0; n = in.read(part)) {
          out.write(part, 0, n);
          if (from.length() == LENGTH) {
            Await.pause(COPY_MILLIS / 16);
          }
        }
      } catch (InterruptedException e) {
        throw new IOException(e);
      } finally {
        targets.remove(to.toString());
        running.decrementAndGet();
      }
    }
  }

  private void slowDown(Scene scene) throws Exception {
    for (DataNode dataNode : scene.cluster().mini().getDataNodes()) {
      try (FsDatasetSpi.FsVolumeReferences volumes =
          dataNode.getFSDataset().getFsVolumeReferences()) {
        for (FsVolumeSpi volume : volumes) {
          for (Class<?> c = volume.getClass(); c != null; c = c.getSuperclass()) {
            for (Field field : c.getDeclaredFields()) {
              if (field.getType() == FileIoProvider.class) {
                field.setAccessible(true);
                field.set(volume, new Slow(dataNode.getConf(), dataNode));
              }
            }
          }
        }
      }
    }
  }

  private Process start(Configuration conf, String... command) throws IOException {
    Path site = Files.createDirectories(dir.resolve("conf")).resolve("hdfs-site.xml");
    try (OutputStream out = Files.newOutputStream(site)) {
      conf.writeXml(out);
    }
    Files.copy(site, site.resolveSibling("core-site.xml"), StandardCopyOption.REPLACE_EXISTING);
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(List.of("-Xmx256m", "-cp"));
    String own = System.getProperty("java.class.path");
    line.add(
        site.getParent()
            + File.pathSeparator
            + System.getProperty("surefire.test.class.path", own));
    line.addAll(List.of(command));
    return new ProcessBuilder(line)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(dir.resolve("movers.log").toFile()))
        .start();
  }

  @ParameterizedTest
  @CsvSource({"true", "false"})
  void startedAgainAtOnce_noReplicaIsCopiedTwiceAtATime(boolean ours) throws Exception {
    String[] command =
        ours
            ? new String[] {MoverTool.class.getName(), "/k"}
            : new String[] {Mover.class.getName(), "-p", "/k"};
    Configuration conf = MoverCluster.conf(dir);
    conf.setInt("dfs.blocksize", LENGTH);
    try (Scene scene = new Scene(MoverCluster.start(conf, 3))) {
      scene.cluster().mini().setLeasePeriod(LEASE_MILLIS, 10 * LEASE_MILLIS);
      byte[] data = scene.cluster().write("/k/f", LENGTH, 3);
      scene.policy("/k", "COLD");
      slowDown(scene);
      Process killed = start(scene.cluster().conf(), command);
      Await.until("DataNodes copy", () -> copies.get() >= 1);
      Await.pause(1_000);
      killed.destroyForcibly().waitFor();
      Process next = start(scene.cluster().conf(), command);
      int reads = 0;
      while (next.isAlive() || running.get() > 0) {
        assertThat(scene.cluster().read("/k/f")).isEqualTo(data);
        reads++;
        Await.pause(200);
      }
      assertThat(reads).isPositive();
      assertThat(doubled).isEmpty();
      if (ours) {
        assertThat(next.exitValue()).isZero();
        assertThat(scene.types("/k/f")).containsExactly(List.of("ARCHIVE", "ARCHIVE", "ARCHIVE"));
      } else {
        assertThat(next.exitValue()).as("another mover is running").isNotZero();
      }
    }
  }
}
