package io.evenkeel.bench.gameday.round;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.BlockConstructionStage;
import org.apache.hadoop.hdfs.protocol.datatransfer.Sender;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.server.datanode.CachingStrategy;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.util.DataChecksum;

/**
 * A client that asks a DataNode twice at once to create the same replica, as one that retries while
 * its first request is still under way, and then gives the block up. Used by one thread.
 *
 * <p>Apart from the load, which no history could follow here.
 */
final class TwinCreations {
  private static final int TIMEOUT_MILLIS = 30_000;
  private static final int CHUNK_BYTES = 512;

  /** In place of the generation stamp by which a replica would be replaced. */
  private static final long FIRST_CREATION = 0;

  private final DistributedFileSystem fs;
  private final String directory;
  private int files;

  /**
   * Prepares.
   *
   * @param directory of its own
   */
  TwinCreations(DistributedFileSystem fs, String directory) {
    this.fs = fs;
    this.directory = directory;
  }

  /** Has one replica created twice. */
  void once() throws IOException, InterruptedException {
    String path = directory + "/" + files++;
    DFSClient client = fs.getClient();
    try (FSDataOutputStream out = fs.create(new Path(path))) {
      long id = client.getFileInfo(path).getFileId();
      LocatedBlock block =
          client
              .getNamenode()
              .addBlock(
                  path,
                  client.getClientName(),
                  null,
                  null,
                  id,
                  null,
                  EnumSet.noneOf(AddBlockFlag.class));
      try {
        createTwice(block);
      } finally {
        client.getNamenode().abandonBlock(block.getBlock(), id, path, client.getClientName());
      }
    } finally {
      fs.delete(new Path(path), false);
    }
  }

  private void createTwice(LocatedBlock block) throws InterruptedException {
    CyclicBarrier together = new CyclicBarrier(2);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      Thread thread =
          new Thread(
              () -> {
                try {
                  create(block, together);
                } catch (Exception e) {
                  together.reset(); // refused, or the DataNode is away: the other one waits in vain
                }
              },
              "gameday-twin-" + i);
      thread.setDaemon(true);
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private void create(LocatedBlock block, CyclicBarrier together) throws Exception {
    DatanodeInfo node = block.getLocations()[0];
    try (Socket socket = new Socket()) {
      socket.connect(NetUtils.createSocketAddr(node.getXferAddr()), TIMEOUT_MILLIS);
      socket.setSoTimeout(TIMEOUT_MILLIS);
      DataOutputStream out =
          new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
      together.await(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
      new Sender(out)
          .writeBlock(
              block.getBlock(),
              block.getStorageTypes()[0],
              block.getBlockToken(),
              fs.getClient().getClientName(),
              new DatanodeInfo[] {node},
              new StorageType[] {block.getStorageTypes()[0]},
              null,
              BlockConstructionStage.PIPELINE_SETUP_CREATE,
              1,
              0,
              0,
              FIRST_CREATION,
              DataChecksum.newDataChecksum(DataChecksum.Type.CRC32C, CHUNK_BYTES),
              CachingStrategy.newDefaultStrategy(),
              false,
              false,
              new boolean[] {false},
              block.getStorageIDs()[0],
              new String[] {block.getStorageIDs()[0]});
      out.flush();
      BlockOpResponseProto.parseFrom(PBHelperClient.vintPrefixed(socket.getInputStream()));
    }
  }
}
