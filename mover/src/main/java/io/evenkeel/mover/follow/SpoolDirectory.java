package io.evenkeel.mover.follow;

import io.evenkeel.mover.core.follow.Journal;
import io.evenkeel.mover.core.follow.QueuedRequest;
import io.evenkeel.mover.core.follow.RequestKind;
import io.evenkeel.mover.core.follow.SpoolText;
import io.evenkeel.mover.hdfs.HdfsErrors;
import io.evenkeel.mover.request.MoveReport;
import java.io.BufferedReader;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files by which users without rights of their own ask for paths, one a line. The owner of the file
 * is the one who asks, see {@link Access}. {@link #run} is for one thread, {@link #finish} for
 * others.
 */
final class SpoolDirectory implements ActiveDaemon.Work {
  static final String RESULT = ".done";

  private static final Logger LOG = LoggerFactory.getLogger(SpoolDirectory.class);
  private static final FsPermission ANYBODY_STICKY = new FsPermission((short) 01777);
  private static final long EVERY_MS = 2_000;
  private static final long LARGEST = Journal.MAX_TEXT / 4;
  private static final int LONGEST_NAME = 200; // bytes, of the 255 HDFS allows
  private static final Map<String, String> TOO_MUCH =
      Collections.singletonMap("", "the file asks for too many paths that are refused");

  private final ActiveDaemon daemon;
  private final DistributedFileSystem fs;
  private final Path directory;
  private final Problems problems = new Problems();

  SpoolDirectory(ActiveDaemon daemon, DistributedFileSystem fs, Path directory) {
    this.daemon = daemon;
    this.fs = fs;
    this.directory = directory;
  }

  @Override
  public void run() throws IOException, InterruptedException {
    do {
      problems.nextRound();
      collect();
    } while (!daemon.awaitEnd(EVERY_MS));
  }

  /** Journals the requests of all finished files and removes the files. */
  private void collect() throws IOException {
    for (FileStatus file : files()) {
      if (daemon.hasEnded() || !daemon.hasRoom()) {
        return; // it waits where it is
      }
      boolean may =
          !file.getOwner().isEmpty() && mayBeAnswered(file.getPath().getName(), file.getOwner());
      SpoolText text = may ? read(file) : null; // reading asks the NameNode for each path
      if (text != null) {
        take(file, text);
      }
    }
  }

  /** It may last for days, and any user may bring it about. */
  private void warn(String what, IOException e) {
    String line = what + ": " + Problems.line(e);
    if (problems.isNew(line) && !daemon.hasEnded()) { // else interrupted in a call
      LOG.warn("{}", line);
    }
  }

  private void take(FileStatus file, SpoolText text) throws IOException {
    if (text.accepted().isEmpty()) {
      try {
        write(text, null);
      } catch (IOException e) {
        warn(file.getPath() + " is not answered", e);
        return;
      }
    } else {
      daemon.add(RequestKind.SPOOL, text.format());
      daemon.sync();
    }
    try {
      fs.delete(file.getPath(), false);
    } catch (IOException e) {
      warn(file.getPath() + " could not be removed and will be read again", e);
    }
  }

  /** What somebody else was told under the same name is not replaced; the request waits. */
  private boolean mayBeAnswered(String name, String owner) {
    Path result = new Path(directory, name + RESULT);
    try {
      FileStatus there = fs.getFileStatus(result);
      return there.isFile() && there.getOwner().equals(owner);
    } catch (FileNotFoundException e) {
      return true;
    } catch (IOException e) {
      warn(result + " cannot be checked", e);
      return false;
    }
  }

  private FileStatus[] files() {
    try {
      FileStatus[] found = fs.listStatus(directory, path -> isName(path.getName()));
      if (found.length == 1 && pathOf(found[0]).equals(directory.toUri().getPath())) {
        throw new IOException("it is a file and no directory"); // listed as what is in it
      }
      return found;
    } catch (FileNotFoundException e) {
      makeDirectory();
    } catch (IOException e) {
      warn(directory + " cannot be listed", e);
    }
    return new FileStatus[0];
  }

  private static String pathOf(FileStatus file) {
    return file.getPath().toUri().getPath();
  }

  /** Whether it is a request whose name can be journalled, and a result can be called after it. */
  private static boolean isName(String name) {
    return !name.startsWith(".")
        && !name.startsWith("_")
        && !name.endsWith(RESULT)
        && !name.endsWith(".tmp")
        && name.chars().noneMatch(Character::isISOControl)
        && name.getBytes(StandardCharsets.UTF_8).length <= LONGEST_NAME;
  }

  /** With its permission at once: one that is there is not given another. */
  private void makeDirectory() {
    try {
      fs.mkdirs(directory.getParent());
      fs.getClient().primitiveMkdir(directory.toUri().getPath(), ANYBODY_STICKY, false);
      if (!fs.getFileStatus(directory).getPermission().equals(ANYBODY_STICKY)) {
        fs.setPermission(directory, ANYBODY_STICKY); // a default ACL of the parent took some away
      }
    } catch (IOException e) {
      warn(directory + " cannot be created", e);
    }
  }

  /** The paths of a file and which of them its owner may ask for; null when it is not ready. */
  private SpoolText read(FileStatus file) {
    Path path = file.getPath();
    try {
      if (!file.isFile() || !fs.isFileClosed(path)) {
        return null;
      }
      Map<String, String> paths =
          file.getLen() > LARGEST
              ? Collections.singletonMap("", "the file is larger than " + LARGEST + " bytes")
              : paths(file);
      SpoolText text = new SpoolText(path.getName(), file.getOwner(), paths);
      // with the reasons of what is refused it may have become longer than what can be journalled
      return text.format().getBytes(StandardCharsets.UTF_8).length <= Journal.MAX_TEXT
          ? text
          : new SpoolText(path.getName(), file.getOwner(), TOO_MUCH);
    } catch (IOException e) {
      warn(path + " cannot be read", e);
      return null;
    }
  }

  private Map<String, String> paths(FileStatus file) throws IOException {
    Map<String, String> paths = new LinkedHashMap<>();
    Access access = new Access(fs, file.getOwner());
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(fs.open(file.getPath()), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String asked = line.trim().replace('\t', ' ');
        if (!asked.isEmpty()) {
          String refusal = access.refusal(asked);
          // reports name paths as HDFS does
          paths.put(refusal.isEmpty() ? new Path(asked).toUri().getPath() : asked, refusal);
        }
      }
    }
    return paths;
  }

  /** Leaves the result beside the request. */
  void finish(QueuedRequest request, MoveReport report) throws IOException {
    write(SpoolText.parse(request.text()), report);
  }

  private void write(SpoolText text, MoveReport report) throws IOException {
    Path result = new Path(directory, text.name() + RESULT);
    if (!mayBeAnswered(text.name(), text.owner())) {
      throw new IOException(result + " is not a file of " + text.owner());
    }
    // of a name that nobody can have taken before
    Path temporary = new Path(directory, "." + UUID.randomUUID() + ".tmp");
    try {
      create(fs, temporary, String.join("\n", text.results(report)) + "\n");
      fs.setOwner(temporary, text.owner(), null);
      fs.rename(temporary, result, Options.Rename.OVERWRITE);
    } catch (IOException | RuntimeException e) {
      fs.delete(temporary, false);
      throw e;
    }
  }

  /** Makes a file with a text. */
  static void create(DistributedFileSystem fs, Path path, String text) throws IOException {
    FSDataOutputStream out = fs.createFile(path).replicate().build();
    try {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    } finally {
      out.close(); // throws the same exception again, which cannot suppress itself
    }
  }

  /**
   * Whether a user may ask for a path: may read and write it by its owner, group or other bits, and
   * go through all its parents. Groups are those this machine knows for the name. Where an access
   * control list exists the group bits are only a mask, so there the owner alone may; that refuses
   * some whom HDFS would let in, and lets nobody in whom HDFS would refuse. Not thread-safe.
   */
  private static final class Access {
    private final DistributedFileSystem fs;
    private final String user;
    private final Set<String> groups;
    private final Set<Path> passable = new HashSet<>();

    Access(DistributedFileSystem fs, String user) {
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
        if (target.getName().equals(".snapshot")) {
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
}
