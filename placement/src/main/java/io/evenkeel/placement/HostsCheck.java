package io.evenkeel.placement;

import io.evenkeel.common.config.ConfigException;
import io.evenkeel.common.config.OneLine;
import io.evenkeel.placement.config.PlacementKeys;
import io.evenkeel.placement.core.mapping.MappingReport;
import io.evenkeel.placement.core.mapping.MappingRules;
import io.evenkeel.placement.core.mapping.UnknownMode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.net.NetUtils;
import org.slf4j.Logger;

/**
 * Asks the site's mapping about every host of the hosts file and says what is wrong. Thread-safe.
 * Separate from the mapping, which answers meanwhile.
 */
final class HostsCheck {
  /** Hosts per question: a script that fails then leaves only these without an answer. */
  private static final int BATCH = 100;

  private static final int MOST_NAMED = 20;

  private final Logger log;
  private final Path file;
  private final MappingRules rules;
  private final SiteMapping site;
  private volatile String outcome = "";

  /** Creates a check; {@code file} is null when there is nothing to check. */
  HostsCheck(Logger log, Path file, MappingRules rules, SiteMapping site) {
    this.log = log;
    this.file = file;
    this.rules = rules;
    this.site = site;
  }

  /** What the last check found, one line; empty when there was none. */
  String outcome() {
    return outcome;
  }

  /**
   * The check at start.
   *
   * @throws ConfigException in mode FAIL, naming key, value and hosts
   */
  void atStart() {
    String problem = run();
    if (!problem.isEmpty() && rules.mode() == UnknownMode.FAIL) {
      throw new ConfigException(problem);
    }
  }

  /** Checks and says what is wrong; returns that, empty when nothing is. Never throws. */
  String run() {
    if (file == null) {
      return "";
    }
    String problem;
    try {
      MappingReport report = report(new ArrayList<>(HostsFile.read(file)));
      outcome = describe(report);
      problem = report.problems().isEmpty() ? "" : outcome;
    } catch (IOException | RuntimeException e) {
      problem =
          OneLine.of(
              setting() + " cannot be read: " + e + "; use " + PlacementKeys.MAPPING_HOSTS.range());
      outcome = problem;
    }
    if (problem.isEmpty()) {
      log.info(outcome);
    } else {
      log.warn(problem);
    }
    return problem;
  }

  private MappingReport report(List<String> hosts) {
    Map<String, String> said = new LinkedHashMap<>();
    for (int from = 0; from < hosts.size(); from += BATCH) {
      List<String> batch = hosts.subList(from, Math.min(hosts.size(), from + BATCH));
      List<String> asked = site.asksByAddress() ? NetUtils.normalizeHostNames(batch) : batch;
      List<String> answers = site.locations(asked);
      for (int i = 0; i < batch.size(); i++) {
        said.put(batch.get(i), answers.get(i));
      }
    }
    return MappingReport.of(rules, said);
  }

  private String setting() {
    return PlacementKeys.MAPPING_HOSTS + " = '" + file + "'";
  }

  private String describe(MappingReport report) {
    int bad = report.problems().size();
    String text =
        setting()
            + ": "
            + (report.hosts() - bad)
            + " of "
            + report.hosts()
            + " hosts have a location with "
            + PlacementKeys.MAPPING_DEPTH
            + " = "
            + rules.depth()
            + " levels; node-group names used by several racks: "
            + report.repeatedGroups().size();
    if (bad > 0) {
      text += "; without one: " + report.firstProblems(MOST_NAMED) + "; levels: " + report.depths();
      text += "; correct the mapping or the file";
      if (rules.mode() == UnknownMode.FAIL) {
        text += ", or set " + PlacementKeys.MAPPING_UNKNOWN + " to isolate or warn";
      }
    }
    return OneLine.of(text);
  }
}
