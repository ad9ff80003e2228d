package io.evenkeel.cli.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cli.check.core.Installed;
import io.evenkeel.cli.check.core.Module;
import io.evenkeel.cli.check.core.Preflight;
import io.evenkeel.cli.core.Finding;
import io.evenkeel.common.plugin.Fit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("once")
class PreflightTest {
  private static final String REPLICATED = "dfs.block.replicator.classname";
  private static final String STRIPED = "dfs.block.placement.ec.classname";
  private static final String MAPPING = "net.topology.node.switch.mapping.impl";
  private static final String TOPOLOGY = "net.topology.impl";
  private static final String NODE_GROUPS = "org.apache.hadoop.net.NetworkTopologyWithNodeGroup";
  private static final String DFS_TOPOLOGY = "dfs.use.dfs.network.topology";
  private static final String UNIFORM = "io.evenkeel.placement.UniformBlockPlacementPolicy";
  private static final String UNIFORM_EC =
      "io.evenkeel.placement.UniformStripedBlockPlacementPolicy";
  private static final String NODE_GROUP_MAPPING = "io.evenkeel.placement.NodeGroupMapping";
  private static final String VOLUMES = "dfs.datanode.fsdataset.volume.choosing.policy";
  private static final String LATENCY = "io.evenkeel.volume.LatencyAwareVolumeChoosingPolicy";

  private final Map<String, String> conf = new TreeMap<>();
  private final Jars jars = new Jars();

  /** A class path with all classes but those that are missing. */
  private static final class Jars implements Installed {
    final List<String> missing = new ArrayList<>();
    final Map<String, String> ours = new LinkedHashMap<>();
    final Map<Module, String> problems = new HashMap<>();
    final List<Module> unjudged = new ArrayList<>();
    boolean known = true;
    String misfit = "";

    @Override
    public boolean isKnown() {
      return known;
    }

    @Override
    public List<String> having(String className) {
      return missing.contains(className) ? List.of() : List.of("/lib/a.jar");
    }

    @Override
    public Map<String, String> ourJars() {
      return ours;
    }

    @Override
    public boolean judges(Module module) {
      return !unjudged.contains(module);
    }

    @Override
    public String hadoopVersion() {
      return "3.4.3";
    }

    @Override
    public List<String> problems(
        Module module, Iterable<String> names, Function<String, String> get) {
      return problems.containsKey(module) ? List.of(problems.get(module)) : List.of();
    }

    @Override
    public Fit prove(Module module) {
      return new Fit("9.9", misfit.isEmpty() ? List.of() : List.of(misfit, misfit), "");
    }
  }

  private List<Finding> check() {
    return Preflight.check(conf.keySet(), name -> conf.getOrDefault(name, ""), jars);
  }

  private void nodeGroupsRight() {
    conf.put(REPLICATED, UNIFORM);
    conf.put(STRIPED, UNIFORM_EC);
    conf.put(TOPOLOGY, NODE_GROUPS);
    conf.put(DFS_TOPOLOGY, "false");
  }

  private void mappingRight() {
    conf.put(MAPPING, NODE_GROUP_MAPPING);
    conf.put("net.topology.script.file.name", "/etc/racks.sh");
  }

  private void assertOne(String kind, String... parts) {
    List<Finding> findings = check();
    assertThat(findings).singleElement().extracting(Finding::kind).isEqualTo(kind);
    assertThat(findings.get(0).toString()).contains(parts);
  }

  @Test
  void check_stock_findsNothing() {
    conf.put("dfs.replication", "3");
    conf.put("hbase.rootdir", "/hbase");
    assertThat(check()).isEmpty();
    jars.known = false;
    assertThat(check()).isEmpty();
  }

  /** That nobody has looked for its jar is said, once, and values are judged all the same. */
  @Test
  void check_classPathNotKnown_saysSoAndJudgesValues() {
    conf.put(VOLUMES, LATENCY);
    jars.known = false;
    jars.missing.add(LATENCY);
    assertOne("not-judged", LATENCY, "--classpath");
    jars.problems.put(Module.VOLUME, "evenkeel.volume.fill = 'fast' is not allowed");
    assertThat(check()).extracting(Finding::kind).containsExactly("not-judged", "bad-key");
  }

  @Test
  void check_everythingRight_findsNothing() {
    nodeGroupsRight();
    mappingRight();
    conf.put(VOLUMES, LATENCY);
    conf.put("dfs.datanode.fsdataset.factory", "io.evenkeel.locking.FineGrainedDatasetFactory");
    conf.put("evenkeel.volume.fill", "even");
    jars.ours.put("/opt/lib/evenkeel-placement-0.1.0.jar", "0.1.0");
    jars.ours.put("/opt/lib/evenkeel-volume-policy-0.1.0.jar", "0.1.0");
    assertThat(check()).isEmpty();
  }

