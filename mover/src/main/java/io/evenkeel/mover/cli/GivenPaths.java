package io.evenkeel.mover.cli;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.mover.hdfs.HdfsConnection;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.FileReport;
import io.evenkeel.mover.request.MoveReport;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/**
 * All that a command line names, by namespace: its own paths and globs, the paths of local lists
 * and those of standard input. Read to the end, so that nothing is moved when a list is bad. Not
 * thread-safe. Separate from the run, which begins when all is read.
 */
final class GivenPaths {
  /** What is named of one namespace. */
  static final class Share {
    final List<String> paths = new ArrayList<>();
    final List<String> globs = new ArrayList<>();
  }

  private final Configuration conf;
  private final Map<String, URI> namenodes = new HashMap<>(); // by authority
  private final Map<URI, Share> shares = new LinkedHashMap<>();
  private final MoveReport.Builder bad = new MoveReport.Builder();

  private GivenPaths(Configuration conf) {
    this.conf = conf;
  }

  /**
   * Reads them all.
   *
   * @param conf whose {@code fs.defaultFS} is for paths that name no NameNode
   * @throws CommandException naming the list and the line that is bad, the list or the standard
   *     input that holds no path, or the path that is not of HDFS
   */
  static GivenPaths read(MoverOptions options, InputStream input, Configuration conf)
      throws IOException {
    GivenPaths given = new GivenPaths(conf);
    for (String text : options.given()) {
      NamedPath path = NamedPath.parse(text);
      Share share = given.share(path);
      (path.isGlob() ? share.globs : share.paths).add(path.path());
    }
    for (String list : options.files()) {
      given.addList(list);
    }
    if (options.readsStandardInput()) {
      // not closed: it is not ours
      given.addLines(new BufferedReader(new InputStreamReader(input, StandardCharsets.UTF_8)), "");
      if (given.shares.isEmpty() && given.bad().fileCount() == 0) {
        throw new CommandException(ExitCode.USAGE, "standard input holds no path");
      }
    }
    return given;
  }

  /** By the namespace's URI. */
  Map<URI, Share> shares() {
    return shares;
  }

  /** The lines of standard input that are no paths. */
  MoveReport bad() {
    return bad.build();
  }

  private void addList(String list) throws IOException {
    try (BufferedReader reader = open(list)) {
      if (!addLines(reader, list)) {
        throw new CommandException(ExitCode.USAGE, "-f: " + list + " holds no path");
      }
    } catch (IOException e) {
      throw new CommandException(
          ExitCode.COULD_NOT_RUN, "-f: " + list + " cannot be read: " + e, e);
    }
  }

  private static BufferedReader open(String list) throws IOException {
    Path file = Paths.get(list);
    if (Files.isDirectory(file)) {
      throw new CommandException(ExitCode.USAGE, "-f: " + list + " is a directory");
    }
    try {
      // a name that is no UTF-8 is an error, not another name
      return Files.newBufferedReader(file, StandardCharsets.UTF_8);
    } catch (NoSuchFileException e) {
      throw new CommandException(ExitCode.NO_SUCH_PATH, "-f: there is no local file " + list, e);
    } catch (AccessDeniedException e) {
      throw new CommandException(ExitCode.DENIED, "-f: " + list + " may not be read", e);
    }
  }

  /**
   * Adds the paths of a list, one a line; blank lines and those that start with {@code #} are left
   * out, blanks around a path belong to it.
   *
   * @param list its name, empty for standard input
   * @return whether there was a path, good or bad
   */
  private boolean addLines(BufferedReader reader, String list) throws IOException {
    boolean any = false;
    String line;
    for (long number = 1; (line = reader.readLine()) != null; number++) {
      if (!line.trim().isEmpty() && !line.startsWith("#")) {
        any = true;
        NamedPath path = parse(line, list, number);
        if (path != null) {
          share(path).paths.add(path.path());
        }
      }
    }
    return any;
  }

  /** The path of a line; null for a bad one of standard input, which is a file that failed. */
  private NamedPath parse(String line, String list, long number) {
    try {
      return NamedPath.parse(line);
    } catch (CommandException e) {
      if (!list.isEmpty()) {
        String where = list + " line " + number + ": ";
        throw new CommandException(e.exitCode(), where + e.getMessage(), e);
      }
      String reason = "line " + number + " of standard input: " + e.getMessage();
      bad.add(FileReport.of(line, FileOutcome.FAILED, reason));
      return null;
    }
  }

  private Share share(NamedPath path) {
    URI namenode = namenodes.computeIfAbsent(path.authority(), any -> namenode(path));
    return shares.computeIfAbsent(namenode, any -> new Share());
  }

  /** The namespace of a path, in one spelling. */
  private URI namenode(NamedPath path) {
    String authority = path.authority();
    if (authority.isEmpty()) {
      URI defaultFs = FileSystem.getDefaultUri(conf);
      if (!"hdfs".equalsIgnoreCase(defaultFs.getScheme()) || defaultFs.getAuthority() == null) {
        throw new CommandException(
            ExitCode.USAGE,
            "'"
                + path.path()
                + "' names no NameNode and fs.defaultFS is "
                + defaultFs
                + "; give hdfs://authority"
                + path.path());
      }
      authority = defaultFs.getAuthority();
    }
    try {
      return HdfsConnection.normal(conf, URI.create("hdfs://" + authority));
    } catch (IllegalArgumentException e) {
      throw new CommandException(
          ExitCode.USAGE, "'hdfs://" + authority + path.path() + "' names no NameNode", e);
    }
  }
}
