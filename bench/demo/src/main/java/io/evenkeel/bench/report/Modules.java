package io.evenkeel.bench.report;

import java.util.Locale;
import java.util.Map;

/** Which module answers for which number, and whether it took part in the run. Stateless. */
final class Modules {
  private static final String NOT_REPORTED = "not reported";
  private static final Map<String, String> TITLES =
      Map.of(
          "placement", "block placement",
          "volume", "volume choice",
          "locking", "DataNode locking",
          "mover", "mover",
          "terasort", "block-wise TeraValidate");

  private Modules() {}

  /** What the module does, in a word or two. */
  static String title(String module) {
    return TITLES.getOrDefault(module, module);
  }

  /** The state of a module: active, not built and so on; "not reported" where it is missing. */
  static String state(Doc report, String module) {
    return report.at("modules").items().stream()
        .filter(m -> m.at("module").text("").equals(module))
        .map(m -> m.at("state").text(NOT_REPORTED))
        .findFirst()
        .orElse(NOT_REPORTED);
  }

  static boolean active(Doc report, String module) {
    return state(report, module).toLowerCase(Locale.ROOT).equals("active");
  }

  /** Whether a difference between the halves may be called this module's effect. */
  static boolean comparable(Doc report, String module) {
    return active(report, module) && complete(report);
  }

  private static boolean complete(Doc report) {
    return !SuiteArm.stock(report).cut() && !SuiteArm.evenkeel(report).cut();
  }

  /**
   * A sentence why a difference between the halves is not the module's effect; empty when the two
   * can be compared or one half was not run.
   */
  static String excuse(Doc report, String module) {
    boolean both =
        SuiteArm.stock(report).doc().present() && SuiteArm.evenkeel(report).doc().present();
    if (comparable(report, module) || !both) {
      return "";
    }
    if (!complete(report)) {
      return "One half was cut short, so the two are not compared here.";
    }
    String state = state(report, module);
    if (NOT_REPORTED.equals(state)) {
      return "The report does not say whether Evenkeel's "
          + title(module)
          + " module was active, so no difference is credited to it.";
    }
    return "Evenkeel's "
        + title(module)
        + " module "
        + words(state)
        + " in this run: both halves used stock's code here, and a difference is chance.";
  }

  private static String words(String state) {
    return switch (state) {
      case "fallback" -> "fell back to stock";
      case "observe" -> "only observed";
      default -> "was " + state;
    };
  }
}
