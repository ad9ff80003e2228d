package io.evenkeel.bench.sim.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.evenkeel.bench.sim.placement.Shape.Disks;
import io.evenkeel.bench.sim.placement.Shape.Place;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class PlacementTallyTest {
  /** Two racks of two hosts with two DataNodes each; hosts have 2, 3, 2 and 3 disks. */
  private static final Shape SHAPE = Shape.of(2, 2, 2).with(new Disks(List.of(2, 3), false, 0));

  private static Violations judge(int wanted, int... chosen) {
    return Violations.of(SHAPE.places(), SHAPE.racks(), chosen, wanted);
  }

  @Test
  void violations_eachRule_isSeenAlone() {
    assertThat(judge(3, 0, 4, 6)).isEqualTo(Violations.NONE);
    assertThat(judge(3, 0, 4, 5)).isEqualTo(new Violations(1, 0, 0, 0));
    assertThat(judge(2, 0, 2)).isEqualTo(new Violations(0, 1, 1, 0));
    assertThat(judge(3, 0, 4)).isEqualTo(new Violations(0, 0, 0, 1));
    assertThat(judge(3, 0, 1, 2)).isEqualTo(new Violations(1, 1, 1, 0));
    assertThat(judge(1, 0)).isEqualTo(Violations.NONE);
    assertThat(judge(3)).isEqualTo(new Violations(0, 0, 0, 1));
    assertThat(judge(4, 0, 2, 3, 4)).as("cap 3").isEqualTo(new Violations(1, 0, 0, 0));
  }

  @Test
  void violations_oneRackOnly_mayHoldAll() {
    Shape one = Shape.of(1, 4, 1);
    assertThat(Violations.of(one.places(), 1, new int[] {0, 1, 2}, 3)).isEqualTo(Violations.NONE);
  }

  @Test
  void result_handMadeBlocks_countsOnlyUsableDataNodes() {
    PlacementTally tally = new PlacementTally(SHAPE.places());
    tally.add(new int[] {0, 4, 6}, 3);
    tally.add(new int[] {0, 4, 7}, 3);
    tally.add(new int[] {2, 4, 5}, 3);
    BitSet unusable = new BitSet();
    unusable.set(1);
    unusable.set(3);
    PlacementResult result = tally.result(unusable, new InFlight(8));
    assertThat(tally.replicas()).containsExactly(2, 0, 1, 0, 3, 1, 1, 1);
    assertThat(result.replicas()).isEqualTo(new PlacementResult.Replicas(1, 1.5, 3));
    assertThat(result.replicas().mostOverMean()).isEqualTo(2);
    // Disks of the six: 2, 3, 2, 2, 3, 3. The third has 3 replicas on 2 of 15 disks for 9.
    assertThat(result.perWeight()).isCloseTo(1.5 / (9 / 15.0), within(1e-9));
    // Partners: 0 has 4,6,7; 2 has 4,5; 4 has 0,2,5,6,7; 5 has 2,4; 6 has 0,4; 7 has 0,4.
    assertThat(result.scatterWidth()).isCloseTo(16 / 6.0, within(1e-9));
    assertThat(result.violations()).isEqualTo(new Violations(1, 0, 0, 0));
  }

  @Test
  void scatterWidth_manyDataNodes_isThatOfASample() {
    List<Place> places = Shape.of(130, 20, 1).places();
    PlacementTally tally = new PlacementTally(places);
    for (int i = 0; i < 2_600; i++) {
      tally.add(new int[] {i, (i + 1) % 2_600, (i + 2) % 2_600}, 3);
    }
    assertThat(tally.result(new BitSet(), new InFlight(2_600)).scatterWidth()).isEqualTo(4);
  }

  @Test
  void inFlight_startsAndEnds_samplesTheMostOverTheMean() {
    InFlight inFlight = new InFlight(4);
    assertThat(inFlight.mean()).isNaN();
    assertThat(inFlight.p99()).isNaN();
    for (int dataNode : new int[] {0, 0, 0, 1, 2, 3}) {
      inFlight.start(dataNode);
    }
    inFlight.sample(4);
    inFlight.end(0);
    inFlight.end(0);
    inFlight.sample(4);
    assertThat(inFlight.of(0)).isEqualTo(1);
    assertThat(inFlight.snapshot()).containsExactly(1, 1, 1, 1);
    assertThat(inFlight.mean()).isEqualTo((2.0 + 1.0) / 2);
    assertThat(inFlight.p99()).isEqualTo(2.0);
  }

  @Test
  void inFlight_oneOfAHundred_isNotTheP99() {
    InFlight inFlight = new InFlight(1);
    inFlight.start(0);
    for (int i = 0; i < 99; i++) {
      inFlight.sample(1);
    }
    for (int i = 0; i < 99; i++) {
      inFlight.start(0);
    }
    inFlight.sample(7);
    assertThat(inFlight.p99()).isEqualTo(1);
    assertThat(inFlight.mean()).isEqualTo((99 + 7) / 100.0);
  }
}
