package io.evenkeel.cli.doctor.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PausesTest {
  /** DataNodes that stood still, and collected garbage, for so many seconds of a hundred. */
  private static List<Diagnosis> find(long[] paused, long[] collected) {
    List<DataNodeHistory> dataNodes = new ArrayList<>();
    for (int i = 0; i < paused.length; i++) {
      List<Reading> rounds = new ArrayList<>();
      for (int end = 0; end < 2; end++) {
        Map<String, Object> bean =
            Map.of(
                "name",
                "Hadoop:service=DataNode,name=JvmMetrics",
                "GcTotalExtraSleepTime",
                5000 + 1000 * end * paused[i],
                "GcTimeMillis",
                7000 + 1000 * end * collected[i]);
        rounds.add(Reading.of(100 * end, List.of(bean)));
      }
      dataNodes.add(new DataNodeHistory("dn" + i, "h" + i, "/r", true, rounds));
    }
    return Pauses.find(new Given().cluster(dataNodes));
  }

  @Test
  void find_noPauses_findsNothing() {
    assertThat(find(new long[] {0, 1, 4}, new long[] {1, 1, 1})).isEmpty();
  }

  @Test
  void find_oneThatStandsStill_isNotBlamedOnItsHeap() {
    List<Diagnosis> found = find(new long[] {0, 40, 1}, new long[] {1, 1, 1});
    assertThat(found).extracting(Diagnosis::subject).containsExactly("dn1");
    assertThat(found.get(0).evidence())
        .isEqualTo(
            "its JVM stood still for 40.0% of the time (half of all DataNodes: at most 1.0%),"
                + " garbage collection took 1.0%");
    assertThat(found.get(0).stock()).startsWith("Not garbage collection: look for swapping");
  }

  @Test
  void find_oneThatCollectsGarbage_needsHeap() {
    assertThat(find(new long[] {0, 40, 1}, new long[] {1, 35, 1}))
        .extracting(Diagnosis::stock)
        .containsExactly("Give it more heap (HDFS_DATANODE_OPTS) or another collector.");
  }

  @Test
  void find_allAlike_namesNone() {
    assertThat(find(new long[] {10, 11, 12}, new long[] {1, 1, 1})).isEmpty();
  }
}
