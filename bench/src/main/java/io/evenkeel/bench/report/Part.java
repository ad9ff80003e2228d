package io.evenkeel.bench.report;

import java.util.List;

/**
 * What one part of the demo measured, stock beside Evenkeel.
 *
 * @param note a caveat for all its rows, or how they were measured; may be empty
 */
record Part(String title, String note, List<Row> rows, List<Figure> figures) {

  /** Whether there is anything to show. */
  boolean present() {
    return !note.isEmpty() || !figures.isEmpty() || measured();
  }

  /** Whether any row has a value. */
  boolean measured() {
    return rows.stream().anyMatch(Row::measured);
  }
}
