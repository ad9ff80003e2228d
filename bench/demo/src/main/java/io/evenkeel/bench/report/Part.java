package io.evenkeel.bench.report;

import java.util.List;

/**
 * A section that measured something, stock's arms beside Evenkeel's.
 *
 * @param summary how it was measured
 * @param commands that show the same, may be empty
 * @param arms names, in the order of the values of each row
 * @param figures the one for the first screen first
 * @param settings keys with the value of each arm
 */
record Part(
    String id,
    String title,
    Finding finding,
    String summary,
    List<String> commands,
    List<String> arms,
    List<Row> rows,
    List<Figure> figures,
    List<Setting> settings) {

  /** Name of the stock arm that a row compares with; empty where stock was not measured. */
  String opponent(Row row) {
    return row.best() < 0 ? "" : arms.get(row.best());
  }

  /** A key of Hadoop; a value is empty where an arm has Hadoop's default. */
  record Setting(String key, List<String> values) {}
}
