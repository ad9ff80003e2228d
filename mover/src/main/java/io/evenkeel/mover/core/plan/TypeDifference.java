package io.evenkeel.mover.core.plan;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What a block has too many of and what it lacks, type by type. */
final class TypeDifference {
  /** Types no replica is moved from or to: memory is the DataNode's own, PROVIDED is elsewhere. */
  private static final Set<String> NOT_MOVABLE =
      Collections.unmodifiableSet(new HashSet<>(Arrays.asList("RAM_DISK", "PROVIDED")));

  private final TypeCounts surplus = new TypeCounts();
  private final TypeCounts missing = new TypeCounts();

  TypeDifference(Collection<Replica> existing, List<String> wanted) {
    TypeCounts open = new TypeCounts();
    wanted.forEach(open::add);
    for (Replica replica : existing) {
      if (!open.remove(replica.type())) {
        addMovable(surplus, replica.type());
      }
    }
    for (String type : open.types()) {
      for (int i = 0; i < open.of(type); i++) {
        addMovable(missing, type);
      }
    }
  }

  private static void addMovable(TypeCounts counts, String type) {
    if (!NOT_MOVABLE.contains(type)) {
      counts.add(type);
    }
  }

  /** Replicas by type that are not asked for. A copy. */
  TypeCounts surplus() {
    return new TypeCounts(surplus);
  }

  /** Replicas by type that are asked for and not there. A copy. */
  TypeCounts missing() {
    return new TypeCounts(missing);
  }

  /** How many replicas a move can mend. */
  int wrong() {
    return Math.min(surplus.total(), missing.total());
  }
}
