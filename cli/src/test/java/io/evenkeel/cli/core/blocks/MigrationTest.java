package io.evenkeel.cli.core.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cli.core.topology.Topology;
import io.evenkeel.cli.core.topology.TopologyLines;
import io.evenkeel.placement.core.EligibleHosts;
import io.evenkeel.placement.core.PlacementRules;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class MigrationTest {
  private static final Topology SIX =
      new Topology(
          TopologyLines.parse(
              List.of(
                  "a:1 /r1/n1",
                  "a:2 /r1/n1",
                  "b:1 /r1/n2",
                  "c:1 /r1/n3",
                  "d:1 /r2/n4",
                  "e:1 /r2/n5",
                  "f:1 /r2/n6")),
          Topology.Layers.AUTO);

  private static Migration migration(Topology topology, String... blocks) {
    Migration migration = new Migration(topology);
    FsckReader reader = new FsckReader(migration::accept);
    for (int i = 0; i < blocks.length; i++) {
      String[] block = blocks[i].split(" ", 2);
      reader.line("/f" + i + " 9 bytes, " + block[0].replace('_', ' ') + ", 1 block(s): OK");
      reader.line("0. BP-1-h-1:blk_-9_1 len=1000 " + block[1]);
    }
    return migration;
  }

  private static String three(String places) {
    return "replicated:_replication=3 Live_repl=3 [" + places + "]";
  }

  @Test
  void forecast_whatBreaksARule_isCopied() {
    MigrationForecast forecast =
        migration(
                SIX,
                three("/r1/n1/a:1, /r2/n4/d:1, /r2/n5/e:1"),
                three("/r1/n1/a:1, /r1/n1/a:2, /r2/n4/d:1"),
                three("/r1/n1/a:1, /r1/n2/b:1, /r1/n3/c:1"),
                three("/r1/n1/a:1, /r1/n1/a:2, /r1/n2/b:1"))
            .forecast(0);
    assertThat(forecast.replicatedBlocks().value()).isEqualTo(3);
    // one host and one rack may be one copy
    assertThat(forecast.copies().value()).isEqualTo(3);
    assertThat(forecast.bytes().value()).isEqualTo(3000);
    assertThat(forecast.bytes().isExact()).isTrue();
    assertThat(forecast.isNeeded()).isTrue();
  }

  @Test
  void forecast_replicasThatLackAnyway_areNotCounted() {
    MigrationForecast forecast =
        migration(SIX, "replicated:_replication=3 Live_repl=2 [/r1/n1/a:1, /r1/n1/a:2]")
            .forecast(0);
    assertThat(forecast.copies().value()).isEqualTo(1); // two hosts are missing, one comes anyway
    assertThat(forecast.shortOfReplicas()).isEqualTo(1);
  }

  @Test
  void forecast_fewHosts_asksForNoMoreThanThereAre() {
    Topology two =
        new Topology(
            TopologyLines.parse(List.of("a:1 /r1/n1", "a:2 /r1/n1", "b:1 /r1/n2")),
            Topology.Layers.AUTO);
    MigrationForecast forecast =
        migration(two, three("/r1/n1/a:1, /r1/n1/a:2, /r1/n2/b:1")).forecast(0);
    assertThat(forecast.isNeeded()).isFalse();
  }

  private static String group(int units, String... places) {
    StringBuilder text = new StringBuilder("erasure-coded:_policy=RS-3-2-1k Live_repl=" + units);
    for (int i = 0; i < units; i++) {
      // 1000 bytes in cells of a kilobyte: one unit of data and two of parity, 1000 bytes each
      text.append(i == 0 ? " [blk_-9:" : ", blk_-" + (7 - i) + ":").append(places[i]);
    }
    return text.append(']').toString();
  }

  /** With node groups the policy asks for a node group per unit, and for two racks. */
  @Test
  void forecast_stripedGroup_copiesUnitsNotBlocks() {
    MigrationForecast forecast =
        migration(SIX, group(3, "/r1/n1/a:1", "/r1/n1/a:2", "/r2/n4/d:1")).forecast(0);
    assertThat(forecast.stripedGroups().value()).isEqualTo(1);
    assertThat(forecast.replicatedBlocks().value()).isZero();
    assertThat(forecast.copies().value()).isEqualTo(1);
    assertThat(forecast.bytes().value()).isEqualTo(1000);
  }

  /** Nine units in three racks of node groups: two racks are enough. */
  @Test
  void forecast_stripedGroupOnNodeGroups_asksForTwoRacksOnly() {
    Topology three =
        new Topology(
            TopologyLines.parse(
                List.of("a:1 /r1/n1", "b:1 /r1/n2", "c:1 /r2/n3", "d:1 /r3/n4", "e:1 /r3/n5")),
            Topology.Layers.AUTO);
    MigrationForecast forecast =
        migration(
                three,
                group(3, "/r1/n1/a:1", "/r1/n2/b:1", "/r2/n3/c:1"),
                group(3, "/r1/n1/a:1", "/r1/n2/b:1", "/r1/n1/a:1"))
            .forecast(0);
    assertThat(forecast.stripedGroups().value()).isEqualTo(1);
    assertThat(forecast.copies().value()).isEqualTo(1);
  }

  /** On plain racks it asks for racks as stock does, and never for hosts. */
  @Test
  void forecast_stripedGroupOnPlainRacks_asksForRacksOnly() {
    Topology plain =
        new Topology(
            TopologyLines.parse(
                List.of("a:1 /r1", "a:2 /r1", "b:1 /r2", "c:1 /r3", "d:1 /r4", "e:1 /r1")),
            Topology.Layers.AUTO);
    MigrationForecast forecast =
        migration(
                plain,
                group(3, "/r1/a:1", "/r1/a:2", "/r2/b:1"),
                group(3, "/r1/a:1", "/r2/b:1", "/r3/c:1"))
            .forecast(0);
    assertThat(forecast.stripedGroups().value()).isEqualTo(1);
    assertThat(forecast.copies().value()).isEqualTo(1);
    Topology oneRack =
        new Topology(
            TopologyLines.parse(List.of("a:1 /r1", "a:2 /r1", "b:1 /r1", "c:1 /r1")),
            Topology.Layers.AUTO);
    assertThat(migration(oneRack, group(3, "/r1/a:1", "/r1/a:2", "/r1/b:1")).forecast(0).isNeeded())
        .isFalse();
  }

  @Test
  void forecast_withoutTopology_knowsNodeGroupsByTheListing() {
    String[] groups = {
      group(3, "/r1/n1/a:1", "/r1/n2/b:1", "/r2/n3/c:1"),
      group(3, "/r1/n1/a:1", "/r2/n3/c:1", "/r3/n4/d:1")
    };
    Topology unknown = new Topology(List.of(), Topology.Layers.AUTO);
    assertThat(migration(unknown, groups).forecast(0).isNeeded()).isFalse();
    Topology racks = new Topology(List.of(), Topology.Layers.RACK);
    assertThat(
            migration(
                    racks,
                    group(3, "/room/r1/a:1", "/room/r1/b:1", "/room/r2/c:1"),
                    group(3, "/room/r1/a:1", "/room/r2/c:1", "/room/r3/d:1"))
                .forecast(0)
                .copies()
                .value())
        .isEqualTo(1);
  }

  @Test
  void forecast_missingBlock_isNotCopied() {
    assertThat(migration(SIX, "replicated:_replication=3 MISSING!").forecast(0).isNeeded())
        .isFalse();
  }

  @Test
  void forecast_withoutTopology_knowsTheHostsOfTheListing() {
    Migration migration =
        migration(
            new Topology(List.of(), Topology.Layers.AUTO),
            three("/r1/n1/a:1, /r1/n1/a:2, /r2/n4/d:1"),
            three("/r1/n2/a:1, /r1/n1/a:2, /r2/n4/d:1"));
    assertThat(migration.hosts()).isEqualTo(3);
    assertThat(migration.racks()).isEqualTo(2);
    assertThat(migration.forecast(0).copies().value()).isEqualTo(1);
  }

  @Test
  void forecast_twoNamesOfOneAddress_areOneHost() {
    Topology plain =
        new Topology(
            TopologyLines.parse(
                List.of(
                    "Rack: /r1",
                    "10.0.0.1:1 (dn1)",
                    "10.0.0.1:2 (dn1b)",
                    "Rack: /r2",
                    "10.0.0.2:1 (dn2)",
                    "10.0.0.3:1 (dn3)")),
            Topology.Layers.AUTO);
    Migration migration = migration(plain, three("/r1/10.0.0.1:1, /r1/10.0.0.1:2, /r2/10.0.0.2:1"));
    assertThat(migration.hosts()).isEqualTo(3);
    assertThat(migration.forecast(0).copies().value()).isEqualTo(1);
  }

  @Test
  void forecast_blockOnAHostNobodyKnows_isNotJudged() {
    Migration migration =
        migration(
            SIX,
            three("/r1/n1/a:1, /r1/n1/a:2, x:1"),
            three("/r1/n1/a:1, /r1/n1/a:2, /r2/n4/d:1"),
            three("a:1(LIVE), b:1(LIVE), d:1(LIVE), x:1(CORRUPT)"));
    assertThat(migration.blocks()).isEqualTo(3);
    assertThat(migration.unjudged()).isEqualTo(1);
    assertThat(migration.forecast(0).copies().value()).isEqualTo(1);
    assertThat(migration.forecast(0).shortOfReplicas()).isZero();
  }

  @Test
  void unknown_addressOnlyWithoutTopology() {
    assertThat(
            migration(new Topology(List.of(), Topology.Layers.AUTO), three("a:1, b:1, c:1"))
                .unknown())
        .containsExactly("a:1", "b:1", "c:1");
  }

  /** The rule by numbers is that of the policy itself, for every placement of replicas. */
  @Test
  void copies_randomPlacements_agreeWithThePolicy() {
    SplittableRandom random = new SplittableRandom(9608);
    int needed = 0;
    for (int i = 0; i < 20_000; i++) {
      int hosts = 1 + random.nextInt(7);
      int racks = 1 + random.nextInt(hosts);
      Set<String> eligibleHosts = new HashSet<>();
      Set<String> eligibleRacks = new HashSet<>();
      EligibleHosts.Builder eligible = new EligibleHosts.Builder();
      for (int h = 0; h < hosts; h++) {
        if (random.nextInt(5) > 0) {
          eligibleHosts.add("h" + h);
          eligibleRacks.add("r" + h % racks);
          eligible.add("h" + h, "r" + h % racks, EligibleHosts.ANY_TYPE);
        }
      }
      int wanted = 1 + random.nextInt(6);
      List<String> onHosts = new ArrayList<>();
      List<String> onRacks = new ArrayList<>();
      for (int r = 0; r < wanted; r++) {
        int h = random.nextInt(hosts);
        onHosts.add("h" + h);
        onRacks.add("r" + h % racks);
      }
      PlacementRules rules = PlacementRules.values()[random.nextInt(2)];
      boolean nodeGroups = random.nextBoolean();
      int hostsWanted = rules.hosts(wanted, nodeGroups);
      int racksWanted = rules.racks(wanted, nodeGroups);
      EligibleHosts all = eligible.build();
      EligibleHosts.Found found = new EligibleHosts.Found();
      for (int r = 0; r < wanted; r++) {
        found.add(onHosts.get(r), onRacks.get(r), EligibleHosts.ANY_TYPE);
      }
      int expected =
          Math.max(
              all.missingHosts(found, hostsWanted, false), all.missingRacks(found, racksWanted));
      BlockShape shape =
          new BlockShape(
              rules,
              wanted,
              wanted,
              new BlockShape.Places(new HashSet<>(onHosts), eligibleHosts),
              new BlockShape.Places(new HashSet<>(onRacks), eligibleRacks));
      assertThat(shape.copies(eligibleHosts.size(), eligibleRacks.size(), nodeGroups))
          .isEqualTo(expected);
      needed += expected;
    }
    assertThat(needed).isGreaterThan(1000);
  }

  @Test
  void forecast_ofASample_hasARangeThatHoldsTheTruth() {
    SplittableRandom random = new SplittableRandom(1);
    int inside = 0;
    for (int run = 0; run < 300; run++) {
      Migration sample = new Migration(SIX);
      FsckReader reader = new FsckReader(sample::accept);
      long violating = 0;
      // a population of 2000 blocks, of which every tenth breaks a rule on average
      for (int i = 0; i < 2000; i++) {
        boolean breaks = random.nextInt(10) == 0;
        violating += breaks ? 1 : 0;
        if (i < 400) {
          reader.line("/f 9 bytes, replicated: replication=3, 1 block(s): OK");
          reader.line(
              "0. BP-1-h-1:blk_-9_1 len="
                  + (1 + random.nextInt(1000))
                  + " Live_repl=3 [/r1/n1/a:1, "
                  + (breaks ? "/r1/n1/a:2" : "/r1/n2/b:1")
                  + ", /r2/n4/d:1]");
        }
      }
      Estimate blocks = sample.forecast(2000).replicatedBlocks();
      assertThat(blocks.isExact()).isFalse();
      assertThat(blocks.low()).isLessThanOrEqualTo(blocks.value());
      inside += blocks.low() <= violating && violating <= blocks.high() ? 1 : 0;
    }
    assertThat(inside).isBetween(270, 299);
  }

  @Test
  void count_noHit_isNotCertainlyNone() {
    Estimate none = Estimate.count(0, 100, 10_000);
    assertThat(none.value()).isZero();
    assertThat(none.low()).isZero();
    assertThat(none.high()).isBetween(100.0, 500.0);
  }

  @Test
  void total_equalValues_isCertain() {
    Estimate total = Estimate.total(500, 2500, 100, 1000);
    assertThat(total.value()).isEqualTo(5000);
    assertThat(total.isExact()).isTrue();
  }

  @Test
  void total_wholePopulation_isTheSum() {
    assertThat(Estimate.total(7, 49, 10, 10).isExact()).isTrue();
    assertThat(Estimate.total(7, 49, 10, 10).value()).isEqualTo(7);
  }
}
