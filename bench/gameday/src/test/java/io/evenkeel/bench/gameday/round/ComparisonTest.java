package io.evenkeel.bench.gameday.round;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.bench.gameday.history.Finding;
import io.evenkeel.bench.gameday.history.Finding.Kind;
import io.evenkeel.bench.gameday.round.Comparison.Measured;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class ComparisonTest {
  private static Measured measured(
      String name, double calm, double pause, long refusals, long leftovers) {
    Map<StockDefects, Long> counts = Map.of(StockDefects.RESERVED_SPACE, leftovers);
    return new Measured(name, calm, pause, refusals, counts);
  }

  private static List<Measured> rounds(int count, double calm, double pause) {
    return Collections.nCopies(count, measured("s", calm, pause, 0, 0));
  }

  private static List<Measured> with(List<Measured> rounds, Measured last) {
    List<Measured> all = new ArrayList<>(rounds);
    all.add(last);
    return all;
  }

  @Test
  void worse_farBeyondTheWorstOfStock_isTold() {
    List<Measured> stock = with(rounds(4, 10, 5), measured("w", 40, 20, 2, 30));
    assertThat(Comparison.worse(rounds(5, 40, 20), stock)).isEmpty();
    assertThat(Comparison.worse(with(rounds(4, 0, 0), measured("7", 89, 59, 12, 54)), stock))
        .isEmpty();
    assertThat(Comparison.worse(with(rounds(4, 0, 0), measured("7", 91, 61, 14, 56)), stock))
        .hasSize(5) // the leftovers as a sum and by their kind
        .first()
        .isEqualTo("round 7: 91.0 s until full replication, stock at worst 40.0");
  }

  @Test
  void worse_aFewMoreInEachRoundThanStock_isTold() {
    List<Measured> stock = Collections.nCopies(5, measured("s", 0, 0, 0, 4));
    assertThat(Comparison.worse(Collections.nCopies(5, measured("o", 0, 0, 0, 9)), stock))
        .isEmpty();
    assertThat(Comparison.worse(Collections.nCopies(5, measured("o", 0, 0, 0, 10)), stock))
        .containsExactly("all rounds: 10.0 known leftovers on average, RESERVED_SPACE, stock 4.0");
    Measured other = new Measured("s", 0, 0, 0, Map.of(StockDefects.EMPTY_META, 40L));
    assertThat(
            Comparison.worse(
                Collections.nCopies(5, measured("o", 0, 0, 0, 10)), Collections.nCopies(5, other)))
        .as("of another kind than stock's")
        .hasSize(1);
  }

  @Test
  void worse_aFewOfEachKindInOneRound_isToldAsASum() {
    Map<StockDefects, Long> few = new EnumMap<>(StockDefects.class);
    for (StockDefects defect : StockDefects.values()) {
      few.put(defect, 3L);
    }
    List<Measured> ours = with(rounds(4, 0, 0), new Measured("7", 0, 0, 0, few));
    assertThat(Comparison.worse(ours, rounds(5, 0, 0)))
        .singleElement()
        .asString()
        .matches("round 7: \\d+\\.0 known leftovers, stock at worst 0\\.0");
  }

  @Test
  void worse_tooFewRounds_nothingIsSaid() {
    assertThat(Comparison.worse(rounds(5, 900, 0), rounds(4, 1, 0))).isEmpty();
    assertThat(Comparison.worse(rounds(4, 900, 0), rounds(5, 1, 0))).isEmpty();
    assertThat(Comparison.worse(rounds(5, 900, 0), rounds(5, 1, 0))).hasSize(5);
  }

  @Test
  void stockDefects_explainTheirOwnAndNothingElse() {
    assertThat(
            StockDefects.of(
                new Finding(Kind.LEFT_OVER, "", "", "a TEMPORARY replica nobody knows of")))
        .contains(StockDefects.TEMPORARY_REPLICA);
    assertThat(
            StockDefects.of(
                new Finding(Kind.LEFT_OVER, "", "", "a meta file in tmp that is of no replica")))
        .contains(StockDefects.TEMPORARY_REPLICA);
    assertThat(
            StockDefects.of(new Finding(Kind.LEFT_OVER, "", "", "a RBW replica nobody knows of")))
        .isEmpty();
    String unclosed = "IOException: not closed in 240 s";
    String encoded = "/game/XOR-2-1-1024k/f";
    assertThat(StockDefects.of(new Finding(Kind.UNREADABLE, encoded, "", unclosed)))
        .as("without a proof")
        .isEmpty();
    String proven = unclosed + Proofs.TOO_FEW_INTERNAL_BLOCKS;
    assertThat(StockDefects.of(new Finding(Kind.UNREADABLE, encoded, "", proven)))
        .contains(StockDefects.UNCLOSED_BLOCK_GROUP);
    assertThat(StockDefects.of(new Finding(Kind.LEAK, "", "", "12 bytes are reserved")))
        .contains(StockDefects.RESERVED_SPACE);
    assertThat(StockDefects.of(new Finding(Kind.LEAK, "", "", "2 references, before the load 0")))
        .isEmpty();
  }
}
