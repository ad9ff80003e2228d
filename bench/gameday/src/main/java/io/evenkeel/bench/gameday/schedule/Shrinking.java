package io.evenkeel.bench.gameday.schedule;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes a schedule that finds something smaller by leaving out steps: delta debugging (A. Zeller
 * and R. Hildebrandt, Simplifying and isolating failure-inducing input, 2002). Confined to one
 * thread.
 */
public final class Shrinking {
  /** A smaller schedule counts when so many runs of it fail. */
  public static final int FAILURES = 3;

  /** It is run so often, or less when that is decided before. */
  public static final int RUNS = 5;

  private final Round round;
  private final int limit;
  private final Map<List<Step>, Boolean> known = new HashMap<>();
  private int runs;

  /** Runs a schedule once. */
  public interface Round {
    /** Whether the finding is there again. */
    boolean fails(Schedule schedule) throws IOException, InterruptedException;
  }

  /**
   * What came of it.
   *
   * @param smallest schedule that fails and was found within the limit
   * @param runs how many it took
   * @param complete whether no single step can be left out; otherwise the limit was reached
   */
  public record Result(Schedule smallest, int runs, boolean complete) {}

  /** There may be no more runs. */
  private static final class LimitReached extends Exception {
    private static final long serialVersionUID = 1;
  }

  /**
   * Prepares.
   *
   * @param limit of all runs, at least 0
   */
  public Shrinking(Round round, int limit) {
    this.round = round;
    this.limit = limit;
  }

  /** Looks for the smallest schedule, given one that is known to fail. */
  public Result shrink(Schedule failing) throws IOException, InterruptedException {
    Schedule smallest = failing;
    int parts = 2;
    try {
      if (fails(failing.with(List.of()))) {
        return new Result(failing.with(List.of()), runs, true);
      }
      while (smallest.steps().size() > 1) {
        int size = smallest.steps().size();
        Schedule part = firstFailing(smallest, parts, List::subList);
        Schedule rest = part != null ? null : firstFailing(smallest, parts, Shrinking::without);
        if (part != null) {
          smallest = part;
          parts = 2;
        } else if (rest != null) {
          smallest = rest;
          parts = Math.max(2, parts - 1);
        } else if (parts < size) {
          parts = Math.min(size, 2 * parts);
        } else {
          break;
        }
        parts = Math.min(parts, smallest.steps().size());
      }
      return new Result(smallest, runs, true);
    } catch (LimitReached e) {
      return new Result(smallest, runs, false);
    }
  }

  /** What is tried of a list: something about the elements from one index to before another. */
  private interface Choice {
    List<Step> of(List<Step> all, int from, int to);
  }

  private static List<Step> without(List<Step> all, int from, int to) {
    List<Step> others = new ArrayList<>(all);
    others.subList(from, to).clear();
    return others;
  }

  /** The choice about the first part that fails; null when none does. */
  private Schedule firstFailing(Schedule schedule, int parts, Choice choice)
      throws LimitReached, IOException, InterruptedException {
    List<Step> steps = schedule.steps();
    for (int i = 0; i < parts; i++) {
      int from = steps.size() * i / parts;
      int to = steps.size() * (i + 1) / parts;
      Schedule tried = schedule.with(choice.of(steps, from, to));
      if (fails(tried)) {
        return tried;
      }
    }
    return null;
  }

  private boolean fails(Schedule schedule) throws LimitReached, IOException, InterruptedException {
    Boolean before = known.get(schedule.steps());
    if (before != null) {
      return before;
    }
    int failures = 0;
    int passes = 0;
    while (failures < FAILURES && passes <= RUNS - FAILURES) {
      if (runs == limit) {
        throw new LimitReached();
      }
      runs++;
      if (round.fails(schedule)) {
        failures++;
      } else {
        passes++;
      }
    }
    known.put(schedule.steps(), failures == FAILURES);
    return failures == FAILURES;
  }
}
