package io.evenkeel.common.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Aligned columns, two blanks apart. Not thread-safe. */
public final class TextTable {
  private final List<String[]> rows = new ArrayList<>();
  private final Set<Integer> right = new HashSet<>();

  /** Creates a table with a heading. */
  public TextTable(String... heading) {
    rows.add(heading.clone());
  }

  /** Aligns a column, counted from 0, to the right. */
  public TextTable alignRight(int column) {
    right.add(column);
    return this;
  }

  /**
   * Adds a row.
   *
   * @throws IllegalArgumentException when it has not as many cells as the heading
   */
  public void add(String... cells) {
    if (cells.length != rows.get(0).length) {
      throw new IllegalArgumentException(cells.length + " cells for " + rows.get(0).length);
    }
    rows.add(cells.clone());
  }

  /** Appends one line per row, without trailing blanks, each ended by a line feed. */
  public void appendTo(StringBuilder text) {
    int[] widths = new int[rows.get(0).length];
    for (String[] row : rows) {
      for (int i = 0; i < row.length; i++) {
        widths[i] = Math.max(widths[i], row[i].length());
      }
    }
    for (String[] row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < row.length; i++) {
        char[] pad = new char[widths[i] - row[i].length()];
        Arrays.fill(pad, ' ');
        line.append(right.contains(i) ? new String(pad) + row[i] : row[i] + new String(pad));
        line.append("  ");
      }
      text.append(line.toString().replaceAll("\\s+$", "")).append('\n');
    }
  }
}
