package io.evenkeel.terasort.core.locality;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("once")
class HostMapTest {
  private static final Map<String, String> TWO_LEVELS =
      Map.of("a1", "/r1/n1", "a2", "/r1/n1", "b1", "/r1/n2", "c1", "/r2/n1");

  private static HostMap map(Map<String, String> locations) {
    return new HostMap(locations, HostMap.Layers.AUTO);
  }

  @ParameterizedTest
  @CsvSource({
    "a1, a1, SAME_VM",
    "a1, c1 A1, SAME_VM",
    "a2, a1, SAME_HOST",
    "a2, c1 a1, SAME_HOST",
    "b1, a1, SAME_RACK",
    "b1, c1 a1, SAME_RACK",
    "c1, a1, OFF_RACK",
    "c1, a1 b1, OFF_RACK",
    "c1, a1 x9, UNKNOWN",
    "b1, a1 x9, SAME_RACK",
    "x9, a1, UNKNOWN",
    "x9, x9, SAME_VM",
    "a1, '', UNKNOWN"
  })
  void classify_taskAndReplicas_isTheNearest(String task, String replicas, Locality expected) {
    List<String> hosts = replicas.isEmpty() ? List.of() : List.of(replicas.split(" "));
    assertThat(map(TWO_LEVELS).classify(task, hosts)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    // the path, the layers, its rack, its physical host
    "/r1/n1, AUTO, /r1, /r1/n1",
    "/r1/n1, RACK, /r1/n1, ",
    "/dc/r1/n1, AUTO, /dc/r1, /dc/r1/n1",
    "/r1, AUTO, /r1, ",
    "/r1, NODEGROUP, /r1, ",
    "/r1+n1, AUTO, /r1, /r1/n1",
    "/dc+r1+n1, AUTO, /dc/r1, /dc/r1/n1",
    "/r%2b1+n%251, AUTO, /r+1, /r+1/n%1",
    "/r1%252b+n, AUTO, /r1%2b, /r1%2b/n",
    "/default-rack, AUTO, , ",
    "/default-rack/default-nodegroup, AUTO, , ",
    "/default-rack/unknown-10.0.0.7, AUTO, , /default-rack/unknown-10.0.0.7",
    "/r1/default-nodegroup, AUTO, /r1, ",
    "r1/n1, AUTO, , ",
    "'', AUTO, , ",
    "/+n1, AUTO, /+n1, "
  })
  void location_anyForm_isRackAndHost(
      String path, HostMap.Layers layers, String rack, String physical) {
    HostMap map = new HostMap(Map.of("h", path), layers);
    assertThat(map.rack("h")).isEqualTo(rack);
    assertThat(map.physicalHost("h")).isEqualTo(physical);
  }

  @Test
  void auto_mostLocationsFlat_takesDeepOnesForRacks() {
    HostMap map = map(Map.of("a", "/r1", "b", "/r2", "c", "/room/r3", "d", "/room/r3"));
    assertThat(map.knowsPhysicalHosts()).isFalse();
    assertThat(map.rack("c")).isEqualTo("/room/r3");
    assertThat(map.classify("c", List.of("d"))).isEqualTo(Locality.SAME_RACK);
  }

  @Test
  void auto_hostsWithoutLocation_doNotCount() {
    HostMap map =
        map(Map.of("a", "/r1/n1", "x", "/default-rack", "y", "/default-rack", "z", "nonsense"));
    assertThat(map.physicalHost("a")).isEqualTo("/r1/n1");
  }

  @Test
  void unknownHosts_ofStock_shareNothing() {
    HostMap map =
        map(
            Map.of(
                "a", "/r1/n1",
                "x", "/default-rack/default-nodegroup",
                "y", "/default-rack/default-nodegroup"));
    assertThat(map.classify("x", List.of("y"))).isEqualTo(Locality.UNKNOWN);
    assertThat(map.onSamePhysicalHost("x")).isEmpty();
  }

  @Test
  void nullLocation_isUnknown() {
    Map<String, String> locations = new HashMap<>(TWO_LEVELS);
    locations.put("x", null);
    assertThat(map(locations).rack("x")).isNull();
    assertThat(map(locations).knowsRacks()).isTrue();
    assertThat(HostMap.empty().knowsRacks()).isFalse();
  }

  @Test
  void onSamePhysicalHost_sameGroupNameInAnotherRack_isNotThere() {
    assertThat(map(TWO_LEVELS).onSamePhysicalHost("a2")).containsExactly("a1", "a2");
    assertThat(map(TWO_LEVELS).onSamePhysicalHost("c1")).containsExactly("c1");
    assertThat(map(TWO_LEVELS).onSamePhysicalHost("x")).isEmpty();
  }

  @Test
  void localities_asWords_areReadable() {
    assertThat(Locality.SAME_VM.words()).isEqualTo("same VM");
    assertThat(Locality.OFF_RACK.label()).isEqualTo("off-rack");
  }
}
