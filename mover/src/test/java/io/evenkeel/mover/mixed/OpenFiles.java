package io.evenkeel.mover.mixed;

import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.OpenFileEntry;
import org.apache.hadoop.hdfs.protocol.OpenFilesIterator.OpenFilesType;
import org.apache.hadoop.hdfs.server.datanode.DataNode;

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

  @SuppressWarnings("deprecation") // there is nothing else to look with
  private static void append(StringBuilder text, DataNode node, LocatedBlock block) {
    if (node.getFSDataset() != null) {
      text.append("; ").append(node.getDisplayName()).append(' ');
      String pool = block.getBlock().getBlockPoolId();
      text.append(node.getFSDataset().getReplica(pool, block.getBlock().getBlockId()));
    }
  }
}
