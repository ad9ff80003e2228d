package io.evenkeel.placement.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.placement.core.ExcessRedundancy.Replica;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("once")
class ExcessRedundancyTest {
  /** {@code a1x} is on DataNode x of host a1 in rack a. */
  private static Replica<String> at(String name) {
    return new Replica<>(name, name.substring(0, 1), name.substring(0, 2), name.substring(0, 3));
  }

  private static Replica<String> at(String name, boolean overdue, long heartbeat, long free) {
    return at(name).candidate(heartbeat, overdue, free);
  }

  @ParameterizedTest
  @CsvSource({
    // replicas, hint, added, whether the hint may go
    "a1x a2x b1x b2x, a1x, ,    false",
    "a1x a1y b1x b2x, a1x, ,    true",
    "a1x a2x b1x b2x, a1x, b2x, true",
    "a1x a1y b1x,     a1x, ,    true",
    "a1x b1x b1y,     a1x, b1y, false",
    "a1x b1x b2x,     a1x, b2x, false",
    "a1x b1x b2x c1x, a1x, c1x, true",
    "a1x a2x b1x b1y, a1x, b1y, false",
    "a1x a2x b1x a1y, a1x, a1y, true",
    "a1x a2x b1x,     a2x, a1x, true",
    "a1x b1x c1x,     a1x, c1x, true",
    "a1x b1x c1x,     a1x, ,    false"
  })
  void hintFits_truthTable(String names, String hint, String added, boolean fits) {
    List<Replica<String>> replicas = new ArrayList<>();
    for (String name : names.split(" ", -1)) {
      replicas.add(at(name));
    }
    Replica<String> extra = added == null ? null : named(replicas, added);
    assertThat(new ExcessRedundancy<>(replicas).hintFits(named(replicas, hint), extra))
        .isEqualTo(fits);
  }

  private static Replica<String> named(List<Replica<String>> replicas, String name) {
    return replicas.stream().filter(r -> r.source.equals(name)).findFirst().orElseThrow();
  }

  private static String next(Replica<?>... replicas) {
    List<Replica<String>> all = new ArrayList<>();
    for (Replica<?> replica : replicas) {
      @SuppressWarnings("unchecked")
      Replica<String> named = (Replica<String>) replica;
      all.add(named);
    }
    Replica<String> next = new ExcessRedundancy<>(all).next(r -> true);
    return next == null ? null : next.source();
  }

  @Test
  void next_noHostDoubled_goesByHeartbeatThenSpace() {
    assertThat(next(at("a1x", false, 9, 5), at("a2x", false, 1, 3), at("b1x", false, 5, 1)))
        .as("of the rack with two, the fullest")
        .isEqualTo("a2x");
    assertThat(next(at("a1x", true, 9, 5), at("a2x", false, 1, 3), at("b1x", true, 5, 1)))
        .as("overdue before full, but two racks stay")
        .isEqualTo("a1x");
    assertThat(next(at("a1x", true, 9, 1), at("b1x", true, 5, 5), at("c1x", false, 1, 0)))
        .as("of the overdue ones the oldest")
        .isEqualTo("b1x");
  }

  @Test
  void next_hostDoubled_goesBeforeHeartbeatAndSpace() {
    assertThat(
            next(
                at("a1x", false, 9, 80),
                at("a1y", false, 9, 90),
                at("a2x", true, 1, 1),
                at("b1x", true, 1, 0)))
        .isEqualTo("a1x");
    assertThat(next(at("a1x", false, 9, 80), at("a1y", true, 2, 90), at("b1x", true, 1, 0)))
        .as("of the two on one host the overdue one")
        .isEqualTo("a1y");
  }

  @Test
  void next_twoStoragesOfOneDataNode_isNoDoubledHost() {
    assertThat(next(at("a1x1", false, 9, 8), at("a1x2", false, 9, 9), at("a2x", false, 9, 1)))
        .isEqualTo("a2x");
  }

  @Test
  void next_excessTypesAndCandidates_areTheOnlyOnes() {
    List<Replica<String>> replicas =
        Arrays.asList(at("a1x", false, 9, 1), at("a1y"), at("b1x", false, 9, 5), at("c1x"));
    ExcessRedundancy<String> removal = new ExcessRedundancy<>(replicas);
    assertThat(removal.next(r -> true).source()).isEqualTo("a1x");
    assertThat(removal.next(r -> !r.startsWith("a")).source()).isEqualTo("b1x");
    assertThat(removal.next(r -> r.startsWith("c"))).isNull();
  }

  @Test
  void next_onlyCandidateHoldsTheSecondRack_noneRatherThanOneRack() {
    assertThat(next(at("a1x"), at("a2x"), at("b1x", true, 0, 0))).isNull();
    assertThat(next(at("a1x", false, 0, 0), at("b1x", true, 0, 0)))
        .as("two replicas in two racks: one rack is what is wanted")
        .isEqualTo("b1x");
  }

  @Test
  void remove_randomBlocks_keepTwoRacksAndMostHosts() {
    SplittableRandom random = new SplittableRandom(11);
    for (int i = 0; i < 3_000; i++) {
      List<Replica<String>> left = new ArrayList<>();
      Set<String> names = new HashSet<>();
      while (left.size() < 6) {
        String name =
            ""
                + "abc".charAt(random.nextInt(3))
                + random.nextInt(3)
                + "xyz".charAt(random.nextInt(3));
        if (names.add(name)) {
          left.add(at(name, random.nextBoolean(), random.nextInt(5), random.nextInt(5)));
        }
      }
      ExcessRedundancy<String> removal = new ExcessRedundancy<>(left);
      while (left.size() > 2) {
        int racks = distinct(left, 1);
        int hosts = distinct(left, 2);
        boolean spare = canKeepHosts(left, hosts, Math.min(2, racks));
        Replica<String> next = removal.next(r -> true);
        removal.remove(next);
        left.remove(next);
        assertThat(distinct(left, 1)).isGreaterThanOrEqualTo(Math.min(2, racks));
        assertThat(distinct(left, 2)).isEqualTo(spare ? hosts : hosts - 1);
      }
    }
  }

  private static int distinct(List<Replica<String>> replicas, int length) {
    return (int) replicas.stream().map(r -> r.source.substring(0, length)).distinct().count();
  }

  /** Whether some replica may go so that hosts stay as many and racks do not fall below two. */
  private static boolean canKeepHosts(List<Replica<String>> left, int hosts, int racks) {
    for (Replica<String> out : left) {
      List<Replica<String>> rest = new ArrayList<>(left);
      rest.remove(out);
      if (distinct(rest, 2) == hosts && distinct(rest, 1) >= racks) {
        return true;
      }
    }
    return false;
  }
}
