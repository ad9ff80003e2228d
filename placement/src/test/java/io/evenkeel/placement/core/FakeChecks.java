package io.evenkeel.placement.core;

import io.evenkeel.placement.core.TargetChecks.NotChosenReason;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** A NameNode that wants so many replicas on each storage type, and refuses some DataNodes. */
final class FakeChecks implements TargetChecks {
  final BitSet refused = new BitSet();
  final List<Integer> wantedBefore = new ArrayList<>();
  final List<Boolean> locals = new ArrayList<>();
  final List<Integer> typesTaken = new ArrayList<>();
  private final FakeCluster cluster;
  private final int[] wanted;
  private final int wantedEver;
  private int[] dependents = new int[0];

  /** Wants {@code wanted[i]} replicas on type i. */
  FakeChecks(FakeCluster cluster, int... wanted) {
    this.cluster = cluster;
    this.wanted = wanted.clone();
    this.wantedEver = wantedTypes();
  }

  FakeChecks dependents(int... nodes) {
    dependents = nodes;
    return this;
  }

  @Override
  public int wantedTypes() {
    int bits = 0;
    for (int i = 0; i < wanted.length; i++) {
      bits |= wanted[i] > 0 ? 1 << i : 0;
    }
    return bits;
  }

  int wantedTypesEver() {
    return wantedEver;
  }

  @Override
  public NotChosenReason take(int node, int type, boolean local) {
    if (!cluster.inService[node]) {
      return NotChosenReason.NOT_IN_SERVICE;
    }
    if (refused.get(node)) {
      return NotChosenReason.NODE_TOO_BUSY;
    }
    int room = cluster.types[node] & ~cluster.full[node];
    if ((room & 1 << type) == 0) {
      return NotChosenReason.NOT_ENOUGH_STORAGE_SPACE;
    }
    wantedBefore.add(wantedTypes());
    locals.add(local);
    typesTaken.add(type);
    wanted[type]--;
    return null;
  }

  @Override
  public int[] dependents(int node) {
    return dependents;
  }
}
