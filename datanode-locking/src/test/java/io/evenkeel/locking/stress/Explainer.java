package io.evenkeel.locking.stress;

import io.evenkeel.locking.stress.Outcome.Result;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Looks for an order, one call after the other, that explains a block's round: it keeps every call
 * between its begin and its end, every call ends as it did by {@link Rules}, and the last state is
 * the one found. Tries all orders; a round has few calls.
 */
final class Explainer {
  private final Rules rules;
  private final List<Step> steps;
  private final State found;
  private final Set<Node> seen = new HashSet<>();

  /**
   * A search over one block's calls.
   *
   * @param rules of one call
   * @param steps made, reads left out, at most 30
   * @param found at the end
   */
  Explainer(Rules rules, List<Step> steps, State found) {
    this.rules = rules;
    this.steps = steps;
    this.found = found;
  }

  /** Whether some order from {@code start} explains it all. */
  boolean explains(State start) {
    return search(new Node(0, start, Map.of()));
  }

  private boolean search(Node node) {
    if (node.done == (1 << steps.size()) - 1) {
      return node.state.shows(found);
    }
    if (!seen.add(node)) {
      return false;
    }
    for (int i = 0; i < steps.size(); i++) {
      if (mayComeNext(node.done, i) && next(node, i)) {
        return true;
      }
    }
    return false;
  }

  private boolean mayComeNext(int done, int candidate) {
    Step step = steps.get(candidate);
    if ((done & 1 << candidate) != 0) {
      return false;
    }
    for (int i = 0; i < steps.size(); i++) {
      Step other = steps.get(i);
      boolean first =
          other.end < step.begin
              || (other.actor == step.actor && i < candidate && other.act != Act.DELETE_DONE);
      if (i != candidate && (done & 1 << i) == 0 && first) {
        return false;
      }
    }
    return true;
  }

  private boolean next(Node node, int i) {
    Step step = steps.get(i);
    int done = node.done | 1 << i;
    if (step.act == Act.DELETE) {
      return delete(node, step, done);
    }
    if (step.act == Act.DELETE_DONE) {
      return search(new Node(done, deleted(node, step, true), node.deletions))
          || search(new Node(done, deleted(node, step, false), node.deletions));
    }
    for (State state : rules.after(node.state, step)) {
      if (search(new Node(done, state, node.deletions))) {
        return true;
      }
    }
    return false;
  }

  /** {@code invalidate}: unknown is fine, another stamp is an error, else the volume is noted. */
  private boolean delete(Node node, Step step, int done) {
    boolean other = !node.state.absent() && node.state.gs() != step.gs;
    boolean refused = step.outcome.result() == Result.IO;
    if (refused == !other
        && sawStampTakenBack(step)
        && search(new Node(done, node.state, node.deletions))) {
      return true;
    }
    if (refused != other || (!other && !step.ok())) {
      return false;
    }
    Map<Integer, Integer> deletions = new HashMap<>(node.deletions);
    if (!other && !node.state.absent()) {
      deletions.put(step.actor, node.state.volume());
    }
    return search(new Node(done, node.state, deletions));
  }

  /** {@code invalidate} looks without a lock: also at the new stamp of a call that then fails. */
  private boolean sawStampTakenBack(Step deletion) {
    return steps.stream()
        .anyMatch(
            each ->
                !each.ok()
                    && each.newGs != 0
                    && each.begin <= deletion.end
                    && each.end >= deletion.begin);
  }

  /**
   * {@code removeReplicaFromMem}: the stamp must still be that of the call. For a replica that was
   * moved meanwhile stock gives up; ours deletes it where it is.
   */
  private static State deleted(Node node, Step step, boolean sameVolume) {
    Integer volume = node.deletions.get(step.actor);
    boolean same =
        volume != null
            && (!sameVolume || volume == node.state.volume())
            && node.state.gs() == step.gs;
    return same ? State.ABSENT : node.state;
  }

  /** A point of the search: which calls are done, and what they led to. */
  private record Node(int done, State state, Map<Integer, Integer> deletions) {}
}
