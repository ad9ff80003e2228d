package io.evenkeel.cli.doctor.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.evenkeel.cli.core.blocks.FsckReader;
import io.evenkeel.cli.core.blocks.ListedBlock;
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
    FsckReader reader = new FsckReader(replicas::accept);
    for (int i = 0; i < blocks.length; i++) {
      reader.line("/f" + i + " 9 bytes, replicated: replication=3, 1 block(s): OK");
      reader.line("0. BP-1-h-1:blk_-9_1 len=1024 Live_repl=3 [" + blocks[i] + "]");
    }
    return replicas.find();
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
  void find_replicaNobodyKnows_isNotJudgedButTold() {
    assertThat(find("/r1/n1/a:1, /r1/n1/a:2, x:1"))
        .extracting(Diagnosis::kind, Diagnosis::subject)
        .containsExactly(tuple(Diagnosis.Kind.INCOMPLETE, "--fsck: 1 of 1 block"));
  }

  @Test
  void find_listingThatBreaksOff_isTold() {
    BlockListing broken =
        new BlockListing() {
          @Override
          public String description() {
            return "blocks.txt";
          }

          @Override
          public boolean read(Consumer<ListedBlock> blocks) {
            return false;
          }
        };
    assertThat(Replicas.find(new Given().listing(broken).cluster()))
        .extracting(Diagnosis::subject)
        .containsExactly("--fsck: blocks.txt");
  }
}
