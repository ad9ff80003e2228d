package io.evenkeel.placement.core;

import java.util.Arrays;

/** What came of a request. Scarcity is a value: fewer nodes than asked for, with reasons. */
public final class Placement {
  private static final int REFUSALS = Refusal.values().length;
  private static final int RELAXATIONS = Relaxation.values().length;

  private int[] nodes = new int[4];
  private int count;
  private int mostOnOneHost;
  private boolean gaveUp;
  private final int[] refusals = new int[REFUSALS];
  private final int[] relaxations = new int[RELAXATIONS];

  void add(int node) {
    if (count == nodes.length) {
      nodes = Arrays.copyOf(nodes, 2 * count);
    }
    nodes[count++] = node;
  }

  void add(Refusal refusal) {
    refusals[refusal.ordinal()]++;
  }

  void add(Relaxation relaxation) {
    relaxations[relaxation.ordinal()]++;
  }

  void mostOnOneHost(int most) {
    mostOnOneHost = most;
  }

  void gaveUp(boolean value) {
    gaveUp = value;
  }

  /** Whether some DataNodes were not asked since too many had refused. */
  public boolean gaveUp() {
    return gaveUp;
  }

  /** The DataNodes chosen, in order, without those that had a replica before. */
  public int[] nodes() {
    return Arrays.copyOf(nodes, count);
  }

  /** How many were chosen. */
  public int size() {
    return count;
  }

  /** How many DataNodes refused for this reason. */
  public int refusals(Refusal reason) {
    return refusals[reason.ordinal()];
  }

  /** How often this wish or rule gave way. */
  public int relaxations(Relaxation relaxation) {
    return relaxations[relaxation.ordinal()];
  }

  /** Most replicas on one host, those that existed included. */
  public int mostOnOneHost() {
    return mostOnOneHost;
  }

  /** The reasons of refusals with their numbers, as in {@code NOT_IN_SERVICE=3}. */
  public String reasons() {
    StringBuilder text = new StringBuilder();
    for (Refusal refusal : Refusal.values()) {
      if (refusals(refusal) > 0) {
        text.append(text.length() == 0 ? "" : ", ");
        text.append(refusal).append('=').append(refusals(refusal));
      }
    }
    return text.toString();
  }
}
