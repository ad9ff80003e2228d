package io.evenkeel.bench.cluster;

import io.evenkeel.bench.runtime.Layout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToIntBiFunction;

/**
 * Everything that is decided before the first process starts: the processes with their addresses
 * and the configuration of each. Pure: ports come from a function. Immutable once built.
 */
final class Plan {
  /** The name under which a client of the cluster's own has its configuration. */
  static final String CLIENT = "client";

  /** By name: the launcher's JVM has no Hadoop on its class path and could not load it. */
  static final String SOCKET_FACTORY = "io.evenkeel.bench.net.LoopbackSocketFactory";

  /** The nameservice of two NameNodes. */
  private static final String NAMESERVICE = "evenkeel";

  private static final int JOURNAL_NODES = 3;

  private final Path dir;
  private final ClusterSpec spec;
  private final boolean ownAddresses;
  private final ToIntBiFunction<String, Integer> ports;
  private final Map<String, String> common = new LinkedHashMap<>();
  private final List<Member> members = new ArrayList<>();
  private final Map<String, Map<String, String>> conf = new LinkedHashMap<>();
  private final String rpc;
  private final List<String> webs = new ArrayList<>();

  /**
   * Plans a cluster.
   *
   * @param ports gives a free port of an address, preferably the one asked for
   * @param software the class path of the daemons and the keys of the plugins on it
   */
  Plan(
      Path dir,
      ClusterSpec spec,
      boolean ownAddresses,
      ToIntBiFunction<String, Integer> ports,
      Software software) {
    this.dir = dir;
    this.spec = spec;
    this.ownAddresses = ownAddresses;
    this.ports = ports;
    List<String> rpcs = new ArrayList<>();
    for (int i = 0; i < spec.nameNodes(); i++) {
      rpcs.add(local(8020));
      webs.add(local(9870));
    }
    rpc = spec.nameNodes() == 1 ? rpcs.get(0) : NAMESERVICE;
    fillCommon(software.keys());
    if (spec.nameNodes() == 1) {
      common.put("dfs.namenode.http-address", webs.get(0)); // fsck asks there
      planNameNode("nn", rpc).put("dfs.namenode.rpc-address", rpc);
    } else {
      planNameNodes(rpcs);
    }
    spec.layout().vms().forEach(this::planDataNode);
    if (spec.yarn()) {
      planYarn(software);
    }
    put(CLIENT, keys(CLIENT));
  }

  List<Member> members() {
    return members;
  }

  /** What clients call the file system: address of the NameNode, or the nameservice of two. */
  String rpc() {
    return rpc;
  }

  /** Addresses of the NameNodes' web servers, in the order of the NameNodes. */
  List<String> webs() {
    return webs;
  }

  /** The keys of one process, of {@link #CLIENT} too; the user's own keys win. */
  Map<String, String> conf(String name) {
    return conf.get(name);
  }

  /** The keys for any HDFS client of the same release, without classes of ours. */
  Map<String, String> publicConf() {
    Map<String, String> keys = new LinkedHashMap<>(conf.get(CLIENT));
    keys.remove("hadoop.tmp.dir");
    keys.remove("hadoop.rpc.socket.factory.class.default");
    return keys;
  }

  /** The address that outgoing calls of a process come from; null where it is not to be set. */
  String source(String name) {
    return members.stream()
        .filter(m -> ownAddresses && m.name().equals(name) && !m.host().isEmpty())
        .map(Member::address)
        .findFirst()
        .orElse(null);
  }

  /** Options of the JVM of one process, besides those that every process has. */
  List<String> options(String name) {
    boolean dataNode =
        members.stream().anyMatch(m -> m.name().equals(name) && m.kind() == Member.Kind.DATANODE);
    return dataNode ? spec.dataNodeOptions() : List.of();
  }

  /** The names every JVM of the cluster resolves, in the form of {@code /etc/hosts}. */
  String hosts(List<String> machineNames) {
    StringBuilder text = new StringBuilder(Addresses.LOCALHOST + " localhost");
    machineNames.forEach(name -> text.append(' ').append(name));
    members.stream()
        .filter(m -> m.kind() == Member.Kind.NAMENODE || m.kind() == Member.Kind.JOURNALNODE)
        .forEach(m -> text.append(' ').append(m.name()));
    text.append(" rm\n");
    for (Layout.Vm vm : spec.layout().vms()) {
      text.append(address(vm)).append(' ').append(vm.name()).append('\n');
    }
    return text.toString();
  }

