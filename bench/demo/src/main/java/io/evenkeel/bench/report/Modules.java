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
        .map(m -> m.at("state").text(NOT_REPORTED).toLowerCase(Locale.ROOT))
        .findFirst()
        .orElse(NOT_REPORTED);
  }
}
