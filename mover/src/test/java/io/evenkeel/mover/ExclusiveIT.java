package io.evenkeel.mover;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.mover.cli.Movers;
import io.evenkeel.mover.cli.Surroundings;
import io.evenkeel.mover.hdfs.MoverCluster;
import io.evenkeel.mover.hdfs.MoverIdFile;
import io.evenkeel.mover.request.MoveReport;
import io.evenkeel.mover.request.MoveRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code --exclusive} on a real HDFS: the whole tool and the file of stock's tools. */
@Timeout(180)
class ExclusiveIT {
  private static MoverCluster cluster;

  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  /** Whether somebody had the file open when a request came, when it ended and at the close. */
  private final List<Boolean> held = Collections.synchronizedList(new ArrayList<>());

  @BeforeAll
  static void start(@TempDir Path dir) throws IOException {
    cluster = MoverCluster.start(MoverCluster.conf(dir), 3);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static boolean isHeld() {
    try {
      DistributedFileSystem fs = cluster.fs();
      return fs.exists(MoverIdFile.FILE) && !fs.isFileClosed(MoverIdFile.FILE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Real ones that note whether the file is held. */
  private Movers.Mover mover(Configuration conf, URI namenode) throws IOException {
    FileMover mover = FileMover.open(conf, namenode);
    return new Movers.Mover() {
      @Override
      public CompletableFuture<MoveReport> move(MoveRequest request) {
        held.add(isHeld());
        return mover.move(request).whenComplete((report, e) -> held.add(isHeld()));
      }

      @Override
      public void close() {
        held.add(isHeld());
        mover.close();
      }
    };
  }

  private int run(String... args) {
    Surroundings surroundings =
        Surroundings.of(
            InputStream.nullInputStream(),
            new PrintStream(OutputStream.nullOutputStream()),
            new PrintStream(err, true, StandardCharsets.UTF_8));
    MoverTool tool =
        new MoverTool(surroundings, conf -> uri -> mover(conf, uri), (conf, out, error) -> -1);
    tool.setConf(cluster.conf());
    return tool.run(args);
  }

  private static void write(String file) throws Exception {
    cluster.write(file, 2 * MoverCluster.BLOCK, 3);
    cluster.fs().setStoragePolicy(new org.apache.hadoop.fs.Path(file), "ALL_SSD");
  }

  private static List<StorageType> types(String file) throws IOException {
    List<StorageType> types = new ArrayList<>();
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(file);
    for (BlockLocation block : cluster.fs().getFileBlockLocations(path, 0, Long.MAX_VALUE)) {
      types.addAll(List.of(block.getStorageTypes()));
    }
    return types;
  }

  @Test
  void exclusive_anotherHasTheFile_isOneThatNamesItAndMovesNothing() throws Exception {
    write("/held");
    try (FSDataOutputStream other = cluster.fs().create(MoverIdFile.FILE)) {
      other.hflush();

      assertThat(run("--exclusive", "/held")).isEqualTo(1);

      assertThat(err.toString(StandardCharsets.UTF_8))
          .startsWith("mover: --exclusive: another mover or satisfier has /system/mover.id of hdfs")
          .hasLineCount(1);
      assertThat(held).as("the close only, no request").containsExactly(true);
      assertThat(isHeld()).isTrue();
    }
    cluster.fs().delete(MoverIdFile.FILE, false);
    assertThat(types("/held")).hasSize(6).containsOnly(StorageType.DISK);
  }

  @Test
  void exclusive_nobodyHasTheFile_itIsHeldUntilTheMoverIsClosedAndDeleted() throws Exception {
    write("/free");

    assertThat(run("--exclusive", "/free")).as(err.toString(StandardCharsets.UTF_8)).isZero();

    assertThat(held).containsExactly(true, true, true);
    assertThat(cluster.fs().exists(MoverIdFile.FILE)).isFalse();
    assertThat(types("/free")).hasSize(6).containsOnly(StorageType.SSD);
  }

  @Test
  void exclusive_fileLeftOverThatNobodyWrites_isTakenAndDeleted() throws Exception {
    write("/left");
    cluster.fs().create(MoverIdFile.FILE).close();

    assertThat(run("--exclusive", "/left")).as(err.toString(StandardCharsets.UTF_8)).isZero();

    assertThat(held).containsExactly(true, true, true);
    assertThat(cluster.fs().exists(MoverIdFile.FILE)).isFalse();
  }
}
