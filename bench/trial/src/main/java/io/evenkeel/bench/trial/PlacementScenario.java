package io.evenkeel.bench.trial;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;

/**
 * Two racks of three physical hosts with two DataNodes each. Apart from {@link Trial}, which loads
 * one of them at a time: this Hadoop may lack what another needs.
 */
final class PlacementScenario {
  private static final String POLICY = "io.evenkeel.placement.UniformBlockPlacementPolicy";
  private static final String STRIPED = "io.evenkeel.placement.UniformStripedBlockPlacementPolicy";
  private static final String EC_POLICY = "RS-3-2-1024k";
  private static final int EC_CELL = 1024 * 1024;
  private static final int DATA_NODES = 12;
  private static final int FILES = 20;
  private static final int SIZE = 3 * Hdfs.BLOCK;

  private final Hdfs hdfs;

  private PlacementScenario(Path dir) throws IOException {
    hdfs = new Hdfs(dir, DATA_NODES, i -> "/r" + i / 6 + "/n" + i / 2, "DISK");
  }

  static Scenario in(Path dir) throws IOException {
    PlacementScenario placement = new PlacementScenario(dir);
    return new Scenario()
        .step("replicas are on different hosts and two racks, evenly", placement::write)
        .step("so they are with more replicas, and with fewer", placement::changeReplication)
        .step("a host that dies with both its DataNodes is replaced", placement::loseHost)
        .step("it may come back", placement::regainHost)
        .step("a DataNode is decommissioned", placement::decommission)
        .step("an erasure-coded block is on five hosts", placement::stripe)
        .step("all is read after a restart", placement::restart)
        .step("stock reads all on the same directories", placement::back)
        .atEnd(placement.hdfs::close);
  }

  private void write() throws Exception {
    hdfs.set("dfs.block.replicator.classname", POLICY);
    hdfs.set("dfs.block.placement.ec.classname", STRIPED);
    hdfs.set("net.topology.impl", "org.apache.hadoop.net.NetworkTopologyWithNodeGroup");
    hdfs.set("dfs.use.dfs.network.topology", "false");
    hdfs.create();
    for (int i = 0; i < FILES; i++) {
      hdfs.write("/f" + i, SIZE, 3);
    }
    hdfs.awaitReplicas(60, 3, hdfs.names()); // all are reported
    Check.active("placement", POLICY);
    Map<String, Integer> replicas = new HashMap<>();
    for (String name : hdfs.names()) {
      for (BlockLocation block : hdfs.blocks(name)) {
        for (String dataNode : block.getNames()) {
          replicas.merge(dataNode, 1, Integer::sum);
        }
      }
    }
    spread(3);
    // 180 replicas: 15 on each DataNode when all have as many; on a busy machine some are passed
    // over as stale for a while
    Check.that(
        replicas.size() == DATA_NODES
            && replicas.values().stream().allMatch(each -> each >= 5 && each <= 25),
        "replicas are not even: " + replicas);
  }

  /** That every block is on so many hosts and on two racks. */
  private void spread(int replicas) throws IOException {
    for (String name : hdfs.names()) {
      for (BlockLocation block : hdfs.blocks(name)) {
        Set<String> hosts = new HashSet<>();
        Set<String> racks = new HashSet<>();
        for (String path : block.getTopologyPaths()) {
          hosts.add(path.substring(0, path.lastIndexOf('/')));
          racks.add(path.substring(0, path.indexOf('/', 1)));
        }
        String where = name + " is on " + Arrays.toString(block.getTopologyPaths());
        Check.that(hosts.size() == replicas && block.getNames().length == replicas, where);
        Check.that(racks.size() == 2, where);
      }
    }
  }

  private void changeReplication() throws Exception {
    for (int replicas : new int[] {5, 2, 3}) {
      for (String name : hdfs.names()) {
        hdfs.fs().setReplication(Hdfs.path(name), (short) replicas);
      }
      hdfs.awaitReplicas(120, replicas, hdfs.names());
      spread(replicas);
    }
  }

