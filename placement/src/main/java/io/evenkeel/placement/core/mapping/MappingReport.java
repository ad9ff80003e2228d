package io.evenkeel.placement.core.mapping;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a site's mapping says of a list of hosts: which of them have no usable location, how many
 * levels there are, and which node-group names several racks use. Immutable and thread-safe.
 */
public final class MappingReport {
  private final int hosts;
  private final Map<Finding, Integer> counts;
  private final SortedMap<Integer, Integer> depths;
  private final SortedMap<String, SortedSet<String>> repeated;
  private final List<String> problems;

  private MappingReport(Builder from) {
    this.hosts = from.hosts;
    this.counts = from.counts;
    this.depths = Collections.unmodifiableSortedMap(from.depths);
    this.repeated = new TreeMap<>();
    from.racks.forEach(
        (group, racks) -> {
          if (racks.size() > 1) {
            repeated.put(group, Collections.unmodifiableSortedSet(racks));
          }
        });
    this.problems = Collections.unmodifiableList(from.problems);
  }

  /**
   * Judges a list of hosts.
   *
   * @param said what the site said of each host, null when nothing, in the order of the report
   */
  public static MappingReport of(MappingRules rules, Map<String, String> said) {
    Builder builder = new Builder();
    said.forEach((host, location) -> builder.add(rules, host, location));
    return new MappingReport(builder);
  }

  /** Number of hosts judged. */
  public int hosts() {
    return hosts;
  }

  /** How many hosts have this finding. */
  public int count(Finding finding) {
    return counts.getOrDefault(finding, 0);
  }

  /** Number of hosts by the number of levels the site gave them; hosts without any left out. */
  public SortedMap<Integer, Integer> depths() {
    return depths;
  }

  /** Node-group names that more than one rack uses, with those racks. Allowed. */
  public SortedMap<String, SortedSet<String>> repeatedGroups() {
    return Collections.unmodifiableSortedMap(repeated);
  }

  /** One text per host that has no usable location, in the order of the list. */
  public List<String> problems() {
    return problems;
  }

  /** The first problems on one line, at most {@code most} of them, and how many more there are. */
  public String firstProblems(int most) {
    int shown = Math.min(most, problems.size());
    String text = String.join(", ", problems.subList(0, shown));
    return shown == problems.size() ? text : text + " and " + (problems.size() - shown) + " more";
  }

  private static final class Builder {
    private int hosts;
    private final Map<Finding, Integer> counts = new EnumMap<>(Finding.class);
    private final SortedMap<Integer, Integer> depths = new TreeMap<>();
    private final SortedMap<String, SortedSet<String>> racks = new TreeMap<>();
    private final List<String> problems = new ArrayList<>();

    void add(MappingRules rules, String host, String said) {
      hosts++;
      Finding finding = rules.find(said);
      counts.merge(finding, 1, Integer::sum);
      NetworkLocation location = NetworkLocation.parse(said).orElse(null);
      if (location != null) {
        depths.merge(location.depth(), 1, Integer::sum);
      }
      if (finding == Finding.KNOWN) {
        racks
            .computeIfAbsent(location.last(), group -> new TreeSet<>())
            .add(location.parent().toString());
      } else {
        problems.add(
            host + " -> " + (said == null ? "nothing" : said) + " (" + finding.text() + ")");
      }
    }
  }
}
