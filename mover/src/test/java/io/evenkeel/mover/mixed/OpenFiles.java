package io.evenkeel.mover.mixed;

import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.OpenFileEntry;
import org.apache.hadoop.hdfs.protocol.OpenFilesIterator.OpenFilesType;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.Replica;

/** What is known of files that nobody closes, for people. */
final class OpenFiles {
  private OpenFiles() {}

  /** A line for each last block, with the NameNode's view of it and each replica there is. */
  static String of(DistributedFileSystem fs, List<DataNode> nodes) {
    StringBuilder text = new StringBuilder();
    try {
      RemoteIterator<OpenFileEntry> files =
          fs.listOpenFiles(EnumSet.of(OpenFilesType.ALL_OPEN_FILES));
      while (files.hasNext()) {
        OpenFileEntry file = files.next();
        text.append(file.getFilePath()).append(" of ").append(file.getClientName());
        LocatedBlock last =
            fs.getClient().getLocatedBlocks(file.getFilePath(), 0).getLastLocatedBlock();
        text.append(": ").append(last);
        for (DataNode node : last == null ? List.<DataNode>of() : nodes) {
          append(text, node, last);
        }
        text.append('\n');
      }
    } catch (IOException e) {
      text.append(e);
    }
    return text.toString();
  }

  /**
   * Whether the replicas of the last block of a file, on the DataNodes that run, differ in length;
   * internal blocks always do.
   */
  static boolean isCutInPart(DistributedFileSystem fs, List<DataNode> nodes, String path) {
    try {
      LocatedBlock last = fs.getClient().getLocatedBlocks(path, 0).getLastLocatedBlock();
      return last != null
          && !last.isStriped()
          && nodes.stream()
                  .map(node -> replica(node, last))
                  .filter(Objects::nonNull)
                  .map(Replica::getNumBytes)
                  .distinct()
                  .count()
              > 1;
    } catch (IOException e) {
      return false; // it is asked again
    }
  }

  private static void append(StringBuilder text, DataNode node, LocatedBlock block) {
    text.append("; ").append(node.getDisplayName()).append(' ').append(replica(node, block));
  }

  @SuppressWarnings("deprecation") // there is nothing else to look with
  private static Replica replica(DataNode node, LocatedBlock block) {
    String pool = block.getBlock().getBlockPoolId();
    return node.getFSDataset() == null
        ? null
        : node.getFSDataset().getReplica(pool, block.getBlock().getBlockId());
  }
}
