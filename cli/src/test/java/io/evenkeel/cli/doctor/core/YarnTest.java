package io.evenkeel.cli.doctor.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.evenkeel.cli.doctor.core.Diagnosis.Kind;
import io.evenkeel.cli.doctor.core.YarnHistory.NodeManager;
import io.evenkeel.cli.doctor.core.YarnHistory.Numbers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class YarnTest {
  private static final Numbers NOTHING = new Numbers(Map.of(), Map.of());

  private final List<NodeManager> nodes = new ArrayList<>();
  private Numbers manager = NOTHING;

  private YarnTest node(String host, Map<String, Object> known, Numbers numbers) {
    Map<String, Object> all = new HashMap<>(known);
    all.put("HostName", host);
    nodes.add(new NodeManager(host + ":8042", all, numbers, ""));
    return this;
  }

  private List<Diagnosis> find(Given given) {
    YarnHistory yarn = new YarnHistory("ResourceManager", 120, manager, nodes);
    return Yarn.find(given.cluster().with(yarn));
  }

  private static Numbers containers(long failed, long completed) {
    return new Numbers(
        Map.of("ContainersFailed", 100, "ContainersCompleted", 1000),
        Map.of("ContainersFailed", 100 + failed, "ContainersCompleted", 1000 + completed));
  }

  @Test
  void find_notAsked_findsNothing() {
    assertThat(Yarn.find(new Given().cluster())).isEmpty();
  }

  @Test
  void find_healthyYarn_findsNothing() {
    for (int i = 0; i < 4; i++) {
      Map<String, Object> known =
          Map.of("State", "RUNNING", "NodeManagerVersion", "3.4.3", "HealthReport", "");
      node("h" + i, known, containers(1, 50));
    }
    assertThat(find(new Given())).isEmpty();
  }

  @Test
  void find_unhealthyNodeManager_isToldWithItsReasonOnce() {
    Map<String, Object> known =
        Map.of("State", "UNHEALTHY", "HealthReport", "1/1 local-dirs\n bad");
    node("h1", known, new Numbers(Map.of(), Map.of("BadLocalDirs", 1)));
    List<Diagnosis> found = find(new Given());
    assertThat(found)
        .extracting(Diagnosis::kind, Diagnosis::subject)
        .containsExactly(tuple(Kind.UNHEALTHY_NODEMANAGER, "h1:8042"));
    assertThat(found.get(0).evidence())
        .isEqualTo("by its own health check: h1:8042 (1/1 local-dirs bad)");
  }

  @Test
  void find_badDirectory_isNamed() {
    node("h1", Map.of(), new Numbers(Map.of(), Map.of("BadLocalDirs", 2, "BadLogDirs", 0)));
    assertThat(find(new Given()))
        .extracting(Diagnosis::evidence)
        .containsExactly(
            "directories that the NodeManager has given up: h1:8042 (2 local, 0 for logs)");
  }

  @Test
  void find_containersThatFailOnOneHostOnly_nameIt() {
    node("h1", Map.of(), containers(0, 50)).node("h2", Map.of(), containers(1, 40));
    node("h3", Map.of(), containers(9, 3)).node("h4", Map.of(), containers(0, 0));
    List<Diagnosis> found = find(new Given());
    assertThat(found).extracting(Diagnosis::subject).containsExactly("h3:8042");
    assertThat(found.get(0).evidence())
        .isEqualTo("9 containers failed in 2m0s (75 % of those that ended there; usual here: 2 %)");
  }

  @Test
  void find_containersThatFailEverywhere_areTheJobs() {
    for (int i = 0; i < 4; i++) {
      node("h" + i, Map.of(), containers(30, 5));
    }
    assertThat(find(new Given())).isEmpty();
  }

  @Test
  void find_nodeManagerStartedAgain_isNoFinding() {
    node("h1", Map.of(), containers(0, 50)).node("h2", Map.of(), containers(0, 50));
    node("h3", Map.of(), containers(-90, -700));
    assertThat(find(new Given())).isEmpty();
  }

  @Test
  void find_lostNodeManagers_areCounted() {
    manager = new Numbers(Map.of(), Map.of("NumLostNMs", 1));
    assertThat(find(new Given())).extracting(Diagnosis::subject).containsExactly("1 NodeManager");
  }

  @Test
  void find_twoReleases_areTold() {
    node("h1", Map.of("NodeManagerVersion", "3.4.3"), NOTHING);
    node("h2", Map.of("NodeManagerVersion", "3.3.6"), NOTHING);
    assertThat(find(new Given()))
        .extracting(Diagnosis::evidence)
        .containsExactly("3.3.6: h2:8042; 3.4.3: h1:8042");
  }

  private static DataNodeHistory dataNode(String host, String rack) {
    return new DataNodeHistory(host + ":9864", host, rack, true, Arrays.asList(null, null))
        .registeredAs(host + ":9866");
  }

  @Test
  void find_otherRacksThanHdfs_areTold() {
    Given given = new Given().dataNode(dataNode("H1", "/r1")).dataNode(dataNode("h2", "/r2"));
    given.dataNode(dataNode("h3", "/default-rack"));
    node("h1", Map.of("Rack", "/default-rack"), NOTHING).node("h2", Map.of("Rack", "/r2"), NOTHING);
    node("h3", Map.of("Rack", "/r9"), NOTHING).node("h4", Map.of("Rack", "/r9"), NOTHING);
    List<Diagnosis> found = find(given);
    assertThat(found)
        .extracting(Diagnosis::kind, Diagnosis::subject)
        .containsExactly(tuple(Kind.KEYS, "racks of YARN: 1 of 2 hosts"));
    assertThat(found.get(0).evidence()).endsWith(": h1 (/default-rack, /r1)");
  }

  @Test
  void find_nodeGroupsTakenForRacks_areAHint() {
    Given given = new Given().dataNode(dataNode("h1", "/r1"));
    node("h1", Map.of("Rack", "/r1/n1"), NOTHING);
    assertThat(find(given))
        .extracting(Diagnosis::certainty)
        .containsExactly(Diagnosis.Certainty.POSSIBLE);
  }

  @Test
  void find_pausesOfBothDaemons_areNamed() {
    Numbers stood =
        new Numbers(
            Map.of("GcTotalExtraSleepTime", 0, "GcTimeMillis", 0),
            Map.of("GcTotalExtraSleepTime", 30_000, "GcTimeMillis", 29_000));
    manager = stood;
    node("h1", Map.of(), stood);
    List<Diagnosis> found = find(new Given());
    assertThat(found).extracting(Diagnosis::subject).containsExactly("ResourceManager", "h1:8042");
    assertThat(found.get(0).stock()).contains("YARN_RESOURCEMANAGER_OPTS");
  }
}
