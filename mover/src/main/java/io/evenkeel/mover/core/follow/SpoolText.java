package io.evenkeel.mover.core.follow;

import io.evenkeel.mover.request.FileReport;
import io.evenkeel.mover.request.MoveReport;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a file of the spool directory asks for, as the journal keeps it: name and owner in the first
 * line, then a line per path with {@code +}, or with {@code -}, a tab and the reason when it was
 * refused. Immutable.
 */
public final class SpoolText {
  private final String name;
  private final String owner;
  private final Map<String, String> paths;

  /**
   * Creates it.
   *
   * @param name of the file, without its directory
   * @param owner of the file
   * @param paths why a path was refused, or the empty text for those accepted
   */
  public SpoolText(String name, String owner, Map<String, String> paths) {
    this.name = name;
    this.owner = owner;
    this.paths = Collections.unmodifiableMap(new LinkedHashMap<>(paths));
  }

  /** Reads what {@link #format} wrote. */
  public static SpoolText parse(String text) {
    List<String> lines = Arrays.asList(text.split("\n", -1));
    String[] first = lines.get(0).split("\t", -1);
    Map<String, String> paths = new LinkedHashMap<>();
    for (String line : lines.subList(1, lines.size())) {
      int tab = line.indexOf('\t');
      if (line.startsWith("+")) {
        paths.put(line.substring(1), "");
      } else if (tab > 0) {
        paths.put(line.substring(1, tab), line.substring(tab + 1));
      }
    }
    return new SpoolText(first[0], first.length > 1 ? first[1] : "", paths);
  }

  /** As the journal keeps it. */
  public String format() {
    StringBuilder text = new StringBuilder(name).append('\t').append(owner);
    paths.forEach(
        (path, refused) -> {
          text.append('\n').append(refused.isEmpty() ? '+' : '-').append(path);
          text.append(refused.isEmpty() ? "" : "\t" + refused);
        });
    return text.toString();
  }

  /** Name of the file. */
  public String name() {
    return name;
  }

  /** Owner of the file. */
  public String owner() {
    return owner;
  }

  /** Paths to move. */
  public List<String> accepted() {
    List<String> accepted = new ArrayList<>();
    paths.forEach(
        (path, refused) -> {
          if (refused.isEmpty()) {
            accepted.add(path);
          }
        });
    return accepted;
  }

  /** One line per path: the path, a tab, and what became of it. */
  public List<String> results(MoveReport report) {
    List<String> lines = new ArrayList<>();
    paths.forEach(
        (path, refused) ->
            lines.add(
                path + "\t" + (refused.isEmpty() ? result(path, report) : "refused: " + refused)));
    return lines;
  }

  private static String result(String path, MoveReport report) {
    if (report == null) {
      return "failed";
    }
    long unsatisfied = 0;
    FileReport first = null;
    for (FileReport file : report.listed()) {
      if (!file.outcome().isSatisfied() && Prefixes.isWithin(file.path(), path)) {
        unsatisfied++;
        first = first == null ? file : first;
      }
    }
    if (first != null) {
      return "not satisfied, " + unsatisfied + ": " + first;
    }
    return unknown(report);
  }

  /** What to say of a path without a listed file: not all that is unsatisfied may be listed. */
  private static String unknown(MoveReport report) {
    long listed = 0;
    for (FileReport file : report.listed()) {
      if (!file.outcome().isSatisfied()) {
        listed++;
        if (file.path().isEmpty()) { // about the request as a whole
          return "not known: " + file.reason();
        }
        if (Prefixes.isWithin(file.path(), "/.reserved")) {
          return "not known: " + file; // it was renamed, or a directory above it, meanwhile
        }
      }
    }
    long more = report.fileCount() - report.satisfiedCount() - listed;
    return more == 0 ? "satisfied" : "not known: " + more + " files more are not satisfied";
  }
}
