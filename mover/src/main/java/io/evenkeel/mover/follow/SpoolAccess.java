package io.evenkeel.mover.follow;

import io.evenkeel.mover.hdfs.HdfsErrors;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Whether a user may ask for a path: may read and write it by its owner, group or other bits, and
 * go through all its parents. Groups are those this machine knows for the name. Where an access
 * control list exists the group bits are only a mask, so there the owner alone may; that refuses
 * some whom HDFS would let in, and lets nobody in whom HDFS would refuse. Not thread-safe.
 */
final class SpoolAccess {
  private static final String SNAPSHOTS = ".snapshot";

  private final DistributedFileSystem fs;
  private final String user;
  private final Set<String> groups;
  private final Set<Path> passable = new HashSet<>();

  SpoolAccess(DistributedFileSystem fs, String user) {
    this.fs = fs;
    this.user = user;
    this.groups =
        new HashSet<>(Arrays.asList(UserGroupInformation.createRemoteUser(user).getGroupNames()));
  }

  /** Why the user may not ask for the path, empty when the user may. */
  String refusal(String path) throws IOException {
    if (!path.startsWith("/") || path.startsWith("/.reserved")) {
      return "not an absolute path";
    }
    try {
      Path target = new Path(path);
      if (target.getName().equals(SNAPSHOTS)) {
        return "not a file or directory"; // HDFS shows it as everybody's
      }
      for (Path parent = target.getParent(); parent != null; parent = parent.getParent()) {
        if (!passable.contains(parent) && !allows(fs.getFileStatus(parent), FsAction.EXECUTE)) {
          return "permission denied";
        }
        passable.add(parent);
      }
      return allows(fs.getFileStatus(target), FsAction.READ_WRITE) ? "" : "permission denied";
    } catch (IOException e) {
      if (HdfsErrors.isMissing(e)) {
        return "no such path";
      }
      throw e;
    } catch (IllegalArgumentException e) {
      return "not a path";
    }
  }

  private boolean allows(FileStatus status, FsAction action) {
    FsPermission permission = status.getPermission();
    if (status.getOwner().equals(user)) {
      return permission.getUserAction().implies(action);
    }
    if (status.hasAcl()) {
      return false;
    }
    return groups.contains(status.getGroup())
        ? permission.getGroupAction().implies(action)
        : permission.getOtherAction().implies(action);
  }
}
