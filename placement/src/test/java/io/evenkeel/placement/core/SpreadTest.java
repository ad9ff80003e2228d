package io.evenkeel.placement.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("once")
class SpreadTest {
  private static List<String> list(String words) {
    return words == null ? new ArrayList<>() : Arrays.asList(words.split(" "));
  }

  @ParameterizedTest
  @CsvSource({
    // eligible hosts, hosts of the replicas, wanted, missing, missing when strict
    "a b c d, a b c,   3, 0, 0",
    "a b c d, a a b,   3, 1, 1",
    "a b c d, a a a,   3, 2, 2",
    "a b,     a b b,   3, 0, 1",
    "a b,     a a a,   3, 1, 2",
    "a,       a,       3, 0, 2",
    "a b c,   x y,     3, 1, 1",
    "a b,     x a,     4, 1, 2",
    ",        x x,     2, 0, 1",
    "a b c,   a b c,   2, 0, 0",
    "a b c,   ,        2, 2, 2"
  })
  void missingHosts_asksForEligibleOnesOnly(
      String eligible, String found, int wanted, int missing, int strict) {
    Spread spread = new Spread(list(eligible), list("r"));
    Spread.Found at = new Spread.Found(list(found), list(found));
    assertThat(spread.missingHosts(at, wanted, false)).isEqualTo(missing);
    assertThat(spread.missingHosts(at, wanted, true)).isEqualTo(strict);
  }

  @ParameterizedTest
  @CsvSource({
    "r s t, r r r, 2, 1",
    "r s t, r s r, 2, 0",
    "r,     r r r, 2, 0",
    "s,     r r r, 2, 1",
    ",      r r,   2, 0",
    "r s t, r r,   9, 2",
    "r s t, r s t, 2, 0"
  })
  void missingRacks_asksForEligibleOnesOnly(
      String eligible, String found, int wanted, int missing) {
    Spread spread = new Spread(list("h"), list(eligible));
    assertThat(spread.missingRacks(new Spread.Found(list("h"), list(found)), wanted))
        .isEqualTo(missing);
  }

  @Test
  void hostsWith_countsEligibleAndUsedOnes() {
    Spread spread = new Spread(list("a b"), list("r"));
    assertThat(spread.hostsWith(Set.of())).isEqualTo(2);
    assertThat(spread.hostsWith(Set.of("b"))).isEqualTo(2);
    assertThat(spread.hostsWith(Set.of("b", "c", "d"))).isEqualTo(4);
  }

  @Test
  void found_countsDifferentKeys() {
    Spread.Found found = new Spread.Found(list("a a b"), list("r r r"));
    assertThat(new int[] {found.hosts(), found.racks()}).containsExactly(2, 1);
    Spread spread = new Spread(list("a b c b"), list("r s s"));
    assertThat(new int[] {spread.hosts(), spread.racks()}).containsExactly(3, 2);
  }

  /** Hosts are named with their rack: a1 is in rack a. */
  @ParameterizedTest
  @CsvSource({
    "b1 b2, a1, a2, true",
    "b1 b2, a1, c1, true",
    "b1 b2, a1, b3, false",
    "b1 b2, a1, b1, false",
    "b1 b2, b1, a1, true",
    "b1 b2, b1, b2, true",
    "b1 a2, a2, b3, true",
    "b1 a2, b2, b1, false",
    "b1 a2, b2, b3, true",
    "b1 a2, c1, b2, false",
    "b1 a2, c1, c2, true",
    ",      a1, b1, true",
    "a1,    a1, a1, true"
  })
  void movable_truthTable(String others, String source, String target, boolean movable) {
    List<String[]> rest = new ArrayList<>();
    list(others).forEach(name -> rest.add(place(name)));
    assertThat(Spread.movable(rest, place(source), place(target))).isEqualTo(movable);
  }

  private static String[] place(String name) {
    return new String[] {name, name.substring(0, 1)};
  }
}
