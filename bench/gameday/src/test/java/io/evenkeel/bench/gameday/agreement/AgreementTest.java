package io.evenkeel.bench.gameday.agreement;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.bench.gameday.agreement.Agreement.Rules;
import io.evenkeel.bench.gameday.agreement.Block.Location;
import io.evenkeel.bench.gameday.agreement.DataNodeContent.Held;
import io.evenkeel.bench.gameday.history.Finding;
import io.evenkeel.bench.gameday.history.Finding.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class AgreementTest {
  private static final Rules ALL = new Rules(true, true, true, true);
  private static final long ID = 17;
  private static final long BYTES = 1000;

  /** Four DataNodes on three hosts in two racks; d3 and d4 share a host. */
  private final List<DataNodeContent> dataNodes = new ArrayList<>();

  AgreementTest() {
    add("d1", "h1", "r1");
    add("d2", "h2", "r1");
    add("d3", "h3", "r2");
    add("d4", "h3", "r2");
  }

  private void add(String name, String host, String rack) {
    Map<String, String> storages = Map.of(name + "-s", "ssd", name + "-d", "disk");
    dataNodes.add(new DataNodeContent(name, host, rack, storages, List.of(), List.of()));
  }

  private static Location on(String dataNode) {
    return new Location(dataNode, dataNode + "-d", "DISK");
  }

  private static Block block(Location... replicas) {
    List<String> types = List.of("DISK", "DISK", "DISK");
    return new Block("/f", ID, 5, BYTES, false, 3, types, List.of(replicas));
  }

  /** A DataNode that has the block as it should, but for what is given. */
  private void has(String name, Held held, BlockFile... files) {
    dataNodes.replaceAll(
        node ->
            node.name().equals(name)
                ? new DataNodeContent(
                    name,
                    node.host(),
                    node.rack(),
                    node.storages(),
                    held == null ? List.of() : List.of(held),
                    List.of(files))
                : node);
  }

  private static Held held(String name) {
    return new Held(ID, 5, BYTES, "FINALIZED", name + "-d");
  }

  private static BlockFile data(String directory, long length) {
    return new BlockFile("disk", directory, ID, -1, length);
  }

  private static BlockFile meta(String directory, long generation) {
    return new BlockFile("disk", directory, ID, generation, 11);
  }

  private void hasIt(String... names) {
    for (String name : names) {
      has(name, held(name), data("finalized", BYTES), meta("finalized", 5));
    }
  }

  private List<Finding> findings(Block... blocks) {
    return new Agreement(List.of(blocks), Set.of(), dataNodes, ALL).findings();
  }

  private List<Kind> kinds(Block... blocks) {
    return findings(blocks).stream().map(Finding::kind).toList();
  }

  @Test
  void findings_allAgree_none() {
    hasIt("d1", "d2", "d3");
    assertThat(findings(block(on("d1"), on("d2"), on("d3")))).isEmpty();
  }

  @Test
  void findings_placement_isJudged() {
    hasIt("d1", "d2", "d3", "d4");
    assertThat(kinds(block(on("d1"), on("d3"), on("d4"))))
        .as("d2's is left over")
        .containsExactlyInAnyOrder(Kind.SHARED_HOST, Kind.LEFT_OVER);
    assertThat(kinds(block(on("d1"), on("d2"), on("d3"), on("d4"))))
        .containsExactly(Kind.MANY_REPLICAS);
    hasIt("d1", "d2");
    has("d3", null);
    has("d4", null);
    assertThat(kinds(block(on("d1"), on("d2"))))
        .containsExactlyInAnyOrder(Kind.FEW_REPLICAS, Kind.ONE_RACK);
    Block ofOne =
        new Block("/f", ID, 5, BYTES, false, 1, List.of("DISK"), List.of(on("d1"), on("d2")));
    assertThat(kinds(ofOne)).as("one of them is to go").containsExactly(Kind.MANY_REPLICAS);
  }

  @Test
  void findings_internalBlocksOfAGroup_areOnDifferentHosts() {
    assertThat(groupOn("d1", "d3", "d4")).containsExactly(Kind.SHARED_HOST);
    assertThat(groupOn("d1", "d2", "d3")).isEmpty();
    assertThat(groupOn("d1", "d2", "d3", "d4")).as("there are three hosts").isEmpty();
    Agreement.Rules ofStock = new Agreement.Rules(true, true, true, false);
    assertThat(new Agreement(group("d3", "d4"), Set.of(), dataNodes, ofStock).findings())
        .extracting(Finding::kind)
        .doesNotContain(Kind.SHARED_HOST);
  }

  private List<Kind> groupOn(String... holders) {
    return kinds(group(holders).toArray(Block[]::new)).stream()
        .filter(kind -> kind == Kind.SHARED_HOST)
        .toList();
  }

  private static List<Block> group(String... holders) {
    List<Block> blocks = new ArrayList<>();
    for (String holder : holders) {
      long id = -32 + blocks.size();
      blocks.add(new Block("/ec", id, 5, BYTES, true, 1, List.of(), List.of(on(holder))));
    }
    return blocks;
  }

  @Test
  void findings_tooMany_saysWhereTheNameNodeFindsNoneToDelete() {
    hasIt("d1", "d3", "d4");
    List<Location> replicas = List.of(on("d1"), on("d3"), on("d4"));
    assertThat(tooMany(List.of("DISK", "DISK"), replicas)).doesNotContain(Agreement.ALONE);
    List<Location> oneSsd = List.of(new Location("d1", "d1-s", "SSD"), on("d3"), on("d4"));
    assertThat(tooMany(List.of("DISK", "DISK"), oneSsd)).endsWith(Agreement.ALONE);
    assertThat(tooMany(List.of("DISK", "SSD"), oneSsd)).doesNotContain(Agreement.ALONE);
    assertThat(tooMany(List.of(), oneSsd)).doesNotContain(Agreement.ALONE);
    List<Location> inMemory = List.of(new Location("d1", "d1-m", "RAM_DISK"), on("d3"), on("d4"));
    assertThat(tooMany(List.of(), inMemory)).endsWith(Agreement.ALONE);
    List<Location> beside = List.of(new Location("d2", "d2-s", "SSD"), on("d1"), on("d3"));
    assertThat(tooMany(List.of("DISK", "DISK"), beside)).doesNotContain(Agreement.ALONE);
    List<Location> besideTwo =
        List.of(new Location("d2", "d2-s", "SSD"), on("d1"), on("d3"), on("d4"));
    assertThat(tooMany(List.of("DISK", "DISK", "DISK"), besideTwo)).endsWith(Agreement.ALONE);
  }

  private String tooMany(List<String> types, List<Location> replicas) {
    Block block = new Block("/f", ID, 5, BYTES, false, replicas.size() - 1, types, replicas);
    return findings(block).stream()
        .filter(finding -> finding.kind() == Kind.MANY_REPLICAS)
        .map(Finding::reason)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void findings_storageType_onlyWhereItIsARule() {
    hasIt("d1", "d2");
    Held onSsd = new Held(ID, 5, BYTES, "FINALIZED", "d3-s");
    has(
        "d3",
        onSsd,
        new BlockFile("ssd", "finalized", ID, -1, BYTES),
        new BlockFile("ssd", "finalized", ID, 5, 11));
    Block block = block(on("d1"), on("d2"), new Location("d3", "d3-s", "SSD"));
    assertThat(kinds(block)).containsExactly(Kind.WRONG_TYPE);
    Rules withoutTypes = new Rules(true, true, false, true);
    assertThat(new Agreement(List.of(block), Set.of(), dataNodes, withoutTypes).findings())
        .isEmpty();
  }

  @Test
  void findings_replicaMap_isCompared() {
    hasIt("d1", "d2", "d3");
    Block block = block(on("d1"), on("d2"), on("d3"));
    has("d3", null);
    assertThat(findings(block)).hasSize(1).first().asString().contains("the DataNode has none");
    has("d3", new Held(ID, 4, BYTES, "FINALIZED", "d3-d"), data("finalized", BYTES));
    assertThat(findings(block)).anyMatch(f -> f.reason().contains("generation stamp 4"));
    has("d3", new Held(ID, 5, 900, "FINALIZED", "d3-d"), data("finalized", 900));
    assertThat(findings(block)).anyMatch(f -> f.reason().startsWith("900 bytes, 1000"));
    has("d3", new Held(ID, 5, BYTES, "RWR", "d3-d"), data("rbw", BYTES), meta("rbw", 5));
    assertThat(findings(block)).hasSize(1).first().asString().contains("still RWR");
    has(
        "d3",
        new Held(ID, 5, BYTES, "FINALIZED", "d3-s"),
        new BlockFile("ssd", "finalized", ID, -1, BYTES),
        new BlockFile("ssd", "finalized", ID, 5, 11));
    assertThat(findings(block)).hasSize(1).first().asString().contains("another storage");
  }

  @Test
  void findings_disks_areCompared() {
    hasIt("d1", "d2", "d3");
    Block block = block(on("d1"), on("d2"), on("d3"));
    has("d3", held("d3"), data("finalized", BYTES));
    assertThat(findings(block)).hasSize(1).first().asString().contains("meta file is missing");
    has("d3", held("d3"), data("finalized", 999), meta("finalized", 5));
    assertThat(findings(block)).hasSize(1).first().asString().contains("has 999 bytes");
    has("d3", held("d3"), data("finalized", BYTES), meta("finalized", 5), data("rbw", 3));
    assertThat(kinds(block)).containsExactly(Kind.LEFT_OVER);
    has("d3", held("d3"), data("finalized", BYTES), meta("finalized", 5), data("lazypersist", 3));
    assertThat(findings(block)).as("a copy of lazy persist").isEmpty();
  }

  @Test
  void blockFile_names_areRead() {
    assertThat(BlockFile.of("disk", "rbw", "blk_12", 3))
        .contains(new BlockFile("disk", "rbw", 12, -1, 3));
    assertThat(BlockFile.of("disk", "rbw", "blk_-12_7.meta", 3))
        .contains(new BlockFile("disk", "rbw", -12, 7, 3));
    assertThat(BlockFile.of("disk", "rbw", "dncp_block_verification.log", 3)).isEmpty();
  }

  @Test
  void findings_openFile_nothingIsJudged() {
    hasIt("d1", "d2");
    has("d3", new Held(ID, 4, 0, "RUR", "d3-d"), data("rbw", 0));
    assertThat(new Agreement(List.of(), Set.of(ID), dataNodes, ALL).findings()).isEmpty();
    assertThat(findings()).hasSizeGreaterThanOrEqualTo(3);
  }
}
