package io.evenkeel.locking.stress;

import java.util.ArrayList;
import java.util.List;

/**
 * What is done to one block in a round.
 *
 * @param setup threads run one after the other, to bring the block into its first state
 * @param actors threads run all at once
 */
record Plan(List<List<Step>> setup, List<List<Step>> actors) {

  /** The setup with calls that were not made yet. */
  List<List<Step>> freshSetup() {
    return setup.stream().map(steps -> steps.stream().map(Step::fresh).toList()).toList();
  }

  /**
   * The actors with calls that were not made yet. The target of {@link Act#MOVE_VOLUME} is planned
   * as a distance from the volume the block starts on, never 0: stock loses a block that is moved
   * to the volume it is on, and the DiskBalancer does not ask for it.
   */
  List<List<Step>> freshActors(State start) {
    List<List<Step>> fresh = new ArrayList<>();
    for (List<Step> steps : actors) {
      List<Step> copy = new ArrayList<>();
      for (Step step : steps) {
        copy.add(step.act == Act.MOVE_VOLUME ? step.movedBy(start.volume()) : step.fresh());
      }
      fresh.add(copy);
    }
    return fresh;
  }

  /** The same plan without one actor. */
  Plan without(int actor) {
    List<List<Step>> rest = new ArrayList<>(actors);
    rest.remove(actor);
    return new Plan(setup, rest);
  }

  /** The same plan without the last step of one actor. */
  Plan shortened(int actor) {
    List<List<Step>> rest = new ArrayList<>(actors);
    List<Step> steps = rest.get(actor);
    rest.set(actor, steps.subList(0, steps.size() - 1));
    return new Plan(setup, rest);
  }
}
