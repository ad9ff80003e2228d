package io.evenkeel.mover.hdfs;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.mover.core.plan.ClusterView;
import io.evenkeel.mover.core.plan.FileView;
import io.evenkeel.mover.core.plan.MovableRule;
import io.evenkeel.mover.core.plan.WantedTypes;
import io.evenkeel.mover.core.task.NameNodeState;
import io.evenkeel.mover.engine.Namespace;
import io.evenkeel.mover.request.MoveRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.SnapshottableDirectoryStatus;

/** The namespace behind one {@link HdfsConnection}, which it does not close. Thread-safe. */
public final class HdfsNamespace implements Namespace {
  private final HdfsConnection connection;
  private final LocatedFiles located;
  private final BatchedFiles batched;
  private final LiveDataNodes dataNodes;

  /** Creates it; no call is made. */
  public HdfsNamespace(HdfsConnection connection) {
    this(connection, null, new LiveDataNodes(connection));
  }

  private HdfsNamespace(HdfsConnection connection, Byte policyId, LiveDataNodes dataNodes) {
    this.connection = connection;
    this.located = new LocatedFiles(connection, policyId);
    this.batched = new BatchedFiles(connection, FILES_AT_ONCE);
    this.dataNodes = dataNodes;
  }

  @Override
  public String name() {
    return connection.nameNode().toString();
  }

  @Override
  public String pathOf(String given) {
    try {
      return connection.pathOf(new Path(given));
    } catch (IOException | CommandException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  @Override
  public Page list(String path, String startAfter) throws IOException {
    byte[] start =
        startAfter == null ? HdfsFileStatus.EMPTY_NAME : DFSUtilClient.string2Bytes(startAfter);
    DirectoryListing listing = connection.list(path, start, true);
    if (listing == null) {
      return null;
    }
    List<FileView> files = new ArrayList<>();
    Map<String, Long> directories = new LinkedHashMap<>();
    for (HdfsFileStatus status : listing.getPartialListing()) {
      if (status.isDirectory()) {
        directories.put(status.getFullName(path), status.getFileId());
      } else if (status instanceof HdfsLocatedFileStatus && !status.isSymlink()) {
        files.add(
            located.viewWithHiddenPolicy(status.getFullName(path), (HdfsLocatedFileStatus) status));
      }
    }
    if (Namespace.isInSnapshot(path + "/")) {
      judgeAsNow(files);
    }
    String last = listing.hasMore() ? DFSUtilClient.bytes2String(listing.getLastName()) : null;
    return new Page(files, directories, last);
  }

  /**
   * In a snapshot the NameNode goes by each file as it is now, where it still exists, perhaps under
   * another name and policy: it deletes what that one does not want. Asks for those that are not
   * right by the snapshot's policy.
   */
  private void judgeAsNow(List<FileView> found) throws IOException {
    List<String> asked = new ArrayList<>();
    for (FileView file : found) {
      if (!file.isRight()) {
        asked.add(MoveRequest.inode(file.inodeId()));
      }
    }
    HdfsLocatedFileStatus[] now = batched.get(asked);
    Map<Long, WantedTypes> wanted = new HashMap<>();
    for (int i = 0; i < now.length; i++) {
      if (now[i] != null) {
        FileView file = located.viewWithHiddenPolicy(asked.get(i), now[i]);
        wanted.put(file.inodeId(), file.wantedTypes());
      }
    }
    found.replaceAll(file -> file.under(wanted.getOrDefault(file.inodeId(), file.wantedTypes())));
  }

  @Override
  public List<FileView> files(List<String> paths) throws IOException {
    HdfsLocatedFileStatus[] found = batched.get(paths);
    List<FileView> files = new ArrayList<>(found.length);
    for (int i = 0; i < found.length; i++) {
      files.add(found[i] == null ? null : located.view(paths.get(i), found[i]));
    }
    return files;
  }

  @Override
  public boolean exists(String path) throws IOException {
    return connection.call("look at " + path, () -> connection.client().getFileInfo(path)) != null;
  }

  @Override
  public int filesOfOneCall() {
    return batched.ofOneCall();
  }

  @Override
  public ClusterView cluster() throws IOException {
    return dataNodes.refresh();
  }

  @Override
  public MovableRule movableRule() {
    return dataNodes.rule();
  }

  @Override
  public NameNodeState nameNode() throws IOException {
    boolean safeMode = connection.isInSafeMode();
    return new NameNodeState(safeMode, !safeMode && connection.hasMaintenance());
  }

  @Override
  public String refusal() {
    return connection.refusal();
  }

  @Override
  public Namespace withPolicy(String policy) throws IOException {
    return new HdfsNamespace(connection, connection.policies().id(policy), dataNodes);
  }

  @Override
  public List<String> glob(String pattern) throws IOException {
    Path own = new Path(connection.pathOf(new Path(pattern)));
    FileStatus[] found;
    try {
      found = connection.call("glob " + pattern, () -> connection.fileSystem().globStatus(own));
    } catch (IOException e) {
      if (HdfsErrors.isNoPattern(e)) {
        throw new IllegalArgumentException(HdfsErrors.firstLine(e), e);
      }
      throw e;
    }
    List<String> paths = new ArrayList<>();
    if (found != null) {
      for (FileStatus status : found) {
        paths.add(status.getPath().toUri().getPath());
      }
    }
    return paths;
  }

  /** Of a snapshottable directory above it, what the snapshot holds at its place. */
  @Override
  public List<String> snapshotRoots(String directory) throws IOException {
    SnapshottableDirectoryStatus[] all =
        connection.call(
            "getSnapshottableDirListing", () -> connection.client().getSnapshottableDirListing());
    List<String> roots = new ArrayList<>();
    if (all == null) {
      return roots;
    }
    for (SnapshottableDirectoryStatus status : all) {
      String path = status.getFullPath().toUri().getPath();
      if (isAtOrBelow(path, directory)) {
        roots.addAll(snapshots(path));
      } else if (isAtOrBelow(directory, path)) {
        String rest = directory.substring(Path.SEPARATOR.equals(path) ? 0 : path.length());
        for (String snapshot : snapshots(path)) {
          if (exists(snapshot + rest)) {
            roots.add(snapshot + rest);
          }
        }
      }
    }
    return roots;
  }

  private static boolean isAtOrBelow(String path, String directory) {
    return path.equals(directory) || path.startsWith(withSlash(directory));
  }

  private static String withSlash(String path) {
    return path.endsWith(Path.SEPARATOR) ? path : path + Path.SEPARATOR;
  }

  private List<String> snapshots(String directory) throws IOException {
    String parent = withSlash(directory) + HdfsConstants.DOT_SNAPSHOT_DIR;
    List<String> found = new ArrayList<>();
    byte[] start = HdfsFileStatus.EMPTY_NAME;
    while (start != null) {
      DirectoryListing page = connection.list(parent, start, false);
      for (HdfsFileStatus status : HdfsConnection.entries(page)) {
        found.add(status.getFullName(parent));
      }
      start = page != null && page.hasMore() ? page.getLastName() : null;
    }
    return found;
  }
}
