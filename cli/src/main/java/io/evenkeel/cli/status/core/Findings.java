package io.evenkeel.cli.status.core;

import io.evenkeel.cli.core.Finding;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Compares what daemons of one role said.
 *
 * <p>NameNodes are compared only with those of the same block pool, where a difference means that a
 * failover changes behaviour; all others with every daemon of their role. Separate from {@link
 * ClusterReport}, which shows what is found here. Stateless.
 */
final class Findings {
  /** What kinds there are; the names in lower case with hyphens are API. */
  private enum Kind {
    /** One plugin in several versions on daemons of one role. */
    MIXED_VERSION,
    /** One plugin with several settings on daemons of one role. */
    MIXED_SETTINGS,
    /** One plugin active here and not there. */
    MIXED_STATE,
    /** A plugin on some daemons of a role but not on all. */
    PARTIAL,
    /** A plugin that lets stock decide, against the wish of who has set its key. */
    FALLBACK,
    /** A NameNode without a live DataNode. */
    NO_DATANODES,
    /** NameNodes of one namespace that differ: a failover would change behaviour. */
    HA_DIFFERS,
    /** What a plugin itself says is wrong with its configuration or its surroundings. */
    PLUGIN,
    /** Some daemons did not answer. */
    INCOMPLETE
  }

  private static final int EXAMPLES = 3;

  private Findings() {}

  /**
   * All findings, those on plugins first.
   *
   * @param reports one per daemon asked
   * @param dead DataNodes the NameNode calls dead, which were not asked
   */
  static List<Finding> of(List<DaemonReport> reports, Set<String> dead) {
    Map<String, List<DaemonReport>> groups = new TreeMap<>();
    List<DaemonReport> silent = new ArrayList<>();
    for (DaemonReport report : reports) {
      if (report.hasAnswered()) {
        String group = report.daemon().role() + "\n" + report.identity().blockPool();
        groups.computeIfAbsent(group, g -> new ArrayList<>()).add(report);
      } else {
        silent.add(report);
      }
    }
    List<Finding> findings = new ArrayList<>();
    groups.values().forEach(group -> compare(group, findings));
    noDataNodes(reports, dead, findings);
    if (!silent.isEmpty()) {
      findings.add(incomplete(silent.size() + " did not answer", addresses(silent)));
    }
    if (!dead.isEmpty()) {
      findings.add(incomplete(dead.size() + " dead, says the NameNode, and not asked", dead));
    }
    return findings;
  }

  private static void noDataNodes(
      List<DaemonReport> reports, Set<String> dead, List<Finding> findings) {
    Set<String> nameNodes = new LinkedHashSet<>();
    boolean live = false;
    for (DaemonReport report : reports) {
      if (report.hasAnswered() && Daemon.NAMENODE.equals(report.daemon().role())) {
        nameNodes.add(report.daemon().name());
      }
      live |= Daemon.DATANODE.equals(report.daemon().role());
    }
    if (!nameNodes.isEmpty() && !live) {
      findings.add(
          new Finding(
              Kind.NO_DATANODES,
              (dead.isEmpty() ? "no DataNode has registered" : "no DataNode is live")
                  + ", says "
                  + examples(nameNodes)));
    }
  }

  private static Finding incomplete(String what, Set<String> addresses) {
    return new Finding(Kind.INCOMPLETE, what + ": " + examples(addresses));
  }

  private static void compare(List<DaemonReport> group, List<Finding> findings) {
    Set<String> titles = new TreeSet<>();
    for (DaemonReport report : group) {
      report.plugins().forEach(plugin -> titles.add(plugin.title()));
    }
    for (String title : titles) {
      List<DaemonReport> having = new ArrayList<>();
      Set<String> lacking = new LinkedHashSet<>();
      for (DaemonReport report : group) {
        if (report.plugin(title) == null) {
          lacking.add(report.daemon().name());
        } else {
          having.add(report);
        }
      }
      Comparison comparison = new Comparison(title, having, findings);
      if (!lacking.isEmpty()) {
        comparison.add(
            Kind.PARTIAL, "on " + examples(addresses(having)) + " but not on " + examples(lacking));
      }
      comparison.ownFindings();
      comparison.fallback();
      comparison.by(Kind.MIXED_VERSION, "version ", PluginReport::version);
      comparison.by(Kind.MIXED_STATE, "", PluginReport::state);
      comparison.bySettings();
    }
  }

