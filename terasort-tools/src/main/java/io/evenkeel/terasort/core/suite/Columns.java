package io.evenkeel.terasort.core.suite;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A table of text, columns two blanks apart. Not thread-safe. */
final class Columns {
  private final List<String[]> rows = new ArrayList<>();

  Columns(String... heading) {
    rows.add(heading);
  }

  void add(String... cells) {
    if (cells.length != rows.get(0).length) {
      throw new IllegalArgumentException(cells.length + " cells for " + rows.get(0).length);
    }
    rows.add(cells);
  }

  /** Three decimals below 10, else fewer. */
  static String number(double value) {
    if (Double.isNaN(value)) {
      return SuiteReport.NOT_KNOWN;
    }
    String format = value < 10 ? "%.3f" : value < 1000 ? "%.1f" : "%.0f";
    return String.format(Locale.ROOT, format, value);
  }

  /** Mean and standard deviation. */
  static String spread(Spread spread) {
    String mean = number(spread.mean());
    return Double.isNaN(spread.deviation()) ? mean : mean + " +- " + number(spread.deviation());
  }

  @Override
  public String toString() {
    int[] widths = new int[rows.get(0).length];
    for (String[] row : rows) {
      for (int i = 0; i < row.length; i++) {
        widths[i] = Math.max(widths[i], row[i].length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (String[] row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < row.length; i++) {
        line.append(String.format(Locale.ROOT, "%-" + (widths[i] + 2) + "s", row[i]));
      }
      text.append(line.toString().replaceAll(" +$", "")).append('\n');
    }
    return text.toString();
  }
}
