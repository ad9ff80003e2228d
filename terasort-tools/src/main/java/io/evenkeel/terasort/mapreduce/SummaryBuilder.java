package io.evenkeel.terasort.mapreduce;

import io.evenkeel.common.json.Json;
import io.evenkeel.terasort.core.dataset.DataSetChecker;
import io.evenkeel.terasort.core.dataset.Partition;
import io.evenkeel.terasort.core.dataset.Violation;
import io.evenkeel.terasort.core.record.Fragment;
import io.evenkeel.terasort.core.record.Records;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** Counts what the reducer finds and puts it into the words of the JSON files. One thread. */
final class SummaryBuilder {
  private final Map<Violation.Kind, Long> violations = new EnumMap<>(Violation.Kind.class);

  void count(Violation violation) {
    violations.merge(violation.kind(), 1L, Long::sum);
  }

  /** The verdict and its figures; {@code valid} tells of this data set alone. */
  Map<String, Object> json(DataSetChecker checker) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("valid", violations.isEmpty());
    json.put("files", checker.files());
    json.put("bytes", checker.bytes());
    json.put("records", checker.records());
    json.put("checksum", checker.sum().toString());
    Map<String, Object> counts = new LinkedHashMap<>();
    for (Violation.Kind kind : Violation.Kind.values()) {
      counts.put(kind.label(), violations.getOrDefault(kind, 0L));
    }
    json.put("violations", counts);
    return json;
  }

  String partition(Partition partition) {
    Fragment whole = partition.whole();
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("path", partition.file().path());
    line.put("bytes", partition.file().length());
    line.put("records", whole.records());
    line.put("first", whole.records() == 0 ? null : Records.hex(whole.firstKey()));
    line.put("last", whole.records() == 0 ? null : Records.hex(whole.lastKey()));
    return Json.compact(line);
  }
}