  private void fillCommon(Map<String, String> pluginKeys) {
    common.put("fs.defaultFS", "hdfs://" + rpc);
    common.put("dfs.replication", Integer.toString(spec.replication()));
    // A lost DataNode is dead after 2 x 2 s + 10 x 1 s, not after ten minutes.
    common.put("dfs.heartbeat.interval", "1");
    common.put("dfs.namenode.heartbeat.recheck-interval", "2000");
    common.put("net.topology.node.switch.mapping.impl", "org.apache.hadoop.net.StaticMapping");
    common.put("hadoop.configured.node.mapping", mapping());
    if (ownAddresses) {
      common.put("hadoop.rpc.socket.factory.class.default", SOCKET_FACTORY);
    } else {
      common.put("dfs.client.use.datanode.hostname", "true");
      common.put("dfs.datanode.use.datanode.hostname", "true");
    }
    common.putAll(pluginKeys);
  }

  private String mapping() {
    List<String> entries = new ArrayList<>();
    for (Layout.Vm vm : spec.layout().vms()) {
      entries.add(vm.name() + "=" + vm.path());
      if (ownAddresses) {
        entries.add(vm.address() + "=" + vm.path()); // YARN asks by address
      }
    }
    return String.join(",", entries);
  }

  /** Plans one NameNode; what it returns can still be added to. */
  private Map<String, String> planNameNode(String name, String address) {
    String directory = "nodes/" + name + "/name";
    Map<String, String> keys = keys(name);
    keys.put("dfs.namenode.name.dir", uri(directory));
    keys.put("dfs.namenode.datanode.registration.ip-hostname-check", "false");
    keys.put("dfs.namenode.safemode.extension", "0");
    add(Member.Kind.NAMENODE, name, null, port(address), List.of(directory));
    put(name, keys);
    return keys;
  }

  /** Two NameNodes of one nameservice, and the JournalNodes that keep their edits. */
  private void planNameNodes(List<String> rpcs) {
    List<String> names = List.of("nn1", "nn2");
    List<String> journals = new ArrayList<>();
    for (int i = 0; i < JOURNAL_NODES; i++) {
      journals.add(local(8485));
    }
    common.put("dfs.nameservices", NAMESERVICE);
    common.put("dfs.ha.namenodes." + NAMESERVICE, String.join(",", names));
    for (int i = 0; i < names.size(); i++) {
      String suffix = "." + NAMESERVICE + "." + names.get(i);
      common.put("dfs.namenode.rpc-address" + suffix, rpcs.get(i));
      common.put("dfs.namenode.http-address" + suffix, webs.get(i));
    }
    common.put(
        "dfs.client.failover.proxy.provider." + NAMESERVICE,
        "org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider");
    common.put(
        "dfs.namenode.shared.edits.dir",
        "qjournal://" + String.join(";", journals) + "/" + NAMESERVICE);
    common.put("dfs.ha.fencing.methods", "shell(/bin/true)"); // the JournalNodes fence
    // The standby reads finished segments only: it has them finished and reads them soon.
    common.put("dfs.ha.tail-edits.period", "1s");
    common.put("dfs.ha.log-roll.period", "5s");
    // On a busy machine a JournalNode may need longer than 20 s, and a NameNode would end itself.
    common.put("dfs.qjournal.write-txns.timeout.ms", "60000");
    for (int i = 0; i < names.size(); i++) {
      // Both addresses are this machine's, so a NameNode cannot tell by its own which one it is.
      planNameNode(names.get(i), rpcs.get(i)).put("dfs.ha.namenode.id", names.get(i));
    }
    for (int i = 0; i < JOURNAL_NODES; i++) {
      planJournalNode("jn" + (i + 1), journals.get(i));
    }
  }

  private void planJournalNode(String name, String address) {
    Map<String, String> keys = keys(name);
    keys.put("dfs.journalnode.edits.dir", dir.resolve("nodes/" + name + "/edits").toString());
    keys.put("dfs.journalnode.rpc-address", address);
    keys.put("dfs.journalnode.http-address", local(8480));
    add(Member.Kind.JOURNALNODE, name, null, port(address), List.of("nodes/" + name + "/edits"));
    put(name, keys);
  }

