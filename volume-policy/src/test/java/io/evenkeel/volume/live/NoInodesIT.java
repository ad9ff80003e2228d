package io.evenkeel.volume.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The file system of one of four volumes has room for bytes and none for another file: each block
 * that comes there fails at once, and Hadoop's disk check finds nothing.
 */
@Tag("slow") // ArrivalsTest asks the same of the core
@Timeout(300)
class NoInodesIT {
  private static final int VOLUMES = 4;
  private static final int FILES = 60;

  private static int failures(Class<?> policy, String fill) throws Exception {
    Map<String, String> settings = new HashMap<>(Map.of(LiveDataNode.KEPT_FREE, "0"));
    settings.put("dfs.client.block.write.retries", "0");
    settings.put("evenkeel.volume.fill", fill);
    Outcomes.reset();
    try (SmallDisks disks = new SmallDisks(LiveDataNode.newDirectory(), VOLUMES, 64, 400);
        LiveDataNode node = new LiveDataNode(policy, disks.directories(), settings)) {
      keepOthersOpen(node);
      exhaust(disks.directories().get(0));
      return node.runLoad("/f", 1, FILES).failures().size();
    }
  }

  /** Two blocks on each volume, of which those on the first are complete. */
  private static void keepOthersOpen(LiveDataNode node) throws Exception {
    Map<FsVolumeSpi, List<FSDataOutputStream>> open = new HashMap<>();
    for (int i = 0; i < 2 * VOLUMES; i++) {
      String name = "/open" + i;
      FSDataOutputStream out = node.fs().create(new org.apache.hadoop.fs.Path(name), (short) 1);
      out.write(1);
      out.hflush();
      LocatedBlock block = node.fs().getClient().getLocatedBlocks(name, 0).get(0);
      FsVolumeSpi volume = node.dataNode().getFSDataset().getVolume(block.getBlock());
      open.computeIfAbsent(volume, v -> new ArrayList<>()).add(out);
    }
    for (FSDataOutputStream out : open.get(node.volume(0))) {
      out.close();
    }
  }

  private static void exhaust(Path directory) throws IOException {
    Path dir = Files.createDirectory(directory.resolve("x"));
    try {
      for (int i = 0; i < 100_000; i++) {
        Files.createFile(dir.resolve("f" + i));
      }
    } catch (IOException e) {
      return; // no space left on device
    }
    throw new IllegalStateException("still inodes");
  }

  @Test
  void noInodesLeft_failsHardlyMoreBlocksThanStock() throws Exception {
    int stock = failures(Outcomes.Stock.class, "off");
    assertThat(stock).as("stock").isBetween(10, 20);
    assertThat(failures(Outcomes.LatencyAware.class, "off")).isLessThanOrEqualTo(stock + 5);
    assertThat(failures(Outcomes.LatencyAware.class, "even")).isLessThanOrEqualTo(stock + 5);
  }
}
