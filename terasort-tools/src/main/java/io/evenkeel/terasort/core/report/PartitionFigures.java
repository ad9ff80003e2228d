package io.evenkeel.terasort.core.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Sizes and skew of all partitions. Immutable. */
final class PartitionFigures {
  private final List<PartitionFacts> all;

  PartitionFigures(List<PartitionFacts> all) {
    this.all = all;
  }

  int count() {
    return all.size();
  }

  long empty() {
    return all.stream().filter(p -> p.records == 0).count();
  }

  double meanRecords() {
    return all.stream().mapToLong(p -> p.records).average().orElse(Double.NaN);
  }

  long mostRecords() {
    return all.stream().mapToLong(p -> p.records).max().orElse(0);
  }

  long fewestRecords() {
    return all.stream().mapToLong(p -> p.records).min().orElse(0);
  }

  /** Largest over mean: how much longer the last reducer took than the average. */
  double skew() {
    return mostRecords() / meanRecords();
  }

  /** All of them in partition order, or the largest and smallest where there are many. */
  List<PartitionFacts> shown(int most) {
    if (all.size() <= most) {
      return all;
    }
    List<PartitionFacts> bySize = new ArrayList<>(all);
    bySize.sort(Comparator.comparingLong((PartitionFacts p) -> p.records).reversed());
    List<PartitionFacts> shown = new ArrayList<>(bySize.subList(0, most / 2));
    shown.addAll(bySize.subList(all.size() - most / 2, all.size()));
    return shown;
  }
}
