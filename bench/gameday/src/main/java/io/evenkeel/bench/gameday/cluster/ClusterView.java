package io.evenkeel.bench.gameday.cluster;

import io.evenkeel.bench.cluster.Cluster;
import io.evenkeel.bench.cluster.Member;
import io.evenkeel.bench.gameday.fault.DataNodeBeans;
import io.evenkeel.bench.net.LoopbackSocketFactory;
import io.evenkeel.common.jmx.JmxClient;
import io.evenkeel.common.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;

/**
 * What the daemons of a cluster say, and how a client in this JVM reaches them. Asks anew at each
 * call. Thread-safe.
 *
 * <p>Apart from {@link GameCluster}, which changes the cluster; whoever judges only asks.
 */
public final class ClusterView {
  /** The NameNode in a fault's target; of two, the active one. */
  static final String NAMENODE = "nn";

  static final String ACTIVE = "active";
  static final String STANDBY = "standby";

  private static final int TIMEOUT_MILLIS = 10_000;
  private static final String NAMENODE_INFO = "Hadoop:service=NameNode,name=NameNodeInfo";
  private static final String NAMENODE_STATUS = "Hadoop:service=NameNode,name=NameNodeStatus";

  private final Cluster cluster;
  private final List<DataNodePlace> dataNodes;
  private final List<String> nameNodes;
  private final Map<String, URI> webs = new LinkedHashMap<>(); // not changed once built
  private final URI rpc;

  /**
   * What the NameNode says of a DataNode it holds for alive.
   *
   * @param lastContact seconds since the last heartbeat
   * @param adminState such as {@code In Service} or {@code Decommission In Progress}
   * @param blocks replicas it knows there
   * @param failedVolumes volumes that failed since the DataNode began
   */
  public record LiveDataNode(
      long lastContact, String adminState, long blocks, long failedVolumes) {}

  ClusterView(Cluster cluster, List<String> volumeTypes) {
    this.cluster = cluster;
    List<DataNodePlace> places = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (Member member : cluster.members()) {
      if (member.kind() == Member.Kind.DATANODE) {
        places.add(place(member, volumeTypes));
        webs.put(member.name(), web(member.name(), "dfs.datanode.http.address"));
      } else if (member.kind() == Member.Kind.NAMENODE) {
        names.add(member.name());
      }
    }
    dataNodes = List.copyOf(places);
    nameNodes = List.copyOf(names);
    rpc = URI.create(cluster.status().rpc());
    nameNodes.forEach(name -> webs.put(name, web(name, ofNameNode(name, "http-address"))));
  }

