package io.evenkeel.cli.core.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cli.core.topology.Topology;
import io.evenkeel.cli.core.topology.TopologyLines;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class HostStopTest {
  private static final Topology NONE = new Topology(List.of(), Topology.Layers.AUTO);

  private static HostStop stop(Topology topology, String host, int least, String... lines) {
    HostStop stop = new HostStop(topology, host, least);
    FsckReader reader = new FsckReader(stop::accept);
    int n = 0;
    for (String line : lines) {
      String[] kindAndPlaces = line.split(" ", 2);
      reader.line(
          "/f" + n++ + " 9 bytes, " + kindAndPlaces[0].replace('_', ' ') + ", 1 block(s): OK");
      reader.line("0. BP-1-h-1:blk_-9_1 len=9 " + kindAndPlaces[1]);
    }
    return stop;
  }

  private static HostStop replicated(int least, String... places) {
    String[] lines = new String[places.length];
    for (int i = 0; i < places.length; i++) {
      lines[i] = "replicated:_replication=3 " + places[i];
    }
    return stop(NONE, "n1", least, lines);
  }

  @Test
  void accept_allReplicasOnTheHost_areLost() {
    HostStop stop =
        replicated(
            1,
            "Live_repl=2 [/r1/n1/a:1, /r1/n1/b:1]",
            "Live_repl=2 [/r1/n1/a:1, /r1/n2/b:1]",
            "Live_repl=3 [/r1/n1/a:1, /r1/n2/b:1, /r1/n3/c:1]",
            "Live_repl=1 [/r1/n2/b:1]");
    assertThat(stop.blocks()).isEqualTo(4);
    assertThat(stop.touched()).isEqualTo(3);
    assertThat(stop.lost()).isEqualTo(1);
    assertThat(stop.lostBytes()).isEqualTo(9);
    assertThat(stop.withoutSpare()).isEqualTo(1);
    assertThat(stop.paths()).containsExactly("/f0");
    assertThat(stop.hosts()).containsExactly("/r1/n1");
    assertThat(stop.isSafe()).isFalse();
  }

  @Test
  void accept_everythingElsewhereToo_isSafe() {
    HostStop stop = replicated(1, "Live_repl=2 [/r1/n1/a:1, /r1/n2/b:1]");
    assertThat(stop.isSafe()).isTrue();
  }

  @Test
  void accept_twoNamesOfOneAddress_areOneHost() {
    Topology plain =
        new Topology(
            TopologyLines.parse(
                List.of(
                    "Rack: /r1",
                    "10.0.0.1:1 (dn1)",
                    "10.0.0.1:2 (dn1b)",
                    "Rack: /r2",
                    "10.0.0.2:1 (dn2)")),
            Topology.Layers.AUTO);
    String block = "replicated:_replication=2 Live_repl=2 [/r1/10.0.0.1:1, /r1/10.0.0.1:2]";
    for (String name : List.of("dn1", "dn1b", "10.0.0.1")) {
      HostStop stop = stop(plain, name, 1, block);
      assertThat(stop.lost()).as(name).isEqualTo(1);
      assertThat(stop.isSafe()).as(name).isFalse();
    }
  }

  @Test
  void accept_minimumOfTwo_fallsBelow() {
    HostStop stop =
        replicated(
            2,
            "Live_repl=2 [/r1/n1/a:1, /r1/n2/b:1]",
            "Live_repl=3 [/r1/n1/a:1, /r1/n2/b:1, /r1/n3/c:1]");
    assertThat(stop.belowLeast()).isEqualTo(1);
    assertThat(stop.lost()).isZero();
    assertThat(stop.isSafe()).isFalse();
  }

  @Test
  void accept_moreListedThanLive_isUnsureWithoutDetails() {
    assertThat(replicated(1, "Live_repl=1 [/r1/n1/a:1, /r1/n2/b:1]").unsure()).isEqualTo(1);
    HostStop known = replicated(1, "Live_repl=1 [/r1/n1/a:1(LIVE), /r1/n2/b:1(CORRUPT)]");
    assertThat(known.unsure()).isZero();
    assertThat(known.lost()).isEqualTo(1);
    // one that is leaving does not count as live, but its copy is good
    assertThat(
            replicated(1, "Live_repl=1 [/r1/n1/a:1(LIVE), /r1/n2/b:1(DECOMMISSIONING)]").isSafe())
        .isTrue();
  }

  @Test
  void accept_missingAlready_isNotBlamedOnTheHost() {
    HostStop stop = replicated(1, "MISSING!", "Live_repl=0 [/r1/n1/a:1(CORRUPT)]");
    assertThat(stop.missingAlready()).isEqualTo(2);
    assertThat(stop.lost()).isZero();
  }

  private static String units(String... places) {
    StringBuilder text = new StringBuilder("erasure-coded:_policy=RS-3-2-1k Live_repl=");
    text.append(places.length).append(" [");
    for (int i = 0; i < places.length; i++) {
      text.append(i == 0 ? "" : ", ")
          .append("blk_")
          .append(-9 + i)
          .append(":/r1/")
          .append(places[i]);
      text.append("/h").append(i).append(":1");
    }
    return text.append(']').toString();
  }

  /** Nine bytes in cells of a kilobyte: one unit of data, so one of three may stay. */
  @Test
  void accept_shortStripedGroup_needsItsRealUnitsOnly() {
    assertThat(stop(NONE, "n1", 1, units("n1", "n1", "n2")).lost()).isZero();
    assertThat(stop(NONE, "n1", 1, units("n1", "n1", "n1")).lost()).isEqualTo(1);
  }

  @Test
  void accept_stripedGroup_isLostWithMoreUnitsThanParity() {
    HostStop stop = new HostStop(NONE, "n1", 1);
    FsckReader reader = new FsckReader(stop::accept);
    reader.line("/f 9000 bytes, erasure-coded: policy=RS-3-2-1k, 3 block(s): OK");
    reader.line(
        units("n1", "n1", "n2", "n3", "n4")
            .replace("erasure-coded:_policy=RS-3-2-1k", "0. BP-1-h-1:blk_-9_1 len=3072"));
    assertThat(stop.lost()).isZero();
    assertThat(stop.withoutSpare()).isEqualTo(1);
    reader.line(
        units("n1", "n1", "n1", "n3", "n4")
            .replace("erasure-coded:_policy=RS-3-2-1k", "1. BP-1-h-1:blk_-9_1 len=3072"));
    assertThat(stop.lost()).isEqualTo(1);
    // the same unit twice is one unit
    reader.line(
        "2. BP-1-h-1:blk_-9_1 len=3072 Live_repl=4 [blk_-9:/r1/n1/a:1, blk_-8:/r1/n2/b:1,"
            + " blk_-7:/r1/n3/c:1, blk_-7:/r1/n4/d:1]");
    assertThat(stop.lost()).isEqualTo(2);
  }

  @Test
  void accept_addressesOnly_needTheTopology() {
    Topology topology =
        new Topology(
            TopologyLines.parse(
                List.of("10.0.0.1:1 /r1/n1", "10.0.0.2:1 /r1/n1", "10.0.0.3:1 /r1/n2")),
            Topology.Layers.AUTO);
    String block =
        "replicated:_replication=3 Live_repl=2"
            + " [DatanodeInfoWithStorage[10.0.0.1:1,DS-1,DISK],"
            + " DatanodeInfoWithStorage[10.0.0.2:1,DS-2,DISK]]";
    assertThat(stop(topology, "10.0.0.2", 1, block).lost()).isEqualTo(1);
    assertThat(stop(topology, "n2", 1, block).isSafe()).isTrue();
    HostStop blind = stop(NONE, "10.0.0.1", 1, block);
    assertThat(blind.unknown()).containsExactly("10.0.0.1:1", "10.0.0.2:1");
    assertThat(blind.isSafe()).isFalse();
  }

  @Test
  void hosts_nameInTwoRacks_areBoth() {
    HostStop stop = replicated(1, "Live_repl=2 [/r1/n1/a:1, /r2/n1/b:1]");
    assertThat(stop.hosts()).containsExactly("/r1/n1", "/r2/n1");
  }

  @Test
  void accept_realListing_countsBlocksOfTheHost() throws Exception {
    HostStop stop = new HostStop(NONE, "/r0/n0", 1);
    FsckReader reader = new FsckReader(stop::accept);
    List<String> lines = Samples.lines("fsck-3.5.0-racks.txt");
    lines.forEach(reader::line);
    long expected = lines.stream().filter(l -> l.matches("\\d+\\. .*/r0/n0/.*")).count();
    assertThat(stop.touched()).isEqualTo(expected).isPositive();
  }
}
