package io.evenkeel.terasort.locality;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.placement.NodeGroupMapping;
import io.evenkeel.terasort.core.locality.HostMap;
import io.evenkeel.terasort.core.locality.LocationPicker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.DNSToSwitchMapping;
import org.apache.hadoop.net.TableMapping;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The recommended set-up, on the real CapacityScheduler: a1 and a2 are VMs of one physical host, b1
 * and b2 of another in the same rack, c1 and c2 are in another rack. The data is on a1, which is
 * busy.
 */
class NodeGroupSchedulingTest {
  private static final String ASYNCHRONOUS =
      "yarn.scheduler.capacity.schedule-asynchronously.enable";
  private static final String[] FREE = {"c1", "b1", "b2", "a2"};

  @TempDir private Path temporary;

  private Configuration conf(String level, int additionalDelay) throws Exception {
    Path table = temporary.resolve("hosts");
    Files.writeString(
        table, "a1 /r1/n1\na2 /r1/n1\nb1 /r1/n2\nb2 /r1/n2\nc1 /r2/n3\nc2 /r2/n3\nam /r3/n4\n");
    Configuration conf = new YarnConfiguration();
    conf.set("net.topology.table.file.name", table.toString());
    conf.setClass(
        "net.topology.node.switch.mapping.impl", NodeGroupMapping.class, DNSToSwitchMapping.class);
    conf.setClass(
        "evenkeel.placement.mapping.wrapped", TableMapping.class, DNSToSwitchMapping.class);
    conf.set("evenkeel.placement.mapping.emit", level);
    // stock's 40 is cut to the number of NodeManagers; a short list of them needs a short delay
    conf.setInt("yarn.scheduler.capacity.node-locality-delay", 2);
    conf.setInt("yarn.scheduler.capacity.rack-locality-additional-delay", additionalDelay);
    // Hadoop 3.5.0 does not wait for heartbeats by default, so no place could be called busy
    conf.setBoolean(ASYNCHRONOUS, false);
    return conf;
  }

  private static RealScheduler scheduler(Configuration conf) throws Exception {
    return new RealScheduler(conf, List.of("a1", "a2", "b1", "b2", "c1", "c2"));
  }

  @Test
  void stockDelay_replicaBusy_givesAnotherRack() throws Exception {
    try (RealScheduler yarn = scheduler(conf("rack", -1))) {
      assertThat(yarn.rack("a1")).isEqualTo("/r1");
      yarn.ask(List.of("a1"), List.of("/r1"));
      assertThat(yarn.heartbeats(FREE)).contains("c1");
    }
  }

  @Test
  void rackDelayOnPlainRacks_replicaBusy_givesAnotherHost() throws Exception {
    try (RealScheduler yarn = scheduler(conf("rack", 20))) {
      yarn.ask(List.of("a1"), List.of("/r1"));
      assertThat(yarn.heartbeats(FREE).orElse("none")).startsWith("b");
    }
  }

  @Test
  void recommended_replicaBusy_givesTheSiblingVm() throws Exception {
    try (RealScheduler yarn = scheduler(conf("nodegroup", 20))) {
      assertThat(yarn.rack("a1")).isEqualTo("/r1+n1");
      yarn.ask(List.of("a1"), List.of("/r1+n1"));
      assertThat(yarn.heartbeats(FREE)).contains("a2");
    }
  }

  @Test
  void recommended_replicaRunsNoNodeManager_givesTheSiblingVm() throws Exception {
    try (RealScheduler yarn =
        new RealScheduler(conf("nodegroup", 20), List.of("a2", "b1", "b2", "c1", "c2"))) {
      yarn.ask(List.of("a1"), List.of("/r1+n1"));
      assertThat(yarn.heartbeats(FREE)).contains("a2");
    }
  }

  @Test
  void mappingWithoutDelay_replicaBusy_stillGivesAnotherRack() throws Exception {
    try (RealScheduler yarn = scheduler(conf("nodegroup", -1))) {
      yarn.ask(List.of("a1"), List.of("/r1+n1"));
      assertThat(yarn.heartbeats(FREE)).contains("c1");
    }
  }

  @Test
  void siblingsInSplitsAndRealRacks_replicaBusy_giveTheSiblingVm() throws Exception {
    Configuration conf = conf("rack", 20);
    List<String> running = List.of("a1", "a2", "b1", "b2", "c1", "c2");
    HostMap map = SiblingSplits.locations(conf, running, HostMap.Layers.AUTO);
    List<String> hosts = new LocationPicker(map, running, 15).pick(List.of("a1")).names();
    assertThat(hosts).containsExactly("a1", "a2");
    // three heartbeats pass before a host of the rack may be taken
    conf.setInt("yarn.scheduler.capacity.node-locality-delay", 4);
    try (RealScheduler yarn = scheduler(conf)) {
      yarn.ask(hosts, List.of("/r1"));
      assertThat(yarn.heartbeats(FREE)).contains("a2");
    }
  }

  @Test
  void jobAtItsLimit_asksAgain_hostsAreForgotten() throws Exception {
    try (RealScheduler yarn = scheduler(conf("rack", 20))) {
      yarn.ask(List.of("a1"), List.of("/r1"));
      assertThat(yarn.heartbeats("c1", "a1")).contains("a1");
    }
    // what mapreduce.job.running.map.limit does: 0 while as many run, then 1 when one has ended
    try (RealScheduler yarn = scheduler(conf("rack", 20))) {
      yarn.ask(List.of("a1"), List.of("/r1"));
      yarn.askAnywhere(0);
      yarn.askAnywhere(1);
      assertThat(yarn.heartbeats("c1", "a1")).contains("c1");
    }
  }

  /**
   * One task may run on a1 or a2, one on b1 or b2. Until the application master takes back what it
   * asked for the first, YARN gives a container at each of its hosts, and the second task has to
   * run in it, without data. A rack that is the physical host is given once.
   */
  @Test
  void siblingsInSplits_askNotTakenBackYet_bothAreGivenOnlyWhereTheRackIsReal() throws Exception {
    Map<String, Integer> hosts = Map.of("a1", 1, "a2", 1, "b1", 1, "b2", 1, "*", 2);
    try (RealScheduler yarn = scheduler(conf("rack", 20))) {
      Map<String, Integer> ask = new HashMap<>(hosts);
      ask.put("/r1", 2);
      yarn.ask(ask);
      assertThat(yarn.heartbeats("a1")).contains("a1");
      assertThat(yarn.heartbeats("a2", "b1")).contains("a2");
    }
    try (RealScheduler yarn = scheduler(conf("nodegroup", 20))) {
      Map<String, Integer> ask = new HashMap<>(hosts);
      ask.put("/r1+n1", 1);
      ask.put("/r1+n2", 1);
      yarn.ask(ask);
      assertThat(yarn.heartbeats("a1")).contains("a1");
      assertThat(yarn.heartbeats("a2", "b1")).contains("b1");
    }
  }
}
