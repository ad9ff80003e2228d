package io.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.json.Json;
import io.evenkeel.locking.HolderReport;
import io.evenkeel.locking.LocksMXBean;
import io.evenkeel.locking.TimesReport;
import java.beans.Introspector;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LocksCommandTest extends LocksCommandFixture {
  /** The plugin's own classes say what its bean shows; these tests would lie with other names. */
  @Test
  void beans_ofTheseTests_haveTheAttributesOfThePlugin() {
    assertThat(locks(List.of()).keySet())
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(LocksMXBean.class.getMethods())
                .map(method -> method.getName().replaceFirst("get|is", ""))
                .toList());
    assertThat(holder(1, 1).keySet())
        .containsExactlyInAnyOrderElementsOf(attributes(HolderReport.class));
    assertThat(times(1).keySet())
        .containsExactlyInAnyOrderElementsOf(attributes(TimesReport.class));
  }

  private static List<String> attributes(Class<?> type) {
    return Arrays.stream(type.getMethods())
        .filter(method -> method.getDeclaringClass() == type)
        .map(method -> Introspector.decapitalize(method.getName().substring(3)))
        .toList();
  }

  @Test
  void locks_nobodyHolds_isATableOfTimesAndNoFinding() throws IOException {
    FakeDaemon dn = locking(List.of());
    assertThat(locksOf(dn.url())).isZero();
    assertThat(out.toString())
        .startsWith("DataNodes: addresses given\n\nDataNode " + dn.address() + "\n")
        .contains("No thread holds a lock.\n")
        .containsPattern("SINCE START +COUNT +P50 +P99 +MAX\n")
        .containsPattern("held +1,000 +0\\.120 ms +2\\.5 ms +5\\.2 s\n")
        .containsPattern("waited +0 +- +- +-\n")
        .contains("Total: 0 locks, 2 threads waiting, 3 slow holds since start, 0 broken rules\n")
        .doesNotContain("Closed pools")
        .endsWith("No findings.\n");
  }

  @Test
  void locks_slowHolder_isAFindingWithItsStack() throws IOException {
    FakeDaemon dn = locking(List.of(holder(7, 5230), holder(8, 3, "volume", "", "mode", "shared")));
    assertThat(locksOf(dn.url())).isEqualTo(2);
    assertThat(out.toString())
        .containsPattern("HOLDER +BLOCK +VOLUME +MODE +HELD +WAITING +THREAD\n")
        .containsPattern(
            "createRbw +BP-1:7 +/data/1 +exclusive +5\\.2 s +2 +DataXceiver for client\n")
        .containsPattern("createRbw +BP-1:8 +- +shared +3 ms +2 ")
        .contains(
            "Stack of createRbw of block 7:\n    at java.io.File.exists(File.java:1)\n"
                + "    at Dataset.create(D.java:2)\n")
        .doesNotContain("Stack of createRbw of block 8")
        .endsWith(
            "Finding (slow-holder): createRbw of block 7 for 5.2 s, /data/1 on "
                + dn.address()
                + "\n");
  }

  @Test
  void locks_manyHolders_areCut() throws IOException {
    List<Map<String, Object>> holders = new java.util.ArrayList<>();
    for (int i = 0; i < 12; i++) {
      holders.add(holder(i, 2000));
    }
    assertThat(locksOf(locking(holders).url())).isEqualTo(2);
    assertThat(out.toString()).contains("and 2 more\n").contains(" and 7 more\n");
  }

  @Test
  void locks_brokenRuleAndClosedPool_areSaid() throws IOException {
    Map<String, Object> bean = new LinkedHashMap<>(locks(List.of()));
    bean.put("BrokenRules", 2);
    bean.put("LastBrokenRule", "append of BP-1:3: two blocks");
    bean.put("ClosedPools", List.of("BP-8", "BP-9"));
    FakeDaemon dn = stock().bean(LOCKS, bean);
    assertThat(locksOf(dn.url())).isEqualTo(2);
    assertThat(out.toString())
        .contains("2 broken rules\nClosed pools: BP-8, BP-9\n")
        .contains("Finding (broken-rule): " + dn.address() + ": append of BP-1:3: two blocks\n");
  }

  @Test
  void locks_stockDataset_namesTheKeyAndThereIsNothingToDo() throws IOException {
    FakeDaemon dn = stock();
    assertThat(locksOf(dn.url())).isEqualTo(3);
    assertThat(out.toString())
        .contains(
            dn.address()
                + ": no locks by block: it has the stock dataset; set"
                + " dfs.datanode.fsdataset.factory=io.evenkeel.locking.FineGrainedDatasetFactory"
                + " and restart it\n")
        .endsWith("No DataNode locks by block.\n");
  }

  @Test
  void locks_fallback_isAFindingWithItsReason() throws IOException {
    FakeDaemon dn =
        stock()
            .bean(
                "io.evenkeel:type=Plugin,module=locking,class=FineGrainedDatasetFactory",
                Map.of("State", "fallback", "Reason", "Hadoop 9.9 is not known"));
    assertThat(locksOf(dn.url())).isEqualTo(2);
    assertThat(out.toString())
        .contains(": no locks by block: fallback: Hadoop 9.9 is not known\n")
        .contains("Finding (fallback): " + dn.address() + ": Hadoop 9.9 is not known\n");
  }

  @Test
  void locks_someStock_isPartial_andGoneBeansAreLeftOut() throws IOException {
    FakeDaemon ours =
        locking(List.of())
            .bean(LOCKS + ",instance=2", Map.of("State", "gone"))
            .bean(LOCKS + ",instance=3", locks(List.of()));
    FakeDaemon stock = stock();
    assertThat(locksOf(ours.url(), stock.url())).isEqualTo(2);
    assertThat(out.toString())
        .contains("DataNode " + ours.address() + " (3)\n")
        .doesNotContain("(2)")
        .contains("Finding (partial): " + stock.address() + " has the stock dataset\n");
  }

  @Test
  void locks_beanThatMakesNoSense_isNotTheEnd() throws IOException {
    FakeDaemon dn = stock().bean(LOCKS, Map.of("State", 7, "Holders", "x", "Held", List.of(1)));
    assertThat(locksOf(dn.url())).isZero();
    assertThat(out.toString()).contains("Total: - locks, - threads waiting");
  }

  @Test
  void locks_goneOrHanging_couldNotRun() throws IOException {
    FakeDaemon gone = stock();
    gone.close();
    assertThat(locksOf(gone.url())).isEqualTo(1);
    assertThat(locksOf(stock().hanging().url(), "--timeout", "1")).isEqualTo(1);
    assertThat(out.toString()).contains("No DataNode answered.").contains("within 1000 ms");
  }

  @Test
  void locks_answerThatIsNoJson_couldNotRunAndSaysWhy() throws IOException {
    FakeDaemon web = keep(FakeDaemon.start()).answering("<html>no such page</html>");
    assertThat(locksOf(web.url())).isEqualTo(1);
    assertThat(out.toString())
        .contains(
            "DataNode " + web.address() + ": no answer: /jmx did not answer with JSON\n",
            "Finding (incomplete): " + web.address() + " did not answer\n");
  }

  @Test
  void locks_numberOfADataNodeThatIsNone_isLeftOut() throws IOException {
    FakeDaemon dn = stock().bean(LOCKS + ",instance=99999999999", locks(List.of()));
    assertThat(locksOf(dn.url())).isZero();
    assertThat(out.toString()).contains("DataNode " + dn.address() + "\n");
  }

  @Test
  void locks_noClusterNamed_saysWhatToDo() {
    assertThat(locksOf()).isEqualTo(1);
    assertThat(err.toString()).contains("give --namenode URL or --conf DIR");
  }

  @Test
  void locks_noneAnswers_saysWhyOnStandardErrorToo() throws IOException {
    FakeDaemon gone = stock();
    gone.close();
    assertThat(locksOf("--json", gone.url())).isEqualTo(1);
    assertThat(err.toString())
        .startsWith("evenkeel: no DataNode answered: " + gone.address() + ": cannot be reached")
        .hasLineCount(1);
  }

  @Test
  void locks_noNameNodeAnswers_saysWhyOnStandardErrorToo() throws IOException {
    FakeDaemon gone = keep(FakeDaemon.nameNode("active"));
    gone.close();
    assertThat(locksOf("--namenode", gone.url())).isEqualTo(1);
    assertThat(err.toString())
        .startsWith("evenkeel: no DataNode to ask: NameNode " + gone.address() + " did not answer")
        .hasLineCount(1);
  }

  @Test
  void locks_anotherDaemon_saysThatItIsNoDataNode() throws IOException {
    assertThat(locksOf(keep(FakeDaemon.nameNode("active")).url())).isEqualTo(1);
    assertThat(out.toString()).contains("no answer: it answers, but is no DataNode");
  }

  @Test
  void locks_noAddress_asksTheLiveDataNodesOfTheCluster() throws IOException {
    FakeDaemon one = locking(List.of());
    FakeDaemon nn = keep(FakeDaemon.nameNode("active", one));
    configure(nn);
    assertThat(locksOf()).isZero();
    assertThat(out.toString()).contains("DataNode " + one.address());
  }

  @Test
  void locks_nameWithoutAPort_meansThatOfTheWebServer() {
    assertThat(locksOf("no-such-host.invalid", "--timeout", "2")).isEqualTo(1);
    assertThat(out.toString()).contains("DataNode no-such-host.invalid:9864: no answer");
  }

  @Test
  void locks_misuse_is64AndSaysWhy() {
    assertThat(locksOf("ftp://dn1:9864")).isEqualTo(64);
    assertThat(err.toString()).contains("DATANODE: 'ftp://dn1:9864' is not an address");
    assertThat(locksOf("dn1:65536")).isEqualTo(64);
    assertThat(err.toString()).contains("DATANODE: 'dn1:65536' is not an address");
    assertThat(locksOf("dn1", "--watch", "0")).isEqualTo(64);
    assertThat(locksOf("dn1", "--conf", "x")).isEqualTo(64);
    assertThat(err.toString()).contains("--watch = 0 ", "not both");
  }

  @Test
  void watch_twoRounds_areTwoBlocksWithTheirTime() throws IOException {
    FakeDaemon dn = locking(List.of(holder(1, 2000)));
    screen.whilePausing = () -> dn.bean(LOCKS, locks(List.of()));
    assertThat(locksOf("--watch", "--count", "2", dn.url())).isZero();
    String[] blocks = out.toString().split("2026-03-04T05:06:07Z  DataNodes: ", -1);
    assertThat(blocks).hasSize(3);
    assertThat(blocks[1]).contains("Finding (slow-holder)");
    assertThat(blocks[2]).endsWith("No findings.\n");
  }

  @Test
  @SuppressWarnings("unchecked")
  void json_aDataNode_followsTheDocumentedSchema() throws IOException {
    FakeDaemon dn = locking(List.of(holder(7, 5230)));
    assertThat(locksOf("--json", dn.url(), stock().url())).isEqualTo(2);
    Map<String, Object> json = (Map<String, Object>) Json.parse(out.toString());
    assertThat(json.keySet())
        .containsExactly(
            "schema", "evenkeel", "exitCode", "time", "source", "dataNodes", "findings");
    assertThat(json).containsEntry("schema", "evenkeel.locks/3").containsEntry("exitCode", 2L);
    Map<String, Object> node = firstDataNode(out.toString());
    assertThat(node.keySet())
        .containsExactly(
            "url",
            "instance",
            "error",
            "state",
            "reason",
            "liveLocks",
            "threadsWaiting",
            "closedPools",
            "held",
            "waited",
            "slowHoldMillis",
            "slowHolds",
            "brokenRules",
            "lastBrokenRule",
            "holders");
    assertThat(node).containsEntry("state", "active").containsEntry("slowHolds", 3L);
    Map<String, Object> holder = ((List<Map<String, Object>>) node.get("holders")).get(0);
    assertThat(holder.keySet()).containsExactlyElementsOf(holder(1, 1).keySet());
    assertThat(holder).containsEntry("blockId", 7L).containsEntry("heldMillis", 5230L);
    Map<String, Object> held = (Map<String, Object>) node.get("held");
    assertThat(held.keySet()).containsExactlyElementsOf(times(1).keySet());
    assertThat(held).containsEntry("count", 1000L).containsEntry("p99Micros", 2500L);
    assertThat(((List<Map<String, Object>>) json.get("dataNodes")).get(1))
        .containsEntry("state", "stock")
        .containsEntry("liveLocks", null);
    assertThat((List<Map<String, Object>>) json.get("findings"))
        .extracting(finding -> finding.get("kind"))
        .containsExactly("slow-holder", "partial");
  }
}
