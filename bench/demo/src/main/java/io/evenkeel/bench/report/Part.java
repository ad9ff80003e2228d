package io.evenkeel.bench.report;

import java.util.List;

/**
 * What one part of the demo measured, stock beside Evenkeel.
 *
 * @param note a caveat for all its rows, or how they were measured; may be empty
 */
record Part(String title, String note, List<Row> rows, List<Figure> figures) {

  Part {
    note = note.isEmpty() && rows.isEmpty() && figures.isEmpty() ? "Nothing was measured." : note;
  }
}
