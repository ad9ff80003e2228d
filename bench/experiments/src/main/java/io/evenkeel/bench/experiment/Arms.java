package io.evenkeel.bench.experiment;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * What several stock opponents and Evenkeel gave in runs that took turns.
 *
 * @param stock one result of each run, by the opponent's name; as often found is the first
 * @param evenkeel the same of ours
 */
public record Arms<T>(Map<String, List<T>> stock, List<T> evenkeel) {
  private static final String OURS = "Evenkeel";

  /** So many rounds; each begins with another arm, since the first finds the machine coldest. */
  public static <A, T> Arms<T> inTurn(
      int rounds, Map<String, A> stock, A evenkeel, Runs.Turn<A, T> turn) throws Exception {
    Map<String, A> all = new LinkedHashMap<>(stock);
    all.put(OURS, evenkeel);
    List<String> names = List.copyOf(all.keySet());
    Map<String, List<T>> results = new LinkedHashMap<>();
    names.forEach(name -> results.put(name, new ArrayList<>()));
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < names.size(); i++) {
        String name = names.get((round + i) % names.size());
        results.get(name).add(turn.run(all.get(name), round));
      }
    }
    List<T> ours = results.remove(OURS);
    return new Arms<>(results, ours);
  }

  /** All runs of several that have the same arms. */
  public static <T> Arms<T> joined(List<Arms<T>> parts) {
    Map<String, List<T>> stock = new LinkedHashMap<>();
    List<T> ours = new ArrayList<>();
    for (Arms<T> part : parts) {
      part.stock.forEach(
          (name, runs) -> stock.computeIfAbsent(name, n -> new ArrayList<>()).addAll(runs));
      ours.addAll(part.evenkeel);
    }
    return new Arms<>(stock, ours);
  }

  /** All but the first rounds, which warmed up. */
  public Arms<T> from(int round) {
    Map<String, List<T>> rest = new LinkedHashMap<>();
    stock.forEach((name, runs) -> rest.put(name, runs.subList(round, runs.size())));
    return new Arms<>(rest, evenkeel.subList(round, evenkeel.size()));
  }

  /** The averages, a row for each opponent; see {@link Comparison#repeated}. */
  public List<Comparison> mean(String quantity, String unit, ToDoubleFunction<T> value) {
    List<Comparison> rows = new ArrayList<>();
    stock.forEach(
        (name, runs) ->
            rows.add(new Runs<>(runs, evenkeel).mean(quantity, unit, value).against(name)));
    return rows;
  }
}
