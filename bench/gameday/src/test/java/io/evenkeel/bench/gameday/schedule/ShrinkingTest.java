package io.evenkeel.bench.gameday.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.bench.gameday.schedule.Fault.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("once")
class ShrinkingTest {
  private static final int NO_LIMIT = Integer.MAX_VALUE;

  static LongStream seeds() {
    return LongStream.rangeClosed(1, 100);
  }

  private static Schedule schedule(int steps) {
    List<Step> list = new ArrayList<>();
    for (int i = 0; i < steps; i++) {
      list.add(new Step("", i, i, new Fault(Kind.KILL_DATANODE, "dn" + i, "", 0)));
    }
    return new Schedule(1, 100, list);
  }

  private static Set<Integer> numbers(Schedule schedule) {
    Set<Integer> numbers = new TreeSet<>();
    schedule.steps().forEach(step -> numbers.add((int) step.begin()));
    return numbers;
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void stepsThatAreNeededTogether_areAllThatIsLeft(long seed) throws Exception {
    Random random = new Random(seed);
    Schedule all = schedule(1 + random.nextInt(20));
    Set<Integer> needed = new TreeSet<>();
    for (int i = random.nextInt(4); i >= 0; i--) {
      needed.add(random.nextInt(all.steps().size()));
    }
    Shrinking.Result result =
        new Shrinking(schedule -> numbers(schedule).containsAll(needed), NO_LIMIT).shrink(all);
    assertThat(numbers(result.smallest())).isEqualTo(needed);
    assertThat(result.complete()).isTrue();
    assertThat(result.smallest().seed()).isEqualTo(1);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void eitherOfSomeSets_noStepOfTheResultCanBeLeftOut(long seed) throws Exception {
    Random random = new Random(seed);
    int steps = 4 + random.nextInt(12);
    List<Set<Integer>> causes = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      causes.add(Set.copyOf(random.ints(3, 0, steps).boxed().distinct().toList()));
    }
    Shrinking.Round round = schedule -> causes.stream().anyMatch(numbers(schedule)::containsAll);
    Schedule all = schedule(steps);
    Schedule smallest = new Shrinking(round, NO_LIMIT).shrink(all).smallest();
    assertThat(round.fails(smallest)).isTrue();
    for (Step step : smallest.steps()) {
      List<Step> fewer = new ArrayList<>(smallest.steps());
      fewer.remove(step);
      assertThat(round.fails(smallest.with(fewer))).isFalse();
    }
  }

  @Test
  void failureWithoutAnyStep_isTheSmallest() throws Exception {
    Shrinking.Result result = new Shrinking(schedule -> true, NO_LIMIT).shrink(schedule(5));
    assertThat(result.smallest().steps()).isEmpty();
    assertThat(result.runs()).isEqualTo(Shrinking.FAILURES);
  }

  @Test
  void scheduleThatFailsInThreeOfFiveRuns_counts_inTwoDoesNot() throws Exception {
    assertThat(numbers(afterRuns(List.of(true, false, true, false, true)).smallest()))
        .containsExactly(0);
    assertThat(numbers(afterRuns(List.of(true, false, true, false, false)).smallest()))
        .containsExactly(0, 1);
  }

  /** Two steps: none alone, none of them, and the answers for the first alone. */
  private static Shrinking.Result afterRuns(List<Boolean> answers) throws Exception {
    List<Boolean> left = new ArrayList<>(answers);
    return new Shrinking(
            schedule -> numbers(schedule).equals(Set.of(0)) && left.remove(0), NO_LIMIT)
        .shrink(schedule(2));
  }

  @Test
  void oneSchedule_isRunNoOftenerThanItTakesToDecide() throws Exception {
    List<Set<Integer>> ran = new ArrayList<>();
    new Shrinking(
            schedule -> {
              ran.add(numbers(schedule));
              return numbers(schedule).contains(3);
            },
            NO_LIMIT)
        .shrink(schedule(8));
    Set<Set<Integer>> different = Set.copyOf(ran);
    assertThat(ran).hasSize(3 * different.size());
  }

  @Test
  void limitOfRuns_givesTheSmallestSoFar() throws Exception {
    for (int limit = 0; limit < 60; limit++) {
      List<Schedule> ran = new ArrayList<>();
      Shrinking.Round round =
          schedule -> {
            ran.add(schedule);
            return numbers(schedule).containsAll(Set.of(2, 9));
          };
      Shrinking.Result result = new Shrinking(round, limit).shrink(schedule(10));
      assertThat(ran).hasSizeLessThanOrEqualTo(limit).hasSize(result.runs());
      assertThat(numbers(result.smallest())).contains(2, 9);
      assertThat(result.complete() || result.runs() == limit).isTrue();
    }
  }
}
