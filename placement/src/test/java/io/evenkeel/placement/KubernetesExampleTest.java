package io.evenkeel.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.net.DNSToSwitchMapping;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.util.ReflectionUtils;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import tech.stackable.hadoop.StackableTopologyProvider;

/** What conf/kubernetes.yaml says works as docs/kubernetes.md says. */
@Timeout(120)
class KubernetesExampleTest {
  private static final Path EXAMPLE = Path.of("../cli/src/main/archive/conf/kubernetes.yaml");

  private final Configuration conf = new Configuration(false);
  private Map<String, Object> spec;

  @SuppressWarnings("unchecked")
  private static Map<String, Object> in(Map<String, Object> map, String... path) {
    Map<String, Object> found = map;
    for (String name : path) {
      found = (Map<String, Object>) found.get(name);
      assertThat(found).as(name).isNotNull();
    }
    return found;
  }

  @BeforeEach
  void read() throws IOException {
    try (Reader text = Files.newBufferedReader(EXAMPLE)) {
      spec = in(new Yaml(new SafeConstructor(new LoaderOptions())).load(text), "spec");
    }
    for (String file : List.of("core-site.xml", "hdfs-site.xml")) {
      in(spec, "nameNodes", "configOverrides", file)
          .forEach(
              (key, value) -> {
                assertThat(value)
                    .as("the operator takes strings only: " + key)
                    .isInstanceOf(String.class);
                conf.set(key, (String) value);
              });
    }
    StackableTopologyProvider.PODS.clear();
    StackableTopologyProvider.pending = false;
  }

  /** Twelve pods on six nodes in two zones. */
  private TestCluster cluster(Configuration with, DNSToSwitchMapping mapping) {
    TestCluster cluster = TestCluster.of(with, NetworkTopology.getInstance(with));
    for (int i = 0; i < 12; i++) {
      String address = "10.244." + i / 2 + "." + i;
      StackableTopologyProvider.PODS.put(address, "/zone-" + i % 4 / 2 + "/node-" + i / 2);
      cluster.add(mapping.resolve(List.of(address)).get(0), address, StorageType.DISK);
    }
    return cluster;
  }

  private DNSToSwitchMapping mapping() {
    return (DNSToSwitchMapping)
        ReflectionUtils.newInstance(
            conf.getClass("net.topology.node.switch.mapping.impl", null), conf);
  }

  @Test
  void example_labels_areZoneAndThenNode() {
    assertThat(in(spec, "clusterConfig").get("rackAwareness"))
        .asList()
        .containsExactly(
            Map.of("labelType", "node", "labelName", "topology.kubernetes.io/zone"),
            Map.of("labelType", "node", "labelName", "kubernetes.io/hostname"));
  }

  @Test
  void example_policies_startAndKeepReplicasOnDifferentNodes() throws Exception {
    TestCluster cluster = cluster(conf, mapping());
    BlockPlacementPolicy policy =
        cluster.start(
            (BlockPlacementPolicy)
                conf.getClass("dfs.block.replicator.classname", null)
                    .getDeclaredConstructor()
                    .newInstance());
    cluster.start(
        (BlockPlacementPolicy)
            conf.getClass("dfs.block.placement.ec.classname", null)
                .getDeclaredConstructor()
                .newInstance());
    Map<DatanodeDescriptor, Integer> blocks = new HashMap<>();
    for (int i = 0; i < 600; i++) {
      List<DatanodeDescriptor> chosen = TestCluster.nodesOf(TestCluster.choose(policy, 3, null));
      assertThat(TestCluster.locations(chosen)).as("nodes").hasSize(3);
      assertThat(TestCluster.racks(chosen)).as("zones").hasSize(2);
      chosen.forEach(node -> blocks.merge(node, 1, Integer::sum));
    }
    assertThat(blocks.values())
        .as("150 are their share")
        .allMatch(count -> Math.abs(count - 150) < 15);
  }

  /** Behind NodeGroupMapping they are hosts of their own; the provider alone has them on one. */
  @Test
  void podNotScheduled_othersAreNotOnOneHost() {
    StackableTopologyProvider.pending = true;
    List<String> pods = List.of("10.244.0.1", "10.244.0.2");
    Set<String> alone = new HashSet<>(new StackableTopologyProvider().resolve(pods));
    assertThat(alone).containsExactly("/NotFound/NotFound");
    assertThat(new HashSet<>(mapping().resolve(pods))).hasSize(2);
  }

  /** Registered while another pod was pending: the right node counts without a restart. */
  @Test
  void podRegisteredAsUnknown_itsNodeCountsWithTheNextLook() throws Exception {
    conf.set("evenkeel.placement.location-check", "100ms");
    StackableTopologyProvider.pending = true;
    TestCluster cluster = cluster(conf, mapping());
    UniformBlockPlacementPolicy ours = cluster.ours();
    ours.index();
    StackableTopologyProvider.pending = false;
    Await.until("all are seen", () -> ours.nameNode().movedDataNodes() == 12);
    for (int i = 0; i < 200; i++) {
      Set<String> nodes = new HashSet<>();
      List<DatanodeDescriptor> chosen = TestCluster.nodesOf(TestCluster.choose(ours, 3, null));
      chosen.forEach(pod -> nodes.add(StackableTopologyProvider.PODS.get(pod.getIpAddr())));
      assertThat(nodes).hasSize(3);
    }
  }
}