  private static int port(String address) {
    return Integer.parseInt(address.substring(address.indexOf(':') + 1));
  }

  private void planDataNode(Layout.Vm vm) {
    String name = vm.name();
    String address = address(vm);
    String data = "nodes/" + name + "/data/";
    int port = ports.applyAsInt(address, 9866);
    Map<String, String> keys = keys(name);
    keys.put("dfs.datanode.hostname", name);
    keys.put("dfs.datanode.address", address + ":" + port);
    keys.put("dfs.datanode.ipc.address", address + ":" + ports.applyAsInt(address, 9867));
    keys.put("dfs.datanode.http.address", address + ":" + ports.applyAsInt(address, 9864));
    List<String> directories = new ArrayList<>();
    List<String> volumes = new ArrayList<>();
    for (String type : spec.volumes()) {
      String first = data + type.toLowerCase(Locale.ROOT).replace("_", "");
      String directory = first;
      for (int n = 2; directories.contains(directory); n++) {
        directory = first + n;
      }
      directories.add(directory);
      volumes.add("[" + type + "]" + uri(directory));
    }
    keys.put("dfs.datanode.data.dir", String.join(",", volumes));
    add(Member.Kind.DATANODE, name, vm, port, directories);
    put(name, keys);
  }

  private void planYarn(Software software) {
    planResourceManager(software);
    spec.layout().vms().forEach(this::planNodeManager);
  }

  private void planResourceManager(Software software) {
    List<Path> classpath = new ArrayList<>(List.of(dir.resolve("conf")));
    classpath.addAll(software.jars());
    classpath.add(dir.resolve("harness"));
    Map<String, String> rm = YarnKeys.resourceManager(this::local);
    int port = YarnKeys.port(rm.get(YarnKeys.RM_ADDRESS));
    add(Member.Kind.RESOURCEMANAGER, "rm", null, port, List.of());
    common.putAll(rm);
    common.putAll(YarnKeys.jobs(dir, classpath));
    put("rm", keys("rm"));
  }

  private void planNodeManager(Layout.Vm vm) {
    String name = "nm" + vm.number();
    String local = "nodes/" + name + "/";
    int nmPort = ports.applyAsInt(address(vm), 8041);
    Map<String, String> keys = keys(name);
    keys.putAll(YarnKeys.nodeManager(vm.name(), nmPort, p -> ports.applyAsInt(address(vm), p)));
    // The shuffle server listens on every address, whatever the NodeManager's is.
    int shuffle = ports.applyAsInt(Addresses.ANY, 13562);
    keys.put("mapreduce.shuffle.port", Integer.toString(shuffle));
    keys.put("yarn.nodemanager.local-dirs", dir.resolve(local + "local").toString());
    keys.put("yarn.nodemanager.log-dirs", dir.resolve(local + "containers").toString());
    keys.put("yarn.nodemanager.admin-env", YarnKeys.environment(dir, address(vm)));
    add(Member.Kind.NODEMANAGER, name, vm, nmPort, List.of());
    put(name, keys);
  }

  private void add(Member.Kind kind, String name, Layout.Vm vm, int port, List<String> data) {
    String host = vm == null ? "" : vm.host();
    String rack = vm == null ? "" : vm.rack();
    String address = vm == null ? Addresses.LOCALHOST : address(vm);
    members.add(new Member(kind, name, host, rack, address, port, 0, 0, data));
  }

  private Map<String, String> keys(String name) {
    Map<String, String> keys = new LinkedHashMap<>(common);
    keys.put("hadoop.tmp.dir", dir.resolve("nodes").resolve(name).resolve("tmp").toString());
    return keys;
  }

  private void put(String name, Map<String, String> keys) {
    keys.putAll(spec.conf());
    conf.put(name, keys);
  }

  private String address(Layout.Vm vm) {
    return ownAddresses ? vm.address() : Addresses.LOCALHOST;
  }

  private String local(int preferred) {
    return Addresses.LOCALHOST + ":" + ports.applyAsInt(Addresses.LOCALHOST, preferred);
  }

  private String uri(String relative) {
    return "file://" + dir.resolve(relative);
  }
}
