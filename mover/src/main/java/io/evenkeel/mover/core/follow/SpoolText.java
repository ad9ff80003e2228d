package io.evenkeel.mover.core.follow;

import io.evenkeel.mover.request.FileReport;
import io.evenkeel.mover.request.MoveReport;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

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
    List<FileReport> left = report == null ? Collections.emptyList() : unsatisfied(report);
    String others = report == null ? "failed" : ofOthers(report, left);
    List<String> lines = new ArrayList<>();
    paths.forEach(
        (path, refused) ->
            lines.add(
                path
                    + "\t"
                    + (refused.isEmpty() ? result(path, left, others) : "refused: " + refused)));
    return lines;
  }

  private static List<FileReport> unsatisfied(MoveReport report) {
    return report.listed().stream()
        .filter(file -> !file.outcome().isSatisfied())
        .collect(Collectors.toList());
  }

  private static String result(String path, List<FileReport> unsatisfied, String others) {
    List<FileReport> here =
        unsatisfied.stream()
            .filter(file -> Prefixes.isWithin(file.path(), path))
            .collect(Collectors.toList());
    return here.isEmpty() ? others : "not satisfied, " + here.size() + ": " + here.get(0);
  }

  /** Of paths without a listed file: not all that is unsatisfied may be listed. */
  private static String ofOthers(MoveReport report, List<FileReport> unsatisfied) {
    for (FileReport file : unsatisfied) {
      if (file.path().isEmpty()) { // about the request as a whole
        return "not known: " + file.reason();
      }
      if (Prefixes.isWithin(file.path(), "/.reserved")) {
        return "not known: " + file; // it was renamed, or a directory above it, meanwhile
      }
    }
    long more = report.fileCount() - report.satisfiedCount() - unsatisfied.size();
    return more == 0 ? "satisfied" : "not known: " + more + " files more are not satisfied";
  }
}
