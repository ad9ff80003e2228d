package io.evenkeel.cli.doctor.core;

import io.evenkeel.cli.core.topology.Topology;
import io.evenkeel.cli.core.topology.TopologyNode;
import io.evenkeel.common.json.Json;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A cluster of two rounds, as its daemons would have told it in their beans. */
final class Given {
  static final double SECONDS = 120;
  static final double GIB = 1L << 30;

  private final List<DataNodeHistory> dataNodes = new ArrayList<>();
  private final Map<String, Object> before = new LinkedHashMap<>();
  private final Map<String, Object> after = new LinkedHashMap<>();
  private final Map<String, String> conf = new LinkedHashMap<>();
  private int unanswered;
  private boolean nodeGroups;
  private String pluginState = "";
  private BlockListing listing;

  Given() {
    nameNode("name", "Hadoop:service=NameNode,name=NameNodeInfo");
    nameNode("SoftwareVersion", "3.4.3");
    nameNode("State", "active");
  }

  /** One volume in both rounds. */
  record Disk(String path, String type, double before, double after, double free, long blocks) {
    static Disk of(String path, double usedGib, double freeGib) {
      return new Disk(path, "DISK", usedGib, usedGib, freeGib, 100);
    }

    Disk growingTo(double usedGib) {
      return new Disk(path, type, before, usedGib, free, blocks);
    }

    Disk with(long count) {
      return new Disk(path, type, before, after, free, count);
    }

    Disk on(String other) {
      return new Disk(path, other, before, after, free, blocks);
    }

    private Map<String, Object> json(double usedGib) {
      Map<String, Object> json = new LinkedHashMap<>();
      json.put("usedSpace", (long) (usedGib * GIB));
      json.put("freeSpace", (long) (free * GIB));
      json.put("storageType", type);
      json.put("numBlocks", blocks);
      return json;
    }
  }

  Given nameNode(String attribute, Object value) {
    return nameNode(attribute, value, value);
  }

  Given nameNode(String attribute, Object first, Object last) {
    before.put(attribute, first);
    after.put(attribute, last);
    return this;
  }

  Given conf(String key, String value) {
    conf.put(key, value);
    return this;
  }

  Given nodeGroups(String state) {
    nodeGroups = true;
    pluginState = state;
    return this;
  }

  Given listing(BlockListing blocks) {
    listing = blocks;
    return this;
  }

  Given silent(String name) {
    List<Reading> rounds = new ArrayList<>();
    rounds.add(null);
    rounds.add(null);
    dataNodes.add(new DataNodeHistory(name, name, "/r", true, rounds));
    return this;
  }

  Given dataNode(String name, String host, Map<String, Object> attributes, Disk... disks) {
    List<Reading> rounds =
        List.of(reading(0, attributes, disks), reading(SECONDS, attributes, disks));
    dataNodes.add(new DataNodeHistory(name, host, "/r", true, rounds));
    return this;
  }

  Given dataNode(String name, Disk... disks) {
    return dataNode(name, name, Map.of(), disks);
  }

  Given dataNode(DataNodeHistory dataNode) {
    dataNodes.add(dataNode);
    return this;
  }

  /** The NameNode does not answer in so many rounds. */
  Given unanswered(int rounds) {
    unanswered = rounds;
    return this;
  }

  /** A DataNode that answers in some rounds. */
  Given answering(String name, boolean... answers) {
    List<Reading> rounds = new ArrayList<>();
    for (boolean each : answers) {
      rounds.add(each ? reading(10 * rounds.size(), Map.of("XceiverCount", 3)) : null);
    }
    dataNodes.add(new DataNodeHistory(name, name, "/r", true, rounds));
    return this;
  }

  private static Reading reading(double seconds, Map<String, Object> attributes, Disk... disks) {
    Map<String, Object> volumes = new LinkedHashMap<>();
    for (Disk disk : disks) {
      volumes.put(disk.path, disk.json(seconds == 0 ? disk.before : disk.after));
    }
    Map<String, Object> bean = new LinkedHashMap<>(attributes);
    bean.put("name", "Hadoop:service=DataNode,name=DataNodeInfo");
    bean.put("VolumeInfo", Json.compact(volumes));
    return Reading.of(seconds, List.of(bean));
  }

  ClusterHistory cluster() {
    return cluster(NameNodeReading.of(SECONDS, List.of(after)));
  }

  /** It answers in the first round with all, then in one with its state only. */
  ClusterHistory clusterWhoseNameNodeStops() {
    Map<String, Object> state = Map.of("name", "Hadoop:service=NameNode,name=NameNodeStatus");
    NameNodeReading first = NameNodeReading.of(0, List.of(before));
    return cluster(NameNodeReading.of(SECONDS, List.of(state)).filledFrom(first));
  }

  private ClusterHistory cluster(NameNodeReading last) {
    NameNodeReading first = NameNodeReading.of(0, List.of(before));
    int rounds = dataNodes.stream().mapToInt(each -> each.rounds().size()).max().orElse(2);
    List<NameNodeReading> readings =
        new ArrayList<>(Collections.nCopies(rounds - unanswered - 1, first));
    readings.add(last);
    return cluster(dataNodes, readings);
  }

  /** The same with these DataNodes. */
  ClusterHistory cluster(List<DataNodeHistory> nodes) {
    return cluster(
        nodes,
        List.of(
            NameNodeReading.of(0, List.of(before)), NameNodeReading.of(SECONDS, List.of(after))));
  }

  private ClusterHistory cluster(List<DataNodeHistory> nodes, List<NameNodeReading> readings) {
    return new ClusterHistory(
        nodes,
        readings,
        conf,
        pluginState,
        new Topology(
            List.of(new TopologyNode.Builder("h", nodeGroups ? "/r/n" : "/r").build()),
            Topology.Layers.AUTO),
        listing);
  }
}
