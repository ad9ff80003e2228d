package io.evenkeel.terasort;

import io.evenkeel.common.testing.Await;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.Sender;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenSecretManager;

/** Moves replicas as the balancer and the mover do: by asking a DataNode to replace one. */
final class ReplicaMoves {
  private ReplicaMoves() {}

  /** Moves one replica of every block of the partitions to a DataNode that had none. */
  static void moveOneOfEach(HdfsFixture hdfs, Path directory, int partitions) throws Exception {
    List<DatanodeInfo> all = List.of(hdfs.fs().getClient().datanodeReport(DatanodeReportType.LIVE));
    Map<Long, String> targets = new HashMap<>();
    for (int i = 0; i < partitions; i++) {
      for (LocatedBlock block : hdfs.blocks(HdfsFixture.part(directory, i))) {
        Set<String> holders = holders(block);
        DatanodeInfo target =
            all.stream().filter(d -> !holders.contains(d.getDatanodeUuid())).findFirst().get();
        move(block, block.getLocations()[0], target);
        targets.put(block.getBlock().getBlockId(), target.getDatanodeUuid());
      }
    }
    for (int i = 0; i < partitions; i++) {
      Path partition = HdfsFixture.part(directory, i);
      Await.until(
          "blocks of " + partition + " moved", () -> moved(hdfs.blocks(partition), targets));
    }
  }

  /** Whether the NameNode knows the new replicas and has given up the old ones. */
  private static boolean moved(List<LocatedBlock> blocks, Map<Long, String> targets) {
    return blocks.stream()
        .allMatch(
            block ->
                holders(block).contains(targets.get(block.getBlock().getBlockId()))
                    && block.getLocations().length == 3);
  }

  private static Set<String> holders(LocatedBlock block) {
    return Arrays.stream(block.getLocations())
        .map(DatanodeInfo::getDatanodeUuid)
        .collect(Collectors.toSet());
  }

  private static void move(LocatedBlock block, DatanodeInfo source, DatanodeInfo target)
      throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(target.getIpAddr(), target.getXferPort()));
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      new Sender(out)
          .replaceBlock(
              block.getBlock(),
              StorageType.DISK,
              BlockTokenSecretManager.DUMMY_TOKEN,
              source.getDatanodeUuid(),
              source,
              "");
      BlockOpResponseProto reply;
      do {
        reply = BlockOpResponseProto.parseDelimitedFrom(socket.getInputStream());
      } while (reply.getStatus() == Status.IN_PROGRESS);
      if (reply.getStatus() != Status.SUCCESS) {
        throw new IOException("not moved: " + reply);
      }
    }
  }
}
