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
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * All that a command line names, by namespace: its own paths and globs, the paths of local lists
 * and those of standard input. Read to the end, so that nothing is moved when a list is bad, and
 * apart from the run for the same reason: it has no mover. Not thread-safe.
 */
final class GivenPaths {
  private static final String HDFS = "hdfs";
  private static final Pattern WILDCARD = Pattern.compile("[*?\\[{]");

  /** What is named of one namespace. */
  static final class Share {
    final List<String> paths = new ArrayList<>();
    final List<String> globs = new ArrayList<>();
  }

  private final Configuration conf;
  private final Map<URI, Share> shares = new LinkedHashMap<>();
  private final MoveReport.Builder bad = new MoveReport.Builder();

  private GivenPaths(Configuration conf) {
    this.conf = conf;
  }

  /**
   * Reads them all; standard input is closed.
   *
   * @param conf whose {@code fs.defaultFS} is for paths that name no NameNode
   * @throws CommandException naming the list and the line that is bad, the list that holds no path,
   *     or the path that is not of HDFS
   */
  static GivenPaths read(MoverOptions options, InputStream standardInput, Configuration conf) {
    GivenPaths given = new GivenPaths(conf);
    options.paths.forEach(path -> given.add(path, true));
    options.lists.forEach(list -> given.addList(list, standardInput));
    return given;
  }

  /** By the URI of the namespace, each in one spelling. */
  Map<URI, Share> shares() {
    return shares;
  }

  /** The lines of standard input that are no paths. */
  MoveReport bad() {
    return bad.build();
  }

  /**
   * Adds the paths of a list, one a line; blank lines and those that start with {@code #} are left
   * out, blanks around a path belong to it. A name that is not UTF-8 is an error, not another name.
   */
  private void addList(String list, InputStream standardInput) {
    boolean isStandardInput = list.equals(MoverOptions.STANDARD_INPUT);
    String name = isStandardInput ? "standard input" : "-f: " + list;
    boolean any = false;
    try (InputStream bytes =
            isStandardInput ? standardInput : Files.newInputStream(Paths.get(list));
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(bytes, StandardCharsets.UTF_8.newDecoder()))) {
      String line;
      for (long number = 1; (line = lines.readLine()) != null; number++) {
        if (!line.trim().isEmpty() && !line.startsWith("#")) {
          any = true;
          addLine(line, name + " line " + number + ": ", isStandardInput);
        }
      }
    } catch (NoSuchFileException e) {
      throw new CommandException(ExitCode.NO_SUCH_PATH, "-f: there is no local file " + list, e);
    } catch (AccessDeniedException e) {
      throw new CommandException(ExitCode.DENIED, name + " may not be read", e);
    } catch (CharacterCodingException e) {
      throw new CommandException(
          ExitCode.COULD_NOT_RUN, name + " cannot be read: it is not text in UTF-8", e);
    } catch (IOException e) {
      throw new CommandException(
          ExitCode.COULD_NOT_RUN, name + " cannot be read: " + e.getMessage(), e);
    }
    if (!any) {
      throw new CommandException(ExitCode.USAGE, name + " holds no path");
    }
  }

  /** Adds a path; a bad one of standard input is a file that failed. */
  private void addLine(String line, String where, boolean isStandardInput) {
    try {
      add(line, false);
    } catch (CommandException e) {
      String reason = where + e.getMessage();
      if (!isStandardInput) {
        throw new CommandException(e.exitCode(), reason, e);
      }
      bad.add(FileReport.of(line, FileOutcome.FAILED, reason));
    }
  }

  private void add(String text, boolean mayBeGlob) {
    try {
      URI uri = new Path(text.replaceFirst("^/+", "/")).toUri(); // two would begin an authority
      require(uri.getPath().startsWith("/"), "is not an absolute path");
      String scheme = uri.getScheme() == null ? HDFS : uri.getScheme();
      require(scheme.equals(HDFS), "is not in HDFS; give hdfs://authority/path");
      URI namenode = uri.getAuthority() == null ? FileSystem.getDefaultUri(conf) : uri;
      require(
          HDFS.equals(namenode.getScheme()) && namenode.getAuthority() != null,
          "names no NameNode and fs.defaultFS is " + namenode + "; give hdfs://authority/path");
      Share share =
          shares.computeIfAbsent(HdfsConnection.normal(conf, namenode), any -> new Share());
      boolean isGlob = mayBeGlob && WILDCARD.matcher(uri.getPath()).find();
      (isGlob ? share.globs : share.paths).add(uri.getPath());
    } catch (IllegalArgumentException e) { // of Path and URI too
      throw new CommandException(ExitCode.USAGE, "'" + text + "' " + e.getMessage(), e);
    }
  }

  private static void require(boolean good, String problem) {
    if (!good) {
      throw new IllegalArgumentException(problem);
    }
  }
}