  private void loseHost() throws Exception {
    List<String> gone = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      gone.add("127.0.0.1:" + hdfs.dataNode(i).getXferPort());
      hdfs.stopDataNode(i);
    }
    Await.until(
        60,
        "the NameNode does not miss two DataNodes",
        () -> hdfs.fs().getDataNodeStats(DatanodeReportType.DEAD).length == 2);
    // the dead ones are counted a moment before their replicas are taken off
    Await.until(120, "replicas on the dead host stay listed", () -> !isListed(gone));
    hdfs.awaitReplicas(120, 3, hdfs.names());
    spread(3);
    hdfs.readAll();
  }

  private boolean isListed(List<String> dataNodes) throws IOException {
    for (String name : hdfs.names()) {
      for (BlockLocation block : hdfs.blocks(name)) {
        if (!Collections.disjoint(Arrays.asList(block.getNames()), dataNodes)) {
          return true;
        }
      }
    }
    return false;
  }

  private void regainHost() throws Exception {
    hdfs.startDataNode(0);
    hdfs.startDataNode(1);
    Await.until(
        60,
        "two DataNodes do not come back",
        () -> hdfs.fs().getDataNodeStats(DatanodeReportType.LIVE).length == DATA_NODES);
    // they hold what is elsewhere by now
    Await.until(
        120,
        "replicas stay superfluous",
        () -> hdfs.blockFiles() == (long) FILES * SIZE / Hdfs.BLOCK * 3);
    hdfs.awaitReplicas(60, 3, hdfs.names());
    spread(3);
  }

  private void decommission() throws Exception {
    hdfs.decommission(5);
    Await.until(120, "the DataNode is not decommissioned", () -> decommissioned() == 1);
    for (String name : hdfs.names()) {
      for (BlockLocation block : hdfs.blocks(name)) {
        List<String> elsewhere = new ArrayList<>(Arrays.asList(block.getTopologyPaths()));
        String port = ":" + hdfs.dataNode(5).getXferPort();
        elsewhere.removeIf(path -> path.endsWith(port));
        Check.that(elsewhere.size() >= 3, name + " has left only " + elsewhere);
      }
    }
    hdfs.decommission();
    hdfs.awaitReplicas(120, 3, hdfs.names());
    spread(3);
  }

  private int decommissioned() throws IOException {
    int count = 0;
    for (DatanodeInfo each : hdfs.fs().getDataNodeStats()) {
      count += each.isDecommissioned() ? 1 : 0;
    }
    return count;
  }

  private void stripe() throws Exception {
    hdfs.fs().mkdirs(Hdfs.path("/ec"));
    hdfs.fs().enableErasureCodingPolicy(EC_POLICY);
    hdfs.fs().setErasureCodingPolicy(Hdfs.path("/ec"), EC_POLICY);
    int bytes = 3 * EC_CELL;
    for (int i = 0; i < 4; i++) {
      String name = "/ec/" + i;
      try (OutputStream out =
          hdfs.fs().create(Hdfs.path(name), true, EC_CELL, (short) 1, EC_CELL)) {
        out.write(hdfs.content(name, bytes));
      }
      Await.until(
          60,
          name + " is not on five DataNodes",
          () -> hdfs.blocks(name).get(0).getNames().length == 5);
      Set<String> hosts = new HashSet<>();
      for (String path : hdfs.blocks(name).get(0).getTopologyPaths()) {
        hosts.add(path.substring(0, path.lastIndexOf('/')));
      }
      Check.that(hosts.size() == 5, name + " is on " + hosts);
    }
    Check.active("placement", STRIPED);
    for (int i = 0; i < 4; i++) {
      hdfs.wrote("/ec/" + i, bytes);
    }
    hdfs.readAll();
  }

  private void restart() throws Exception {
    hdfs.stop();
    hdfs.start();
    hdfs.readAll();
    hdfs.write("/after", SIZE, 3);
  }

  private void back() throws Exception {
    hdfs.stop();
    for (String key :
        new String[] {
          "dfs.block.replicator.classname",
          "dfs.block.placement.ec.classname",
          "net.topology.impl",
          "dfs.use.dfs.network.topology"
        }) {
      hdfs.unset(key);
    }
    hdfs.start();
    hdfs.readAll();
    hdfs.write("/stock", SIZE, 3);
    hdfs.read("/stock");
  }
}
