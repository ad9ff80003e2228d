package io.evenkeel.terasort.mapreduce;

import io.evenkeel.terasort.core.dataset.InputFile;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;

/** What HDFS tells of a file beyond Hadoop's file system interface. Stateless. */
final class HdfsFacts {
  private HdfsFacts() {}

  static InputFile inputFile(FileStatus status) {
    long id = status instanceof HdfsFileStatus ? ((HdfsFileStatus) status).getFileId() : 0;
    return new InputFile(
        status.getPath().toString(), status.getLen(), status.getModificationTime(), id);
  }

  static boolean isHdfs(FileStatus status) {
    return status instanceof HdfsFileStatus;
  }

  /** Its blocks are groups on as many nodes as the schema has units: no host is near. */
  static boolean erasureCoded(FileStatus status) {
    return status.isErasureCoded();
  }

  static boolean underConstruction(LocatedFileStatus status) {
    return status instanceof HdfsLocatedFileStatus
        && ((HdfsLocatedFileStatus) status).getLocatedBlocks().isUnderConstruction();
  }
}
