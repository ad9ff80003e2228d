package io.evenkeel.mover.core.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A small network of integer capacities: the largest flow from vertex 0 to vertex 1, and of those
 * one of least cost, by cheapest augmenting paths.
 */
final class FlowNetwork {
  private static final int UNREACHED = Integer.MAX_VALUE;

  /** One direction of an edge; its opposite is next to it in the list. */
  private static final class Arc {
    private final int from;
    private final int to;
    private final int cost;
    private int capacity;

    Arc(int from, int to, int capacity, int cost) {
      this.from = from;
      this.to = to;
      this.capacity = capacity;
      this.cost = cost;
    }
  }

  private final int vertices;
  private final List<Arc> arcs = new ArrayList<>();

  FlowNetwork(int vertices) {
    this.vertices = vertices;
  }

  /** Adds an edge and returns its number. */
  int addEdge(int from, int to, int capacity, int cost) {
    arcs.add(new Arc(from, to, capacity, cost));
    arcs.add(new Arc(to, from, 0, -cost));
    return arcs.size() - 2;
  }

  /** Fills the network. */
  void fill() {
    int[] by = cheapestPath();
    while (by[1] >= 0) {
      for (int at = 1; at != 0; at = arcs.get(by[at]).from) {
        arcs.get(by[at]).capacity--;
        arcs.get(by[at] ^ 1).capacity++;
      }
      by = cheapestPath();
    }
  }

  /** What flows over an edge. */
  int flow(int edge) {
    return arcs.get(edge ^ 1).capacity;
  }

  /** The arc each vertex is reached by, -1 when it is not. */
  private int[] cheapestPath() {
    int[] cost = new int[vertices];
    int[] by = new int[vertices];
    Arrays.fill(cost, UNREACHED);
    Arrays.fill(by, -1);
    cost[0] = 0;
    boolean changed = true;
    while (changed) {
      changed = false;
      for (int i = 0; i < arcs.size(); i++) {
        Arc arc = arcs.get(i);
        if (arc.capacity > 0
            && cost[arc.from] != UNREACHED
            && cost[arc.from] + arc.cost < cost[arc.to]) {
          cost[arc.to] = cost[arc.from] + arc.cost;
          by[arc.to] = i;
          changed = true;
        }
      }
    }
    return by;
  }
}