  private static Set<String> addresses(List<DaemonReport> reports) {
    Set<String> addresses = new LinkedHashSet<>();
    reports.forEach(report -> addresses.add(report.daemon().name()));
    return addresses;
  }

  private static String examples(Set<String> addresses) {
    List<String> shown = new ArrayList<>(addresses);
    int more = shown.size() - EXAMPLES;
    return more <= 0
        ? String.join(", ", shown)
        : String.join(", ", shown.subList(0, EXAMPLES)) + " and " + more + " more";
  }

  /** One plugin on the daemons that have it. */
  private static final class Comparison {
    private final String title;
    private final List<DaemonReport> having;
    private final List<Finding> findings;

    Comparison(String title, List<DaemonReport> having, List<Finding> findings) {
      this.title = title;
      this.having = having;
      this.findings = findings;
    }

    void by(Kind kind, String what, Function<PluginReport, String> value) {
      Map<String, Set<String>> where = new LinkedHashMap<>();
      for (DaemonReport report : having) {
        where
            .computeIfAbsent(value.apply(report.plugin(title)), v -> new LinkedHashSet<>())
            .add(report.daemon().name());
      }
      if (where.size() > 1) {
        List<String> parts = new ArrayList<>();
        where.forEach((v, addresses) -> parts.add(what + v + " on " + examples(addresses)));
        add(kind, String.join("; ", parts));
      }
    }

    /** One for each sentence, with the daemons that say it. */
    void ownFindings() {
      Map<String, Set<String>> where = new LinkedHashMap<>();
      for (DaemonReport report : having) {
        for (String sentence : report.plugin(title).findings()) {
          where.computeIfAbsent(sentence, s -> new LinkedHashSet<>()).add(report.daemon().name());
        }
      }
      where.forEach(
          (sentence, addresses) ->
              findings.add(
                  new Finding(
                      Kind.PLUGIN, title + ": " + sentence + "; on " + examples(addresses))));
    }

    /** One for each reason, with the daemons that give it. */
    void fallback() {
      Map<String, Set<String>> where = new LinkedHashMap<>();
      for (DaemonReport report : having) {
        PluginReport plugin = report.plugin(title);
        if ("fallback".equals(plugin.state())) {
          where
              .computeIfAbsent(plugin.reason(), r -> new LinkedHashSet<>())
              .add(report.daemon().name());
        }
      }
      where.forEach(
          (reason, names) ->
              findings.add(
                  new Finding(
                      Kind.FALLBACK,
                      title + ": stock decides on " + examples(names) + ": " + reason)));
    }

    /** Only what is not common to all is shown. */
    void bySettings() {
      Set<String> common = new LinkedHashSet<>(having.get(0).plugin(title).settings());
      having.forEach(report -> common.retainAll(report.plugin(title).settings()));
      by(
          Kind.MIXED_SETTINGS,
          "",
          plugin -> {
            Set<String> own = new TreeSet<>(plugin.settings());
            own.removeAll(common);
            return own.isEmpty() ? "nothing more" : String.join(", ", own);
          });
    }

    void add(Kind kind, String message) {
      Finding finding = new Finding(kind, title + ": " + message);
      findings.add(
          Daemon.NAMENODE.equals(having.get(0).daemon().role())
              ? new Finding(Kind.HA_DIFFERS, finding.kind() + ": " + finding.message())
              : finding);
    }
  }
}
