package io.evenkeel.cli.core.blocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("once")
class FsckReaderTest {
  private final List<ListedBlock> blocks = new ArrayList<>();
  private final FsckReader reader = new FsckReader(blocks::add);

  private void read(String text) {
    text.lines().forEach(reader::line);
  }

  private static List<String> places(ListedBlock block) {
    return block.replicas().stream().map(ListedBlock.Replica::location).toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "fsck-3.1.4-locations.txt",
        "fsck-3.1.4-racks.txt",
        "fsck-3.5.0-locations-replicaDetails.txt",
        "fsck-3.5.0-racks.txt"
      })
  void line_outputOfRealClusters_isRead(String name) throws Exception {
    Samples.lines(name).forEach(reader::line);
    assertThat(reader.isComplete()).isTrue();
    assertThat(reader.blocks()).isEqualTo(41);
    assertThat(blocks.stream().filter(b -> b.schema() != null)).hasSize(3);
    assertThat(blocks).allSatisfy(b -> assertThat(b.replicas()).hasSize(b.live()));
    assertThat(blocks.stream().filter(b -> b.path().startsWith("/d/f"))).hasSize(36);
    assertThat(blocks.get(0).path()).isEqualTo("/d/a b, 12 bytes, replicated");
    assertThat(blocks.get(0).replication()).isEqualTo(1);
  }

  private StorageTypes storageTypes(String... rows) {
    read("FSCK started by x\nStatus: HEALTHY\n Number of data-nodes:  4\n\n");
    read("Blocks satisfying the specified storage policy:\n");
    read("Storage Policy                  # of blocks       % of blocks\n");
    read("DISK:3(HOT)                       10              50.0000%\n");
    read("\nBlocks NOT satisfying the specified storage policy:\n");
    read("Storage Policy                  Specified Storage Policy      # of blocks  %\n");
    for (String row : rows) {
      read(row.replaceAll(" ", "          ") + "              5.0000%\n");
    }
    read("FSCK ended at now in 3 milliseconds\n");
    return reader.storageTypes();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "DISK:3(HOT) COLD 1",
        "DISK:2,ARCHIVE:1 HOT 1",
        "DISK:1(HOT) ONE_SSD 1",
        "SSD:2,DISK:1 ONE_SSD 1",
        "ARCHIVE:3(COLD) WARM 1",
        "SSD:1(ALL_SSD) HOT 1",
        "DISK:3(HOT) ALL_NVDIMM 1"
      })
  void line_blocksOnOtherTypesThanTheirPolicy_areCounted(String row) {
    StorageTypes types = storageTypes(row);
    assertThat(types.blocks()).isEqualTo(11);
    assertThat(types.wrong().values()).containsExactly(1L);
  }

  /** What fsck calls a violation and is none, or may be none. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SSD:1(ALL_SSD) ONE_SSD 1",
        "DISK:1(HOT) WARM 1",
        "SSD:1,DISK:1(ONE_SSD) ONE_SSD 1",
        "DISK:3(HOT) LAZY_PERSIST 1",
        "PROVIDED:1 PROVIDED 1"
      })
  void line_blocksWithFewReplicas_areRightByTheirPolicy(String row) {
    StorageTypes types = storageTypes(row);
    assertThat(types.blocks()).isEqualTo(11);
    assertThat(types.wrong()).isEmpty();
  }

  @Test
  void line_withoutTheTable_noBlockIsJudgedByStorageType() {
    read("FSCK started by x\n/DISK:3(HOT) COLD 1 5% 5 bytes, 1 block(s):  OK\nStatus: HEALTHY\n");
    assertThat(reader.storageTypes().blocks()).isZero();
  }

  @Test
  void line_oldFormatWithoutRedundancy_wantsWhatItHas() {
    read("/a 5 bytes, 1 block(s):  OK\n0. BP-1-h-1:blk_1_1 len=5 Live_repl=2 [/r/h:1, /r/i:1]\n");
    assertThat(blocks.get(0).replication()).isEqualTo(2);
    assertThat(places(blocks.get(0))).containsExactly("/r/h:1", "/r/i:1");
  }

  @Test
  void line_replicaDetails_leaveOutWhatDoesNotStay() {
    read(
        "/a 5 bytes, replicated: replication=3, 1 block(s):  OK\n"
            + "0. BP-1-h-1:blk_1_1 len=5 Live_repl=1  [/r/a:1(ud=x)(CORRUPT), /r/b:1(EXCESS),"
            + " /r/c:1(LIVE), /r/d:1(DECOMMISSIONING), /r/e:1(STALE_NODE),"
            + " /r/f:1(ENTERING MAINTENANCE)]\n");
    assertThat(blocks.get(0).replicas())
        .extracting(ListedBlock.Replica::readable)
        .containsExactly(false, false, true, true, true, true);
  }

  @Test
  void line_missingBlock_hasNoReplica() {
    read(
        "/a 5 bytes, replicated: replication=3, 1 block(s):  MISSING 1 blocks of total size 5 B\n"
            + "0. BP-1-h-1:blk_1_1 len=5 MISSING!\n");
    assertThat(blocks.get(0).replicas()).isEmpty();
    assertThat(blocks.get(0).length()).isEqualTo(5);
  }

  @Test
  void line_underConstruction_isLeftOut() {
    read(
        "/a 5 bytes, replicated: replication=3, 1 block(s), OPENFORWRITE: \n"
            + "Under Construction Block:\n0. BP-1-h-1:blk_1_1 len=5 Expected_repl=1 [/r/a:1]\n");
    assertThat(blocks).isEmpty();
  }

  @Test
  void line_noiseOfFsck_isNoFile() {
    read(
        "FSCK started by x for path / at now\n/ <dir>\n/l <symlink>\n\n"
            + "/a: CORRUPT blockpool BP-1 block blk_1\n/e 0 bytes, replicated: replication=3,"
            + " 0 block(s):  OK\n\nStatus: HEALTHY\n Number of data-nodes:\t12\n");
    assertThat(blocks).isEmpty();
    assertThat(reader.isComplete()).isTrue();
  }

  @Test
  void isComplete_brokenOff_isNot() {
    read(
        "FSCK started by x for path / at now\n/a 5 bytes, replicated: replication=1, 1 block(s): OK");
    assertThat(reader.isComplete()).isFalse();
  }

  @Test
  void isComplete_secondListingBrokenOff_isNot() {
    read("FSCK started\nStatus: HEALTHY\nFSCK started\n");
    assertThat(reader.isComplete()).isFalse();
  }

  @Test
  void line_withoutLocations_saysWhatToRun() {
    assertThatThrownBy(
            () ->
                read(
                    "/a 5 bytes, replicated: replication=3, 1 block(s):  OK\n"
                        + "0. BP-1-h-1:blk_1_1 len=5 Live_repl=3\n"))
        .isInstanceOf(ListingException.class)
        .hasMessage(
            "line 2: a block without locations; run hdfs fsck / -files -blocks -locations -racks"
                + " -replicaDetails");
  }

  @Test
  void line_blockWithoutFile_saysWhatToRun() {
    assertThatThrownBy(() -> read("0. BP-1-h-1:blk_1_1 len=5 Live_repl=1 [/r/h:1]\n"))
        .isInstanceOf(ListingException.class)
        .hasMessageStartingWith("line 1: a block without its file; run hdfs fsck");
  }

  @Test
  void line_policyNobodyKnows_isRefused() {
    assertThatThrownBy(() -> read("/a 5 bytes, erasure-coded: policy=odd, 1 block(s):  OK\n"))
        .isInstanceOf(ListingException.class)
        .hasMessageStartingWith("line 1: the policy of /a is not understood");
  }

  private static FsckReader read(String... lines) {
    FsckReader reader = new FsckReader(block -> {});
    for (String line : lines) {
      reader.line(line);
    }
    return reader;
  }

  @Test
  void line_fsckGaveUp_saysWhy() {
    FsckReader reader =
        read(
            "FSCK started by a from /127.0.0.1 for path /x at now",
            "FSCK ended at now in 5 milliseconds",
            "Permission denied: user=a, access=READ",
            "",
            "",
            "Fsck on path '/x' FAILED");
    assertThat(reader.failure()).isEqualTo("Permission denied: user=a, access=READ");
    assertThat(reader.isComplete()).isFalse();
  }

  @Test
  void line_fsckEnded_isNoFailure() {
    FsckReader reader =
        read(
            "FSCK started by a from /127.0.0.1 for path /x at now",
            "Status: HEALTHY",
            "FSCK ended at now in 5 milliseconds",
            "",
            "",
            "The filesystem under path '/x' is HEALTHY");
    assertThat(reader.failure()).isNull();
    assertThat(reader.isComplete()).isTrue();
    assertThat(reader.isAbsent()).isFalse();
  }

  @Test
  void line_noSuchPath_isAbsent() {
    assertThat(read("FSCK started by a", "", "Path '/x' does not exist").isAbsent()).isTrue();
  }
}