  @Test
  void check_policyWithoutItsPartner_saysWhatStockPlaces() {
    nodeGroupsRight();
    conf.remove(STRIPED);
    assertOne("keys-apart", "stock places erasure-coded blocks", "<value>" + UNIFORM_EC);
    conf.put(STRIPED, UNIFORM_EC);
    conf.remove(REPLICATED);
    assertThat(check()).extracting(Finding::toString).anyMatch(t -> t.contains("replicated"));
  }

  @Test
  void check_topologyWithoutDfsTopologyOff_saysTheNameNodeDoesNotStart() {
    nodeGroupsRight();
    conf.remove(DFS_TOPOLOGY);
    assertOne(
        "keys-apart",
        "node groups count as racks, and the NameNode does not start",
        "hdfs-site.xml: <property><name>" + DFS_TOPOLOGY + "</name><value>false</value>");
  }

  @Test
  void check_nodeGroupsWithStocksDefault_saysThatHostsAreShared() {
    conf.put(TOPOLOGY, NODE_GROUPS);
    conf.put(DFS_TOPOLOGY, "false");
    assertOne("keys-apart", "does not know node groups", UNIFORM);
    conf.put(REPLICATED, "org.apache.hadoop.hdfs.BlockPlacementPolicyWithNodeGroup");
    assertThat(check()).isEmpty();
  }

  @Test
  void check_mappingWithoutTopology_saysThatHostsAreShared() {
    mappingRight();
    assertOne("keys-apart", "takes for a rack", TOPOLOGY, DFS_TOPOLOGY);
    conf.put("evenkeel.placement.mapping.emit", "rack");
    assertThat(check()).isEmpty();
  }

  @Test
  void check_oneLevelForNodeGroups_saysToRemoveIt() {
    nodeGroupsRight();
    mappingRight();
    conf.put("evenkeel.placement.mapping.emit", "rack");
    assertOne("keys-apart", "remove it here");
  }

  @Test
  void check_mappingWithoutScript_saysThatHostsAreUnknown() {
    nodeGroupsRight();
    conf.put(MAPPING, NODE_GROUP_MAPPING);
    assertOne("keys-apart", "has no script", "net.topology.script.file.name");
  }

  @Test
  void check_unknownHostsFailWithoutStocksKey_saysTheNameNodeDoesNotStart() {
    nodeGroupsRight();
    mappingRight();
    conf.put("evenkeel.placement.mapping.unknown", "fail");
    assertOne("keys-apart", "dfs.namenode.reject-unresolved-dn-topology-mapping=true");
  }

  @Test
  void check_satisfierWithoutExternalMode_saysWhatItNeeds() {
    conf.put("evenkeel.mover.follow.satisfier", "on");
    assertOne("keys-apart", "dfs.storage.policy.satisfier.mode");
  }

  @Test
  void check_classOfOursThatIsNotThere_namesTheJarAndWhoDies() {
    nodeGroupsRight();
    jars.missing.add(UNIFORM);
    assertOne(
        "class-missing",
        REPLICATED + " names " + UNIFORM,
        "evenkeel-placement-VERSION.jar is not there",
        "NameNode, Balancer and Mover will not start");
  }

  @Test
  void check_misspeltClass_namesTheNearest() {
    String wrong = "io.evenkeel.volume.LatencyAwareVolumeChosingPolicy";
    conf.put(VOLUMES, wrong);
    jars.missing.add(wrong);
    assertOne("class-missing", "On this host DataNode will not start", "<value>" + LATENCY);
  }

