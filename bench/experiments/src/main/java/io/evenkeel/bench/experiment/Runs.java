package io.evenkeel.bench.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What stock and Evenkeel gave in runs that took turns.
 *
 * @param stock one result of each run
 * @param evenkeel the same
 */
public record Runs<T>(List<T> stock, List<T> evenkeel) {
  /**
   * One run.
   *
   * @param <A> what differs: a policy, a DataNode, a tool
   */
  public interface Turn<A, T> {
    T run(A arm, int round) throws Exception;
  }

  /** None so far. */
  public Runs() {
    this(new ArrayList<>(), new ArrayList<>());
  }

  /** So many rounds; who begins one ends the next, since the second finds the machine warmer. */
  public static <A, T> Runs<T> inTurn(int rounds, A stock, A evenkeel, Turn<A, T> turn)
      throws Exception {
    Runs<T> runs = new Runs<>();
    for (int round = 0; round < rounds; round++) {
      if (round % 2 == 0) {
        runs.stock.add(turn.run(stock, round));
        runs.evenkeel.add(turn.run(evenkeel, round));
      } else {
        runs.evenkeel.add(turn.run(evenkeel, round));
        runs.stock.add(turn.run(stock, round));
      }
    }
    return runs;
  }

  /** All but the first rounds, which warmed up. */
  public Runs<T> from(int round) {
    return new Runs<>(stock.subList(round, stock.size()), evenkeel.subList(round, evenkeel.size()));
  }

  /** The averages; see {@link Comparison#repeated}. */
  public Comparison mean(String quantity, String unit, ToDoubleFunction<T> value) {
    return Comparison.repeated(quantity, unit, values(stock, value), values(evenkeel, value));
  }

  /** See {@link Comparison#medians}. */
  public Comparison median(String quantity, String unit, ToDoubleFunction<T> value) {
    return Comparison.medians(quantity, unit, values(stock, value), values(evenkeel, value));
  }

  /** See {@link Comparison#pairs}. */
  public Comparison pairs(String quantity, ToDoubleFunction<T> value) {
    return Comparison.pairs(quantity, values(stock, value), values(evenkeel, value));
  }

  private static <T> double[] values(List<T> results, ToDoubleFunction<T> value) {
    return results.stream().mapToDouble(value).toArray();
  }
}
