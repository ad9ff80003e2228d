package io.evenkeel.cli.datanodes.core;

import io.evenkeel.cli.core.Finding;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Notes what is found where, and makes one finding of each kind. Confined to one thread. */
public final class FindingNotes {
  /** What kinds there are; the names in lower case with hyphens are API. Worst first. */
  public enum Kind {
    /** A rule of the locks was broken: a fault of the plugin. */
    BROKEN_RULE,
    /** A lock is held for longer than the DataNode calls slow. */
    SLOW_HOLDER,
    /** The free space of a volume cannot be read. */
    FAILING,
    /** A device completes nothing. */
    HUNG,
    /** A volume is set aside for its latency, or on probation. */
    EJECTED,
    /** The plugin is loaded and lets stock do it. */
    FALLBACK,
    /** Some DataNodes have the plugin and others have not. */
    PARTIAL,
    /** A daemon did not answer, or a DataNode is dead for the NameNode. */
    INCOMPLETE
  }

  private static final int EXAMPLES = 5;

  private final Map<Kind, Set<String>> found = new EnumMap<>(Kind.class);

  /** Notes a place, or a place and more in words. */
  public void note(Kind kind, String where) {
    found.computeIfAbsent(kind, k -> new LinkedHashSet<>()).add(where);
  }

  /**
   * Notes who did not answer.
   *
   * @param missing daemons that could not be asked, one line each
   */
  public void noteIncomplete(List<? extends DataNodeAnswer> dataNodes, List<String> missing) {
    for (DataNodeAnswer dataNode : dataNodes) {
      if (!dataNode.hasAnswered()) {
        note(Kind.INCOMPLETE, dataNode.address() + " did not answer");
      }
    }
    missing.forEach(line -> note(Kind.INCOMPLETE, line));
  }

  /**
   * The findings, worst first.
   *
   * @param begin what the message of a kind begins with; may be empty
   * @param separator stands between two places
   */
  public List<Finding> list(Function<Kind, String> begin, String separator) {
    List<Finding> findings = new ArrayList<>();
    found.forEach(
        (kind, where) ->
            findings.add(new Finding(kind, begin.apply(kind) + examples(where, separator))));
    return findings;
  }

  private static String examples(Set<String> all, String separator) {
    List<String> shown = new ArrayList<>(all);
    int more = shown.size() - EXAMPLES;
    return more <= 0
        ? String.join(separator, shown)
        : String.join(separator, shown.subList(0, EXAMPLES)) + " and " + more + " more";
  }
}
