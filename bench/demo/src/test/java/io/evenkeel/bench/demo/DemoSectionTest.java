package io.evenkeel.bench.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.bench.demo.DemoSection.Measure;
import io.evenkeel.bench.demo.DemoSection.Passes;
import io.evenkeel.common.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a section makes of its measurements, which ends up in a report. */
@Tag("once") // says nothing about a Hadoop release
class DemoSectionTest {
  private final Progress progress =
      new Progress(new PrintStream(new ByteArrayOutputStream(), true, UTF_8), false);
  private final List<String> order = new ArrayList<>();

  /** Three arms, whose results are counted up. */
  private final class Counting extends DemoSection<Integer> {
    private final String failure;
    private int count;

    Counting(String failure) {
      super("volume", "Counting", progress);
      this.failure = failure;
    }

    @Override
    List<Arm> arms(boolean every) {
      return List.of(
          Arm.stock("a", Map.of()), Arm.stock("b", Map.of("k", "v")), Arm.evenkeel("c", Map.of()));
    }

    @Override
    Map<String, String> sharedKeys() {
      return Map.of();
    }

    @Override
    Integer measure(Arm arm, Passes passes, int pass) {
      order.add(arm.name() + pass);
      return ++count;
    }

    @Override
    String failure(Integer result) {
      return result == 2 ? failure : "";
    }

    @Override
    String summary() {
      return "";
    }

    @Override
    String finding(Integer often, Arm bestArm, Integer best, Integer evenkeel) {
      return often + " " + bestArm.name() + best + " " + evenkeel;
    }

    @Override
    List<Measure<Integer>> measures() {
      return List.of(Measure.of("n", "", "less", n -> n));
    }
  }

  @Test
  void run_severalPasses_whoBeginsOneEndsTheNext() throws Exception {
    Map<String, Object> section = new Counting("").run(new Passes(3, false));
    assertThat(order).containsExactly("a0", "b0", "c0", "c1", "b1", "a1", "a2", "b2", "c2");
    assertThat(section).containsEntry("status", "done").containsEntry("finding", "6 b5 4");
    Map<?, ?> row = (Map<?, ?>) ((List<?>) section.get("rows")).get(0);
    assertThat(row.get("values"))
        .isEqualTo(List.of(List.of(1.0, 6.0, 7.0), List.of(2.0, 5.0, 8.0), List.of(3.0, 4.0, 9.0)));
  }

  @Test
  void best_isTheArmWithTheBestPassInTheMiddle() {
    Measure<Double> less = Measure.of("n", "", "less", n -> n);
    Measure<Double> more = Measure.of("n", "", "more", n -> n);
    List<List<Double>> stock = List.of(List.of(5.0), List.of(9.0, 1.0, 8.0), List.of(7.0));
    assertThat(less.best(stock)).isZero();
    assertThat(more.best(stock)).isEqualTo(1);
    assertThat(less.best(List.of(List.of(Double.NaN), List.of(3.0), List.of(2.0)))).isEqualTo(2);
    assertThat(more.best(List.of(List.of(Double.NaN), List.of(3.0), List.of(2.0)))).isEqualTo(1);
  }

  @Test
  void run_aResultIsNotToBeTrusted_failedWithItsArm() throws Exception {
    assertThat(new Counting("it broke").run(new Passes(1, false)))
        .containsEntry("status", "failed")
        .containsEntry("reason", "b: it broke")
        .containsKey("rows");
  }

  /** On a busy machine an arm may have written nothing in a second it is compared with. */
  @Test
  void measureIsNoNumberOrInfinite_notMeasuredAndTheReportIsWritten() {
    Measure<Integer> kept = Measure.of("kept", "fraction", "more", n -> n / 0.0);
    Map<String, Object> row = kept.row(List.of(List.of(1), List.of(0)));
    assertThat(row.get("values"))
        .isEqualTo(List.of(Collections.singletonList(null), Collections.singletonList(null)));
    assertThat(Json.compact(row)).contains("\"values\":[[null],[null]]");
  }
}
