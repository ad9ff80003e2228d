package io.evenkeel.cli.doctor.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.evenkeel.cli.doctor.core.Diagnosis.Certainty;
import io.evenkeel.cli.doctor.core.Diagnosis.Kind;
import io.evenkeel.cli.doctor.core.Given.Disk;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FillTest {
  @Test
  void find_dataNodesAlike_findsNothing() {
    Given given = new Given();
    for (int i = 0; i < 4; i++) {
      given.dataNode("dn" + i, Disk.of("/1", 500 + i, 500), Disk.of("/2", 505, 500));
    }
    assertThat(Fill.find(given.cluster())).isEmpty();
  }

  @Test
  void find_oneDataNodeFuller_namesIt() {
    Given given = new Given();
    for (int i = 0; i < 4; i++) {
      given.dataNode("dn" + i, Disk.of("/1", i == 2 ? 800 : 500, i == 2 ? 200 : 500));
    }
    List<Diagnosis> found = Fill.find(given.cluster());
    assertThat(found).extracting(Diagnosis::kind).containsExactly(Kind.UNEVEN_DATANODES);
    assertThat(found.get(0).evidence()).contains("; 1 is 10 points fuller: dn2 (80 %)");
    assertThat(found.get(0).certainty()).isEqualTo(Certainty.CERTAIN);
  }

  @Test
  void find_typesOfUnequalFill_areNotCompared() {
    Given given = new Given();
    for (int i = 0; i < 4; i++) {
      given.dataNode("dn" + i, Disk.of("/1", 100, 900), Disk.of("/2", 600, 400).on("SSD"));
    }
    assertThat(Fill.find(given.cluster())).isEmpty();
  }

  @Test
  void find_volumesOfOneDataNodeApart_namesTheTwo() {
    Given given =
        new Given()
            .dataNode("dn1", Disk.of("/1", 500, 500), Disk.of("/2", 490, 500))
            .dataNode("dn2", Disk.of("/1", 800, 200), Disk.of("/2", 190, 800));
    List<Diagnosis> found = Fill.find(given.cluster());
    assertThat(found).extracting(Diagnosis::kind).containsExactly(Kind.UNEVEN_VOLUMES);
    assertThat(found.get(0).evidence()).endsWith("the most: dn2 /1 (80 %) and dn2 /2 (19 %)");
  }

  @Test
  void find_volumeWithoutABlockAmongFullOnes_isUnused() {
    Given given =
        new Given()
            .dataNode("dn1", Disk.of("/1", 10, 900).with(5000), Disk.of("/2", 0, 900).with(0));
    List<Diagnosis> found = Fill.find(given.cluster());
    assertThat(found).extracting(Diagnosis::kind).containsExactly(Kind.UNEVEN_VOLUMES);
    assertThat(found.get(0).evidence()).contains("dn1 /2");
  }

  @Test
  void find_volumeThatGrows_isFullSoonAtThatPace() {
    // 1 GiB in two minutes are 30 GiB an hour; 95 % of 1000 GiB is 50 GiB away
    Given given = new Given().dataNode("dn1", Disk.of("/1", 899, 100).growingTo(900));
    given.dataNode("dn2", Disk.of("/1", 100, 900)).dataNode("dn3", Disk.of("/1", 100, 900));
    List<Diagnosis> found = Fill.find(given.cluster());
    found.removeIf(each -> each.kind() != Kind.FULL_SOON);
    assertThat(found).extracting(Diagnosis::subject).containsExactly("volumes, DISK");
    assertThat(found.get(0).certainty()).isEqualTo(Certainty.POSSIBLE);
    assertThat(found.get(0).evidence()).contains("the first in 1h40m");
  }

  @Test
  void find_volumeThatIsFull_isCertain() {
    Given given = new Given().dataNode("dn1", Disk.of("/1", 980, 20));
    List<Diagnosis> found = Fill.find(given.cluster());
    assertThat(found)
        .extracting(Diagnosis::subject, Diagnosis::certainty)
        .containsExactly(
            tuple("volumes, DISK", Certainty.CERTAIN),
            tuple("storage type DISK", Certainty.CERTAIN));
    assertThat(found.get(0).evidence()).startsWith("1 of 1 volumes are at least 95 % full");
  }

  @Test
  void find_storageTypeNearlyFull_isTold() {
    Map<String, Object> ssd =
        Map.of(
            "key",
            "SSD",
            "value",
            Map.of(
                "capacityTotal", 1000L,
                "capacityUsed", 960L,
                "capacityRemaining", 40L,
                "nodesInService", 3L));
    Given given = new Given().nameNode("StorageTypeStats", List.of(ssd));
    List<Diagnosis> found = Fill.find(given.cluster());
    assertThat(found).extracting(Diagnosis::subject).containsExactly("storage type SSD");
    assertThat(found.get(0).evidence()).isEqualTo("96 % full, 40 B left on DataNodes in service");
  }

  @Test
  void find_twoDataNodesApart_namesTheFuller() {
    Given given = new Given().dataNode("dn1", Disk.of("/1", 300, 700));
    List<Diagnosis> found = Fill.find(given.dataNode("dn2", Disk.of("/1", 490, 510)).cluster());
    assertThat(found.get(0).evidence()).contains("1 is 10 points fuller: dn2 (49 %)");
  }

  @Test
  void find_storageTypeWhileDataNodesLeave_isThatOfTheOthers() {
    Map<String, Object> sums =
        Map.of("key", "DISK", "value", Map.of("capacityUsed", 960L, "capacityRemaining", 40L));
    List<Reading> rounds =
        new Given().dataNode("x", Disk.of("/1", 85, 15)).cluster().dataNodes().get(0).rounds();
    Given given = new Given().nameNode("StorageTypeStats", List.of(sums));
    for (int i = 0; i < 5; i++) {
      given.dataNode(new DataNodeHistory("dn" + i, "h", "/r", i < 2, rounds));
    }
    assertThat(Fill.find(given.cluster())).isEmpty();
    assertThat(Fill.forecast(given.cluster(), 0).get("DISK")).containsExactly(0.85);
  }
}
