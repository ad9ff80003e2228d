package io.evenkeel.mover.cli;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A path as somebody wrote it: its NameNode, if it names one, and the path itself. Immutable. */
final class NamedPath {
  private static final Pattern WITH_SCHEME =
      Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*):(//([^/]*))?(.*)", Pattern.DOTALL);
  private static final Pattern WILD = Pattern.compile("[*?\\[{]");

  private final String authority;
  private final String path;

  private NamedPath(String authority, String path) {
    this.authority = authority;
    this.path = path;
  }

  /**
   * Reads a path.
   *
   * @throws CommandException as a usage error naming the text: empty, relative, of another file
   *     system, or with {@code .} or {@code ..} in it
   */
  static NamedPath parse(String text) {
    if (text.isEmpty()) {
      throw bad("a path is empty");
    }
    if (text.startsWith("/")) {
      return new NamedPath("", clean(text, text));
    }
    Matcher m = WITH_SCHEME.matcher(text);
    if (!m.matches()) {
      throw bad("'" + text + "' is relative; give an absolute path");
    }
    if (!m.group(1).equalsIgnoreCase("hdfs")) {
      throw bad("'" + text + "' is not a path of HDFS; give hdfs://authority/path");
    }
    if (!m.group(4).startsWith("/")) {
      throw bad("'" + text + "' has no absolute path; give hdfs://authority/path");
    }
    return new NamedPath(m.group(3) == null ? "" : m.group(3), clean(m.group(4), text));
  }

  private static String clean(String path, String text) {
    String clean = path.replaceAll("/{2,}", "/");
    if ((clean + "/").contains("/../") || (clean + "/").contains("/./")) {
      throw bad("'" + text + "' has a part . or ..");
    }
    return clean.length() > 1 && clean.endsWith("/")
        ? clean.substring(0, clean.length() - 1)
        : clean;
  }

  private static CommandException bad(String message) {
    return new CommandException(ExitCode.USAGE, message);
  }

  /** The NameNode's address or the name service, empty for that of {@code fs.defaultFS}. */
  String authority() {
    return authority;
  }

  /** Absolute, without repeated slashes and without one at the end. */
  String path() {
    return path;
  }

  /** Whether it has a wildcard. */
  boolean isGlob() {
    return WILD.matcher(path).find();
  }
}
