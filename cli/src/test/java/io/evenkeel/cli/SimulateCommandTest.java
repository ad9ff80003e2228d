package io.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimulateCommandTest {
  private static final String BLOCK =
      "/f 1000 bytes, replicated: replication=3, 1 block(s):  OK\n"
          + "0. BP-1-h-1:blk_1_1 len=1000 Live_repl=3 [/r1/n1/a:1, /r1/n1/b:1, /r2/n2/c:1]\n"
          + "/g 1000 bytes, replicated: replication=3, 1 block(s):  OK\n"
          + "0. BP-1-h-1:blk_2_1 len=1000 Live_repl=3 [/r1/n1/a:1, /r1/n3/d:1, /r2/n2/c:1]\n";
  private static final String LISTING =
      "FSCK started by x for path / at now\n" + BLOCK + "Status: HEALTHY\n";

  @TempDir Path dir;
  private final EvenkeelRunner cli = new EvenkeelRunner();

  private static Map<?, ?> member(Map<?, ?> json, String name) {
    return (Map<?, ?>) json.get(name);
  }

  private Map<?, ?> json() {
    return (Map<?, ?>) Json.parse(cli.out());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "simulate | give either --topology FILE or --hosts N",
        "simulate --topology x --hosts 3 | give either --topology FILE or --hosts N",
        "simulate --hosts 0 | --hosts = 0 is not allowed; use 1..100000",
        "simulate --hosts 3 --racks 4 | --racks = 4 is not allowed; use 1..3",
        "simulate --hosts 100000 --vms 2 | --vms = 2 is not allowed; use 1..1",
        "simulate --hosts 3 --blocks 0 | --blocks = 0 is not allowed; use 1..10000000",
        "simulate --hosts 3 --replication 0 | --replication = 0 is not allowed; use 1..512",
        "simulate --hosts 3 --policy best | --policy: 'best' is not known; use stock-default, stock-nodegroup, uniform",
        "simulate --hosts 3 --seed 7 | --seed cannot be used with --order turn",
        "simulate --hosts 3 --order random --seed x | Invalid value for option '--seed': 'x' is not a whole number",
        "simulate --hosts 99999999999 | Invalid value for option '--hosts': '99999999999' is too large",
        "simulate --hosts -99999999999 | Invalid value for option '--hosts': '-99999999999' is too small",
        "simulate --migrate hdfs://nn1:8020 | --migrate: 'hdfs://nn1:8020' is not an address; write http://host:port",
        "simulate --hosts 3 --hadoop latest | 'latest' is not a Hadoop version; write one such as 3.4.3",
        "simulate --migrate - --hadoop 3.4.3 | --hadoop cannot be used with --migrate",
        "simulate --hosts 3 --total-blocks 5 | --total-blocks needs --migrate",
        "simulate --migrate - --html x.html | --html cannot be used with --migrate",
        "simulate --migrate - --hosts 3 | --hosts cannot be used with --migrate",
        "simulate --migrate - --policy uniform | --policy cannot be used with --migrate",
        "simulate --migrate - --seed 9608 | --seed cannot be used with --migrate FILE",
        "simulate --topology x --vms 1 | --vms cannot be used with --topology",
        "simulate --topology x --racks 2 | --racks cannot be used with --topology",
        "simulate --hosts 3 --layers rack | --layers cannot be used with --hosts",
        "simulate --migrate - --topology - | --topology and --migrate cannot both be standard input",
        "simulate --migrate - --total-blocks 1 | --total-blocks = 1 is less than the 2 listed"
      })
  void simulate_misuse_isUsage(String arguments, String message) {
    cli.input(LISTING);
    assertThat(cli.run((Object[]) arguments.split(" "))).isEqualTo(64);
    assertThat(cli.err()).startsWith("evenkeel: " + message + "\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a r1 | standard input: line 1: 'r1' is no network location; write /rack or /rack/nodegroup",
        "{\"a\":1} | standard input: the JSON has no list dataNodes",
        "{\"a\" | standard input: not JSON: "
      })
  void simulate_badTopology_isOneLine(String text, String message) {
    assertThat(cli.input(text).run("simulate", "--topology", "-")).isEqualTo(1);
    assertThat(cli.err()).startsWith("evenkeel: " + message);
    assertThat(cli.err().trim().lines()).hasSize(1);
  }

  @Test
  void simulate_noSuchFile_ends4() {
    assertThat(cli.run("simulate", "--topology", dir.resolve("none"))).isEqualTo(4);
    assertThat(cli.err()).isEqualTo("evenkeel: " + dir.resolve("none") + ": no such file\n");
  }

  @Test
  void simulate_directory_ends4() {
    assertThat(cli.run("simulate", "--topology", dir)).isEqualTo(4);
    assertThat(cli.err()).isEqualTo("evenkeel: " + dir + " is a directory; give a file\n");
  }

  @Test
  void simulate_noDataNode_nothingToDo() {
    assertThat(cli.input("# nobody\n").run("simulate", "--topology", "-")).isEqualTo(3);
    assertThat(cli.err()).contains("has no DataNode with a DISK");
  }

  @Test
  void simulate_moreDataNodesThanFit_isUsage() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i <= 100_000; i++) {
      text.append("vm").append(i).append(" /r/h").append(i).append('\n');
    }
    assertThat(cli.input(text.toString()).run("simulate", "--topology", "-")).isEqualTo(64);
    assertThat(cli.err())
        .startsWith("evenkeel: standard input has 100001 DataNodes; simulate at most 100000\n");
  }

  @Test
  void simulate_weightsTooFarApart_isUsage() {
    cli.input("a /r1/n1 weight=0.001\nb /r2/n2 weight=101\n");
    assertThat(cli.run("simulate", "--topology", "-")).isEqualTo(64);
    assertThat(cli.err())
        .startsWith("evenkeel: standard input: no weight may be more than 100000 times another\n");
  }

  @Test
  void migrate_wholeListing_countsCopies() {
    assertThat(cli.input(LISTING).run("simulate", "--migrate", "-")).isZero();
    assertThat(cli.out())
        .isEqualTo(
            "Listing: standard input, 2 blocks, 2.0 KiB without replicas, 3 hosts in 2 racks\n"
                + "Replicated blocks on too few hosts or racks: 1\n"
                + "Striped groups on too few hosts or racks: 0\n"
                + "Copies the NameNode will make: 1\n"
                + "Bytes it will copy: 1,000 B\n");
  }

  @Test
  void migrate_sample_hasARange() {
    cli.input(BLOCK);
    assertThat(cli.run("simulate", "--migrate", "-", "--total-blocks", 100, "--json")).isZero();
    Map<?, ?> json = json();
    assertThat(json.keySet().stream().map(String::valueOf))
        .containsExactly(
            "schema",
            "evenkeel",
            "exitCode",
            "source",
            "complete",
            "hosts",
            "racks",
            "listedBlocks",
            "totalBlocks",
            "sample",
            "unjudgedBlocks",
            "replicatedBlocks",
            "stripedGroups",
            "copies",
            "bytes",
            "shortOfReplicas",
            "unknownLocations");
    Map<?, ?> blocks = member(json, "replicatedBlocks");
    assertThat(blocks.get("value")).isEqualTo(50L);
    assertThat((Long) blocks.get("low")).isBetween(1L, 49L);
    assertThat((Long) blocks.get("high")).isBetween(51L, 99L);
  }

  @Test
  void migrate_sampleInWords_namesTheRange() {
    cli.input(BLOCK).run("simulate", "--migrate", "-", "--total-blocks", 100);
    assertThat(cli.out())
        .contains("2 blocks of 100")
        .containsPattern(
            "too few hosts or racks: 50 \\(\\d+ to \\d+, 95 % confidence, standard error 35\\)");
  }

  @Test
  void migrate_brokenOff_isAFinding() {
    assertThat(cli.input(BLOCK).run("simulate", "--migrate", "-")).isEqualTo(2);
    assertThat(cli.out()).contains("ends without the summary of fsck");
  }

  @Test
  void migrate_addressesWithoutTopology_isAFinding() throws IOException {
    String listing = LISTING.replaceAll("/r\\d/n\\d/", "");
    assertThat(cli.input(listing).run("simulate", "--migrate", "-")).isEqualTo(2);
    assertThat(cli.out())
        .startsWith(
            "2 blocks could not be judged: nobody knows the host of 4 locations, such as a:1;"
                + " give --topology FILE or fsck -racks\nListing: ")
        .contains("at least 0 hosts in 0 racks\n")
        .contains("Replicated blocks on too few hosts or racks: at least 0\n")
        .contains("Copies the NameNode will make: at least 0\n")
        .contains("Bytes it will copy: at least 0");
    Path topology = dir.resolve("topology");
    Files.writeString(topology, "a:1 /r1/n1\nb:1 /r1/n1\nc:1 /r2/n2\nd:1 /r1/n3\n");
    EvenkeelRunner known = new EvenkeelRunner().input(listing);
    assertThat(known.run("simulate", "--migrate", "-", "--topology", topology)).isZero();
    assertThat(known.out()).contains("Copies the NameNode will make: 1\n");
  }

  @Test
  void migrate_emptyCluster_nothingToDo() {
    cli.input("FSCK started by x for path / at now\nStatus: HEALTHY\n");
    assertThat(cli.run("simulate", "--migrate", "-")).isEqualTo(3);
  }

  @Test
  void migrate_otherText_couldNotRun() {
    assertThat(cli.input("hello\n").run("simulate", "--migrate", "-")).isEqualTo(1);
    assertThat(cli.err()).contains("standard input is no output of hdfs fsck");
  }

  @Test
  void migrate_listingWithoutLocations_saysWhatToRun() {
    cli.input("/f 9 bytes, 1 block(s): OK\n0. BP-1:blk_1_1 len=9 Live_repl=3\n");
    assertThat(cli.run("simulate", "--migrate", "-")).isEqualTo(1);
    assertThat(cli.err())
        .isEqualTo(
            "evenkeel: standard input, line 2: a block without locations; run hdfs fsck / -files"
                + " -blocks -locations -racks -replicaDetails\n");
  }
}
