package io.evenkeel.cli.doctor.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.evenkeel.cli.core.blocks.FsckReader;
import io.evenkeel.cli.core.blocks.ListedBlock;
import io.evenkeel.cli.core.blocks.Migration;
import io.evenkeel.cli.core.topology.Topology;
import io.evenkeel.cli.core.topology.TopologyLines;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class ReplicasTest {
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

  private static List<Diagnosis> find(String... blocks) {
    Replicas replicas = new Replicas(SIX);
    Migration migration = new Migration(SIX);
    FsckReader reader =
        new FsckReader(
            block -> {
              migration.accept(block);
              replicas.accept(block);
            });
    for (int i = 0; i < blocks.length; i++) {
      reader.line("/f" + i + " 9 bytes, replicated: replication=3, 1 block(s): OK");
      reader.line("0. BP-1-h-1:blk_-9_1 len=1024 Live_repl=3 [" + blocks[i] + "]");
    }
    return replicas.find(new Given().cluster(), "--fsck: x", migration.forecast(0));
  }

  @Test
  void find_threeHostsOnTwoRacks_isRight() {
    assertThat(find("/r1/n1/a:1, /r2/n4/d:1, /r2/n5/e:1")).isEmpty();
  }

  @Test
  void find_twoOnAHost_namesHostFileAndWhatASwitchCopies() {
    List<Diagnosis> found =
        find("/r1/n1/a:1, /r1/n1/a:2, /r2/n4/d:1", "/r1/n1/a:1, /r2/n4/d:1, /r2/n5/e:1");
    assertThat(found).hasSize(1);
    assertThat(found.get(0).subject()).isEqualTo("1 of 2 blocks");
    assertThat(found.get(0).evidence())
        .isEqualTo(
            "two replicas on one physical host (where the last part is a rack, as in"
                + " /room/rack, say --layers rack); most on /r1/n1 (1); for example /f0");
    assertThat(found.get(0).evenkeel())
        .isEqualTo("placement: a switch to it copies 1 replica (1 KiB).");
  }

  @Test
  void find_oneRack_isTold() {
    assertThat(find("/r1/n1/a:1, /r1/n2/b:1, /r1/n3/c:1"))
        .extracting(Diagnosis::kind)
        .containsExactly(Diagnosis.Kind.ONE_RACK);
  }

  @Test
  void find_replicaThatIsAboutToGo_doesNotCount() {
    assertThat(
            find(
                "/r1/n1/a:1(LIVE), /r1/n1/a:2(EXCESS), /r2/n4/d:1(LIVE), /r2/n5/e:1(LIVE)",
                "/r1/n1/a:1(LIVE), /r1/n1/a:2(CORRUPT), /r2/n4/d:1(LIVE), /r2/n5/e:1(LIVE)"))
        .isEmpty();
  }

  @Test
  void find_replicaThatIsCopiedElsewhere_doesNotCount() {
    assertThat(
            find(
                "/r1/n1/a:1(DECOMMISSIONING), /r1/n1/a:2(LIVE), /r2/n4/d:1(LIVE), /r2/n5/e:1(LIVE)",
                "/r1/n1/a:1(ENTERING MAINTENANCE), /r1/n1/a:2(LIVE), /r2/n4/d:1(LIVE)"))
        .isEmpty();
  }

  @Test
  void find_replicaNobodyKnows_isNotJudgedButTold() {
    assertThat(find("/r1/n1/a:1, /r1/n1/a:2, x:1"))
        .extracting(Diagnosis::kind, Diagnosis::subject)
        .containsExactly(tuple(Diagnosis.Kind.INCOMPLETE, "--fsck: x: 1 of 1 block"));
  }

  @Test
  void find_listingThatBreaksOff_isTold() {
    BlockListing broken = listing(new FsckReader(block -> {}), false);
    assertThat(Replicas.find(new Given().listing(broken).cluster()))
        .extracting(Diagnosis::subject)
        .containsExactly("--fsck: blocks.txt");
  }

  @Test
  void find_blocksOnOtherStorageTypes_areCountedByPolicy() {
    FsckReader reader = new FsckReader(block -> {});
    reader.line("FSCK started by x");
    reader.line("Status: HEALTHY");
    reader.line("Blocks NOT satisfying the specified storage policy:");
    reader.line("DISK:3(HOT)                         COLD                          7      70%");
    reader.line("DISK:3(HOT)                         ALL_SSD                       3      30%");
    List<Diagnosis> found = Replicas.find(new Given().listing(listing(reader, true)).cluster());
    assertThat(found)
        .extracting(Diagnosis::kind, Diagnosis::subject)
        .containsExactly(tuple(Diagnosis.Kind.WRONG_STORAGE, "10 of 10 blocks"));
    assertThat(found.get(0).evidence()).endsWith(": COLD on DISK:3 (7), ALL_SSD on DISK:3 (3)");
  }

  private static BlockListing listing(FsckReader read, boolean whole) {
    return new BlockListing() {
      @Override
      public String description() {
        return "--fsck: blocks.txt";
      }

      @Override
      public Summary read(Migration migration, Consumer<ListedBlock> blocks) {
        return new Summary(whole, migration.forecast(0), read.storageTypes());
      }
    };
  }
}