  private DataNodePlace place(Member member, List<String> types) {
    List<DataNodePlace.Volume> volumes = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      Path directory = cluster.directory().resolve(member.dataDirs().get(i));
      volumes.add(new DataNodePlace.Volume(types.get(i), directory));
    }
    return new DataNodePlace(
        member.name(), member.host(), member.rack(), member.address(), member.port(), volumes);
  }

  private URI web(String process, String key) {
    return URI.create("http://" + Objects.requireNonNull(conf(process).get(key), key));
  }

  /** The key of an address of a NameNode. */
  String ofNameNode(String name, String what) {
    String suffix = hasTwoNameNodes() ? "." + rpc.getAuthority() + "." + name : "";
    return "dfs.namenode." + what + suffix;
  }

  boolean hasTwoNameNodes() {
    return nameNodes.size() > 1;
  }

  /** The processes of the NameNodes, {@code nn}, or {@code nn1} and {@code nn2}. */
  public List<String> nameNodes() {
    return nameNodes;
  }

  /**
   * The process of the NameNode that serves clients.
   *
   * @throws IOException when of two none says that it does
   */
  public String activeNameNode() throws IOException {
    if (!hasTwoNameNodes()) {
      return nameNodes.get(0);
    }
    for (String name : nameNodes) {
      if (haState(name).equals(ACTIVE)) {
        return name;
      }
    }
    throw new IOException("no NameNode is active");
  }

  /** {@code active}, {@code standby} or what else a NameNode says; empty when it says nothing. */
  String haState(String nameNode) {
    try {
      return Objects.toString(jmx(nameNode).bean(NAMENODE_STATUS).get("State"), "");
    } catch (IOException e) {
      return "";
    }
  }

  /** All DataNodes with their hosts and data directories. */
  public List<DataNodePlace> dataNodes() {
    return dataNodes;
  }

  /** The DataNode of that name. */
  public DataNodePlace dataNode(String name) {
    return dataNodes.stream()
        .filter(node -> node.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("there is no " + name));
  }

  /** Names of DataNodes by physical host. */
  public Map<String, List<String>> dataNodesByHost() {
    Map<String, List<String>> hosts = new TreeMap<>();
    for (DataNodePlace node : dataNodes) {
      hosts.computeIfAbsent(node.host(), host -> new ArrayList<>()).add(node.name());
    }
    return hosts;
  }

  /** The NameNode's address, or the nameservice of two, as a file system URI. */
  public URI rpc() {
    return rpc;
  }

  /**
   * What a client in this JVM sets: it stands on no DataNode and tries for two minutes to reach a
   * NameNode that does not answer or is in safe mode. Where a machine has one loopback address
   * only, the JVM has to be started with {@code -Djdk.net.hosts.file=DIR/cluster/hosts}.
   */
  public Configuration client() {
    Configuration conf = new Configuration();
    addFiles(conf, cluster.directory().resolve("conf"));
    conf.set("fs.defaultFS", rpc.toString());
    if (hasTwoNameNodes()) {
      // Not the policy below: with it a client tries the dead one to the end before the other one.
      conf.setInt("dfs.client.failover.sleep.max.millis", 2000);
      conf.setInt("dfs.client.failover.max.attempts", 80);
      conf.setInt("dfs.client.retry.max.attempts", 80);
    } else {
      conf.setBoolean("dfs.client.retry.policy.enabled", true);
      conf.set("dfs.client.retry.policy.spec", "500,240"); // every 500 ms, 240 times
    }
    return conf;
  }

  /** The same for a client that stands on a DataNode, so that its first replica goes there. */
  public Configuration client(String dataNode) {
    Configuration conf = client();
    conf.set("hadoop.rpc.socket.factory.class.default", LoopbackSocketFactory.class.getName());
    conf.set(LoopbackSocketFactory.ADDRESS, dataNode(dataNode).address());
    return conf;
  }

  /** What the files of a process say now; without Hadoop's defaults. */
  Configuration conf(String process) {
    Configuration conf = new Configuration(false);
    addFiles(conf, cluster.configuration(process));
    return conf;
  }

  private static void addFiles(Configuration conf, Path directory) {
    for (String name : List.of("core-site.xml", "hdfs-site.xml")) {
      conf.addResource(new org.apache.hadoop.fs.Path(directory.resolve(name).toUri()));
    }
  }

  /** The address of a daemon's web server and {@code /jmx}, such as {@code dn3}'s. */
  public URI web(String process) {
    URI web = webs.get(process);
    if (web == null) {
      throw new IllegalArgumentException("there is no " + process);
    }
    return web;
  }

  /** The beans of a daemon. */
  public JmxClient jmx(String process) {
    return new JmxClient(web(process), TIMEOUT_MILLIS);
  }

  /** Whether a process runs; a paused one does. */
  public boolean running(String process) {
    return cluster.alive(process);
  }

  /** The log of a process; later starts append to it. */
  public Path log(String process) {
    return cluster.members().stream()
        .filter(member -> member.name().equals(process))
        .map(member -> cluster.directory().resolve(member.log()))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("there is no " + process));
  }

  /** Live threads of a daemon. */
  public int threads(String process) throws IOException {
    Object count = jmx(process).bean("java.lang:type=Threading").get("ThreadCount");
    if (!(count instanceof Number n)) {
      throw new IOException(process + " tells no number of threads");
    }
    return n.intValue();
  }

  /** What a DataNode says of its inside. */
  public DataNodeState state(String dataNode) throws IOException {
    Map<String, Object> bean = jmx(dataNode).bean(DataNodeBeans.DISKS);
    if (bean.isEmpty()) {
      throw new IOException(dataNode + " has not started its plugins");
    }
    return DataNodeState.of(bean);
  }

  /** Replicas of a DataNode by storage id, a space and the state; see {@link #writers}. */
  public Map<String, Long> replicaCounts(String dataNode) throws IOException {
    return counts(dataNode, "Counts");
  }

  /**
   * Replicas of a DataNode by storage id whose writers are alive. Its answer takes a lock of its
   * dataset and may be long in coming while a disk hangs.
   */
  public Map<String, Long> writers(String dataNode) throws IOException {
    return counts(dataNode, "Writers");
  }

  private Map<String, Long> counts(String dataNode, String attribute) throws IOException {
    Map<String, Object> bean = jmx(dataNode).bean(DataNodeBeans.REPLICAS);
    if (!bean.containsKey(attribute)) {
      throw new IOException(dataNode + " does not tell of its replicas");
    }
    return DataNodeState.counts(bean.get(attribute));
  }

  /** Whether the NameNode, of two the active one, is in safe mode. */
  public boolean safeMode() throws IOException {
    return safeMode(activeNameNode());
  }

  boolean safeMode(String nameNode) throws IOException {
    Object text = jmx(nameNode).bean(NAMENODE_INFO).get("Safemode");
    if (text == null) {
      throw new IOException("the NameNode has no namesystem yet");
    }
    return !text.toString().isEmpty();
  }

  /** The DataNodes that the NameNode, of two the active one, holds for alive, by name. */
  public Map<String, LiveDataNode> live() throws IOException {
    return live(activeNameNode());
  }

  /** The same as one NameNode says it. */
  Map<String, LiveDataNode> live(String nameNode) throws IOException {
    Object live = jmx(nameNode).bean(NAMENODE_INFO).get("LiveNodes");
    if (live == null) {
      throw new IOException("the NameNode has no namesystem yet");
    }
    Map<String, LiveDataNode> nodes = new TreeMap<>();
    for (Object each : ((Map<?, ?>) Json.parse(live.toString())).values()) {
      Map<?, ?> node = (Map<?, ?>) each;
      String address = Objects.toString(node.get("xferaddr"));
      for (DataNodePlace place : dataNodes) {
        if (address.equals(place.address() + ":" + place.port())) {
          nodes.put(
              place.name(),
              new LiveDataNode(
                  number(node, "lastContact"),
                  Objects.toString(node.get("adminState")),
                  number(node, "numBlocks"),
                  number(node, "volfails")));
        }
      }
    }
    return nodes;
  }

  /**
   * What {@code hdfs fsck -blockId} says of a block.
   *
   * @param block its id, a number
   */
  public String fsck(String block) throws IOException {
    URLConnection connection =
        web(activeNameNode())
            .resolve("/fsck?ugi=root&blockId=blk_" + block)
            .toURL()
            .openConnection();
    connection.setConnectTimeout(TIMEOUT_MILLIS);
    connection.setReadTimeout(TIMEOUT_MILLIS);
    try (InputStream in = connection.getInputStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static long number(Map<?, ?> map, String name) {
    return ((Number) Objects.requireNonNull(map.get(name), name)).longValue();
  }
}
