package io.evenkeel.bench.gameday.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.bench.gameday.cluster.DataNodePlace.Volume;
import io.evenkeel.bench.gameday.fault.DiskOrder;
import io.evenkeel.bench.gameday.fault.DiskOrder.Effect;
import io.evenkeel.bench.gameday.schedule.Fault;
import io.evenkeel.bench.gameday.schedule.Fault.Kind;
import io.evenkeel.common.json.Json;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class LastingFaultsTest {
  private final DataNodePlace dn1 = node("dn1", "host1", "127.0.1.1");
  private final DataNodePlace dn2 = node("dn2", "host1", "127.0.1.2");
  private final DataNodePlace dn3 = node("dn3", "host2", "127.0.2.1");
  private final LastingFaults lasting = new LastingFaults(List.of(dn1, dn2, dn3));

  private static DataNodePlace node(String name, String host, String address) {
    Path data = Path.of("/c", name);
    return new DataNodePlace(
        name,
        host,
        "rack1",
        address,
        9866,
        List.of(
            new Volume("SSD", data.resolve("ssd")),
            new Volume("DISK", data.resolve("disk")),
            new Volume("DISK", data.resolve("disk2"))));
  }

  private static Fault fault(Kind kind, String target) {
    return new Fault(kind, target, "", 0);
  }

  private static Fault ofVolume(Kind kind, String target, String volume) {
    return new Fault(kind, target, volume, 0);
  }

  @Test
  void killed_hostAndOneOfIts_endOfTheHostLeavesTheOneDead() {
    lasting.add(fault(Kind.KILL_DATANODE, "dn1"));
    lasting.add(fault(Kind.KILL_HOST, "host1"));
    assertThat(List.of(dn1, dn2, dn3)).filteredOn(lasting::killed).containsExactly(dn1, dn2);
    lasting.remove(fault(Kind.KILL_HOST, "host1"));
    assertThat(List.of(dn1, dn2, dn3)).filteredOn(lasting::killed).containsExactly(dn1);
    lasting.remove(fault(Kind.KILL_DATANODE, "dn1"));
    assertThat(lasting.killed(dn1)).isFalse();
  }

  @Test
  void dataNodeWithoutAVolumeThatWorks_mayBeDead() {
    lasting.add(ofVolume(Kind.FAIL_VOLUME, "dn1", "SSD"));
    lasting.add(ofVolume(Kind.FAIL_VOLUME, "dn1", "SSD"));
    lasting.add(ofVolume(Kind.REMOVE_VOLUME, "dn1", "DISK"));
    lasting.add(ofVolume(Kind.FULL_VOLUME, "dn1", "disk2"));
    assertThat(lasting.shallLive(dn1)).isTrue();
    lasting.add(ofVolume(Kind.FAIL_VOLUME, "dn1", "disk2"));
    assertThat(lasting.shallLive(dn1)).isFalse();
    lasting.add(fault(Kind.KILL_HOST, "host2"));
    assertThat(List.of(dn1, dn2, dn3)).filteredOn(lasting::shallLive).containsExactly(dn2);
  }

  @Test
  void orders_ofSeveralFaults_nameVolumesAndLastOneByOne() {
    lasting.add(ofVolume(Kind.HANG_VOLUME, "dn1", "DISK"));
    lasting.add(ofVolume(Kind.FULL_VOLUME, "host1", "disk2"));
    lasting.add(new Fault(Kind.SLOW_VOLUME, "dn1", "SSD", 30));
    assertThat(lasting.orders(dn1))
        .containsExactly(
            new DiskOrder("disk", Effect.HANG),
            new DiskOrder("disk2", Effect.FULL),
            new DiskOrder("ssd", Effect.SLOW, 30));
    assertThat(lasting.orders(dn2)).containsExactly(new DiskOrder("disk2", Effect.FULL));
    lasting.remove(ofVolume(Kind.HANG_VOLUME, "dn1", "DISK"));
    assertThat(lasting.orders(dn1)).hasSize(2);
    assertThat(lasting.orders(dn3)).isEmpty();
  }

  @Test
  void conf_volumeRemovedAndStock_hasNeitherThatNorOurKeys() {
    Map<String, String> original =
        Map.of(
            "dfs.datanode.fsdataset.factory",
            "io.evenkeel.locking.FineGrainedDatasetFactory",
            "evenkeel.locking.some",
            "1",
            "dfs.datanode.plugins",
            "io.evenkeel.bench.gameday.fault.FaultAgent",
            "dfs.replication",
            "3",
            LastingFaults.DATA_DIRS,
            "any");
    lasting.add(ofVolume(Kind.REMOVE_VOLUME, "dn1", "DISK"));
    lasting.add(fault(Kind.RESTART_WITH_STOCK, "dn1"));
    assertThat(lasting.conf(dn1, original))
        .containsOnly(
            Map.entry("dfs.datanode.plugins", "io.evenkeel.bench.gameday.fault.FaultAgent"),
            Map.entry("dfs.replication", "3"),
            Map.entry(LastingFaults.DATA_DIRS, "[SSD]file:///c/dn1/ssd,[DISK]file:///c/dn1/disk2"));
    assertThat(lasting.conf(dn2, original))
        .hasSize(5)
        .containsEntry(
            LastingFaults.DATA_DIRS,
            "[SSD]file:///c/dn2/ssd,[DISK]file:///c/dn2/disk,[DISK]file:///c/dn2/disk2");
  }

  @Test
  void hostsFile_twoAdminStates_listsAllDataNodes() {
    lasting.add(fault(Kind.DECOMMISSION, "dn2"));
    lasting.add(fault(Kind.MAINTENANCE, "dn3"));
    assertThat(Json.parse(lasting.hostsFile()))
        .isEqualTo(
            List.of(
                Map.of("hostName", "127.0.1.1", "port", 9866L),
                Map.of("hostName", "127.0.1.2", "port", 9866L, "adminState", "DECOMMISSIONED"),
                Map.of("hostName", "127.0.2.1", "port", 9866L, "adminState", "IN_MAINTENANCE")));
    assertThat(List.of(dn1, dn2, dn3)).filteredOn(lasting::inService).containsExactly(dn1);
  }

  @Test
  void targets_none_areAllDataNodes() {
    assertThat(lasting.targets(fault(Kind.RESTART_DATANODE, ""))).containsExactly(dn1, dn2, dn3);
    assertThat(lasting.targets(fault(Kind.KILL_NAMENODE, "nn"))).isEmpty();
    assertThat(lasting.targets(fault(Kind.FAILOVER, "nn"))).isEmpty();
  }

  @Test
  void add_unknownTargetOrVolume_isRefusedAndDoesNotLast() {
    assertThatThrownBy(() -> lasting.add(fault(Kind.KILL_DATANODE, "dn9")))
        .hasMessageContaining("dn9");
    assertThatThrownBy(() -> lasting.add(ofVolume(Kind.HANG_VOLUME, "dn1", "ARCHIVE")))
        .hasMessageContaining("ARCHIVE");
    assertThatThrownBy(() -> lasting.remove(fault(Kind.KILL_DATANODE, "dn1")))
        .hasMessageContaining("has not begun");
    assertThat(lasting.all()).isEmpty();
  }
}
