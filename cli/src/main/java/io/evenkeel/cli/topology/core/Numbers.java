package io.evenkeel.cli.topology.core;

import io.evenkeel.cli.core.blocks.Estimate;
import io.evenkeel.common.svg.ValueFormat;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** How numbers are written. Stateless. */
final class Numbers {
  private Numbers() {}

  /** With groups of three digits. */
  static String count(double number) {
    return String.format(Locale.ROOT, "%,d", Math.round(number));
  }

  /** One of a thing, or several. */
  static String count(double number, String one, String several) {
    return count(number) + " " + (Math.round(number) == 1 ? one : several);
  }

  /** With decimals; a hyphen when it is not a number. */
  static String decimals(double number, int places) {
    return Double.isNaN(number) ? "-" : String.format(Locale.ROOT, "%,." + places + "f", number);
  }

  /** In binary units. */
  static String bytes(double number) {
    return ValueFormat.BYTES.format(Math.rint(number));
  }

  /** A number that JSON can hold: rounded, null when it is not a number. */
  static Double json(double number) {
    return Double.isNaN(number) || Double.isInfinite(number)
        ? null
        : Math.round(number * 1e4) / 1e4;
  }

  /** The number and its range. */
  static Map<String, Object> json(Estimate estimate) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("value", Math.round(estimate.value()));
    json.put("low", Math.round(Math.floor(estimate.low())));
    json.put("high", Math.round(Math.ceil(estimate.high())));
    json.put("standardError", json(estimate.standardError()));
    return json;
  }
}
