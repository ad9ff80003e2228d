package io.evenkeel.placement.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("once")
class StripedSearchTest {
  private static BlockTargets place(FakeCluster cluster, int seed, int units, String ask) {
    return cluster
        .engine(seed)
        .striped(Asked.request(cluster, units, ask), new FakeChecks(cluster, units));
  }

  /** Internal blocks by host and by rack, in order of size; existing ones included. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "a:1,1 b:1,1; 4; ''; 1 1 1 1; 2 2",
        "a:1,1 b:1,1 c:1,1; 3; ''; 1 1 1; 1 1 1",
        "a:1 b:1,1,1; 3; on=b0; 1 1 1; 1 2",
        "a:2,2 b:2,2; 6; on=a0; 1 1 2 2; 3 3",
        "a:4,4 b:4,4; 9; ''; 2 2 2 3; 4 5",
        "a:9; 9; on=a0; 9; 9",
        "a:1,3,3; 6; ''; 1 2 3; 6",
        "a:1,1,1,1 b:1,1; 6; ''; 1 1 1 1 1 1; 2 4",
        "a:1,1,1,1 b:1,1; 4; ''; 1 1 1 1; 2 2",
        "a:1,1 b:1,1; 6; ''; 1 1 1 1; 2 2",
        "a:1,1 b:1,1; 4; out=a0; 1 1 1; 1 2",
        "a:2,2 b:2,2; 2; have=a0,a1; 1 1 1 1; 2 2",
        "a:2,2 b:2,2; 5; have=b1; 1 1 2 2; 3 3"
      })
  void striped_unitsByHostAndRack(
      String spec, int units, String ask, String byHost, String byRack) {
    FakeCluster cluster = FakeCluster.of(spec);
    for (int seed = 0; seed < 25; seed++) {
      BlockTargets placement = place(cluster, seed, units, ask);
      BlockRequest request = Asked.request(cluster, units, ask);
      int[] hosts = new int[cluster.topology.hosts()];
      int[] racks = new int[cluster.topology.racks()];
      for (int[] nodes : new int[][] {placement.nodes(), request.chosen}) {
        for (int node : nodes) {
          hosts[cluster.topology.hostOf(node)]++;
          racks[cluster.topology.rackOf(node)]++;
        }
      }
      assertThat(placement.nodes()).doesNotHaveDuplicates();
      assertThat(sizes(hosts)).isEqualTo(byHost);
      assertThat(sizes(racks)).isEqualTo(byRack);
      assertThat(placement.mostOnOneHost()).isEqualTo(Arrays.stream(hosts).max().orElse(0));
    }
  }

  private static String sizes(int... counts) {
    return Arrays.stream(counts)
        .filter(c -> c > 0)
        .sorted()
        .mapToObj(Integer::toString)
        .collect(Collectors.joining(" "));
  }

  @Test
  void striped_writer_getsTheFirstUnitIfItTakesIt() {
    FakeCluster cluster = FakeCluster.of("a:2,2 b:2,2");
    int writer = cluster.node("b1") + 1;
    BlockRequest request = new BlockRequest(4).writtenOn(cluster.topology, writer);
    FakeChecks targets = new FakeChecks(cluster, 4);
    BlockTargets placement = cluster.engine(1).striped(request, targets);
    assertThat(placement.nodes()).startsWith(writer).hasSize(4);
    assertThat(targets.locals).containsExactly(true, false, false, false);
    cluster.inService[writer] = false;
    assertThat(cluster.engine(1).striped(request, new FakeChecks(cluster, 4)).nodes())
        .doesNotContain(writer)
        .hasSize(4);
  }

  @Test
  void striped_hostInMaintenance_isUsedAfterTheOthers() {
    FakeCluster cluster = FakeCluster.of("a:2,2 b:2,2");
    for (int seed = 0; seed < 25; seed++) {
      BlockTargets three = place(cluster, seed, 3, "soft=b0");
      assertThat(cluster.hosts(three.nodes())).doesNotContain("b0");
      assertThat(Asked.relaxed(three)).isEmpty();
      BlockTargets five = place(cluster, seed, 5, "soft=b0");
      assertThat(cluster.hosts(five.nodes())).matches("[^b]. .*b0 (a0|a1|b1)|b1 .*b0 (a0|a1|b1)");
      assertThat(Asked.relaxed(five)).isEqualTo("MAINTENANCE_HOST=1");
    }
  }
}
