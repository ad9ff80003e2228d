package io.evenkeel.mover.hdfs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.server.namenode.ErasureCodingPolicyManager;

/**
 * The policies of erasure coded files, which the NameNode hides where it does not apply them.
 * Separate from the namespace because it asks for them in its own way. Thread-safe.
 */
final class HiddenPolicies {
  /** A file by its inode id; the NameNode takes {@code ..} after it for its directory. */
  private static final Pattern INODE = Pattern.compile("/\\.reserved/\\.inodes/[0-9]+");

  /** Of a directory, in which a file is looked for by its inode id. */
  private static final int PAGES = 3;

  private final HdfsConnection connection;

  HiddenPolicies(HdfsConnection connection) {
    this.connection = connection;
  }

  /**
   * The policy of a file the NameNode tells none of, by up to four calls; what it tells where it
   * stays unknown.
   *
   * @param path as the file was asked for
   */
  byte of(String path, HdfsFileStatus file) throws IOException {
    if (INODE.matcher(path).matches()) {
      return policyByInode(path + "/..", file);
    }
    String parent = parent(path);
    if (parent == null) {
      return file.getStoragePolicy();
    }
    // A prefix sorts before the name in any order of bytes. Where more than a page of names lies
    // between the two the policy stays unknown.
    byte[] name = new Path(path).getName().getBytes(StandardCharsets.UTF_8);
    byte[] start = Arrays.copyOf(name, name.length - 1);
    for (HdfsFileStatus one : Listings.entries(page(parent, start))) {
      if (Arrays.equals(one.getLocalNameInBytes(), name)) {
        return one.getStoragePolicy();
      }
    }
    return file.getStoragePolicy();
  }

  /**
   * The directory's policy when HDFS does not apply that one to striped files: any other would have
   * been told. Else the file may have one of its own, for which a few pages of the directory are
   * looked at; beyond them it stays unknown.
   */
  private byte policyByInode(String directory, HdfsFileStatus file) throws IOException {
    byte inherited = policyOf(directory, file.getStoragePolicy());
    if (!ErasureCodingPolicyManager.checkStoragePolicySuitableForECStripedMode(inherited)) {
      return inherited;
    }
    byte[] start = HdfsFileStatus.EMPTY_NAME;
    for (int i = 0; i < PAGES; i++) {
      DirectoryListing page = page(directory, start);
      for (HdfsFileStatus one : Listings.entries(page)) {
        if (one.getFileId() == file.getFileId()) {
          return one.getStoragePolicy();
        }
      }
      if (page == null || !page.hasMore()) {
        break;
      }
      start = page.getLastName();
    }
    return file.getStoragePolicy();
  }

  private byte policyOf(String directory, byte unknown) throws IOException {
    try {
      return connection
          .call(
              "getStoragePolicy " + directory,
              () -> connection.client().getStoragePolicy(directory))
          .getId();
    } catch (IOException e) {
      if (HdfsErrors.isMissing(e, directory)) {
        return unknown;
      }
      throw e;
    }
  }

  private DirectoryListing page(String directory, byte[] start) throws IOException {
    return Listings.page(connection, directory, start, false);
  }

  private static String parent(String path) {
    Path parent = new Path(path).getParent();
    return parent == null ? null : parent.toString();
  }
}