  @Test
  void check_classForAnotherKey_saysSo() {
    nodeGroupsRight();
    conf.put(REPLICATED, UNIFORM_EC);
    assertThat(check()).extracting(Finding::kind).contains("wrong-class");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "evenkeel.placment.weight",
        "evenkeal.placement.weight",
        "evenkeel.plcement.weight",
        "Evenkeel.placement.weight"
      })
  void check_misspeltPrefix_namesTheNearest(String name) {
    conf.put(name, "equal");
    assertOne("unknown-key", "nobody reads " + name, "Perhaps evenkeel.placement.weight is meant");
  }

  @Test
  void check_badValue_isToldInTheWordsOfTheModule() {
    conf.put(VOLUMES, LATENCY);
    conf.put("evenkeel.volume.fill", "fast");
    jars.problems.put(Module.VOLUME, "evenkeel.volume.fill = 'fast' is not allowed");
    assertOne("bad-key", "'fast' is not allowed", "the DataNode that reads it does not start");
  }

  @Test
  void check_keysWithoutTheirSwitch_haveNoEffect() {
    conf.put("evenkeel.volume.fill", "even");
    assertOne("no-effect", "evenkeel-volume-policy", "evenkeel.volume.fill", VOLUMES);
    conf.clear();
    conf.put("evenkeel.volume.unknown-keys", "warn"); // set before an upgrade
    assertThat(check()).isEmpty();
  }

  @Test
  void check_keysOfAJarThatIsNowhere_saysThatTheyWereNotJudged() {
    conf.put("evenkeel.mover.threads", "many");
    jars.unjudged.add(Module.MOVER);
    assertOne("not-judged", "no jar of evenkeel-mover", "evenkeel.mover.threads");
  }

  @Test
  void check_otherHadoop_namesTheKeyThatAllowsIt() {
    conf.put(VOLUMES, LATENCY);
    jars.misfit = "method a.B.c is missing";
    assertOne(
        "other-hadoop",
        "a.B.c is missing, and 1 more",
        "stock decides, with a WARN at start; 'evenkeel prove' shows what is missing");
    conf.put("evenkeel.volume.allow-untested", "true");
    assertThat(check()).isEmpty();
  }

  @Test
  void check_twoVersionsOfAJar_areTwoFindings() {
    jars.ours.put("/opt/a/evenkeel-mover-0.1.0.jar", "0.1.0");
    jars.ours.put("/opt/b/evenkeel-mover-0.2.0.jar", "0.2.0");
    assertThat(check()).extracting(Finding::kind).containsExactly("jar-twice", "mixed-version");
    assertThat(check().get(0).message())
        .isEqualTo(
            "evenkeel-mover is there 2 times and the first is used:"
                + " /opt/a/evenkeel-mover-0.1.0.jar, /opt/b/evenkeel-mover-0.2.0.jar");
  }

  @Test
  void check_launcherAmongTheDaemons_saysSo() {
    jars.ours.put("/opt/cli/evenkeel-cli.jar", "0.1.0");
    assertOne("launcher-jar", "/opt/cli/evenkeel-cli.jar is on the class path of daemons");
  }

  @Test
  void check_otherHadoopThatIsAllowed_findsNothing() {
    nodeGroupsRight();
    jars.misfit = "method a.B.c is missing";
    assertOne("other-hadoop", "the NameNode does not start");
    conf.put("evenkeel.placement.allow-untested", "true");
    assertThat(check()).isEmpty();
  }

  /** Hadoop reads true and false in any case. */
  @Test
  void check_booleansOfHadoopInCapitals_areUnderstood() {
    nodeGroupsRight();
    mappingRight();
    conf.put(DFS_TOPOLOGY, "FALSE");
    conf.put("evenkeel.placement.mapping.unknown", "fail");
    conf.put("dfs.namenode.reject-unresolved-dn-topology-mapping", "True");
    assertThat(check()).isEmpty();
  }

  @Test
  void check_nodeGroupsAsHostKeyWithoutTheirTopology_isAFinding() {
    nodeGroupsRight();
    conf.put("evenkeel.placement.host-key", "node-group");
    assertThat(check()).isEmpty();
    conf.remove(TOPOLOGY);
    conf.remove(DFS_TOPOLOGY);
    assertOne("keys-apart", "host-key=node-group needs a topology with node groups", NODE_GROUPS);
  }

  @Test
  void check_observedPolicy_mustBeThere() {
    nodeGroupsRight();
    conf.put("evenkeel.placement.observed-policy", "org.site.Policy");
    jars.missing.add("org.site.Policy");
    assertThat(check()).as("nobody asks for it").isEmpty();
    conf.put("evenkeel.placement.observe-only", "true");
    assertOne("class-missing", "observed-policy names org.site.Policy");
    jars.missing.clear();
    conf.put("evenkeel.placement.observed-policy", UNIFORM);
    assertOne("wrong-class", "observe itself");
  }

  @Test
  void check_mappingThatAsksItself_isAFinding() {
    nodeGroupsRight();
    mappingRight();
    conf.put("evenkeel.placement.mapping.wrapped", NODE_GROUP_MAPPING);
    assertOne("wrong-class", "ask itself");
  }

  @Test
  void check_classOfOursThatIsForNoKey_isAFinding() {
    conf.put(VOLUMES, "io.evenkeel.volume.VolumeKeys");
    assertOne("wrong-class", "VolumeKeys", LATENCY);
  }

  /** An empty value counts for nothing in Hadoop, blanks are a class without a name. */
  @Test
  void check_blanksForAClass_areAFinding() {
    conf.put(VOLUMES, "");
    assertOne("class-missing", VOLUMES, "blank", "DataNode will not start");
  }
}
