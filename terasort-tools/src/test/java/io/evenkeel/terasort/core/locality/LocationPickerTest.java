package io.evenkeel.terasort.core.locality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("once")
class LocationPickerTest {
  private static final HostMap MAP =
      new HostMap(
          Map.of(
              "a1", "/r1/n1", "a2", "/r1/n1", "a3", "/r1/n1", "b1", "/r1/n2", "b2", "/r1/n2", "c1",
              "/r2/n3", "d1", "/r2"),
          HostMap.Layers.AUTO);

  @ParameterizedTest
  @CsvSource({
    // replicas; NodeManagers; most; picked; how many have a replica
    "a1 b1 c1; a1 a2 a3 b1 b2 c1; 15; a1 b1 c1 a2 b2 a3; 3",
    "b1 a1 c1; a1 a2 a3 b1 b2 c1; 15; b1 a1 c1 b2 a2 a3; 3",
    "a1 b1 c1; a1 a2 a3 b1 b2 c1; 4; a1 b1 c1 a2; 3",
    "a1 b1 c1; a1 a2 a3 b1 b2 c1; 2; a1 b1; 2",
    "a1 b1; a2 a3 b1; 15; b1 a2 a3; 1",
    "a1 b1; a2 a3 b2; 15; a2 b2 a3; 0",
    "a1 a2; a1 a2 a3; 15; a1 a2 a3; 2",
    "a1 a1; a1 a2; 15; a1 a2; 1",
    "d1; d1 a1; 15; d1; 1",
    "x; a1; 15; x; 1",
    "a1 b1 c1; x; 2; a1 b1; 2",
    "localhost; a1; 15; localhost; 1"
  })
  void pick_table_isAsExpected(String row) {
    String[] cells = row.split("; ");
    LocationPicker.Choice choice =
        new LocationPicker(MAP, words(cells[1]), Integer.parseInt(cells[2])).pick(words(cells[0]));
    assertThat(choice.names()).isEqualTo(words(cells[3]));
    assertThat(choice.exact()).isEqualTo(Integer.parseInt(cells[4]));
  }

  private static List<String> words(String text) {
    return List.of(text.split(" "));
  }

  @Test
  void pick_nodeManagersNotKnown_keepsReplicasAndAddsNothing() {
    LocationPicker.Choice choice = new LocationPicker(MAP, null, 15).pick(List.of("a1", "x", "a1"));
    assertThat(choice.names()).containsExactly("a1", "x");
    assertThat(choice.exact()).isEqualTo(2);
  }

  @Test
  void pick_noReplica_isNothing() {
    assertThat(new LocationPicker(MAP, List.of("a1"), 15).pick(List.of()).names()).isEmpty();
  }

  @Test
  void most_belowOne_isRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new LocationPicker(MAP, null, 0));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void pick_randomClusters_keepsTheRules(long seed) {
    Random random = new Random(seed);
    for (int round = 0; round < 300; round++) {
      Map<String, String> where = new HashMap<>();
      int hosts = 1 + random.nextInt(12);
      IntStream.range(0, 40).forEach(vm -> where.put("vm" + vm, "/r" + vm % 2 + "/n" + vm % hosts));
      Set<String> running =
          where.keySet().stream().filter(h -> random.nextInt(3) > 0).collect(Collectors.toSet());
      List<String> replicas = new ArrayList<>();
      for (int i = random.nextInt(5); i >= 0; i--) {
        replicas.add("vm" + random.nextInt(40));
      }
      int most = 1 + random.nextInt(20);
      HostMap map = new HostMap(where, HostMap.Layers.AUTO);
      check(map, running, replicas, new LocationPicker(map, running, most).pick(replicas), most);
    }
  }

  private static void check(
      HostMap map,
      Set<String> running,
      List<String> replicas,
      LocationPicker.Choice choice,
      int most) {
    List<String> names = choice.names();
    assertThat(names).doesNotHaveDuplicates().isNotEmpty().hasSizeLessThanOrEqualTo(most);
    Set<String> physical = replicas.stream().map(map::physicalHost).collect(Collectors.toSet());
    assertThat(names).allMatch(name -> physical.contains(map.physicalHost(name)));
    Set<String> useful = new HashSet<>();
    running.stream().filter(vm -> physical.contains(map.physicalHost(vm))).forEach(useful::add);
    if (useful.isEmpty()) {
      assertThat(replicas).containsAll(names);
      return;
    }
    assertThat(useful).containsAll(names);
    assertThat(names).hasSize(Math.min(most, useful.size()));
    List<String> exact = replicas.stream().distinct().filter(running::contains).toList();
    assertThat(choice.exact()).isEqualTo(Math.min(most, exact.size()));
    assertThat(names.subList(0, choice.exact())).isEqualTo(exact.subList(0, choice.exact()));
    // in turn: no physical host has two siblings more than one that has more to give
    List<String> siblings = names.subList(choice.exact(), names.size());
    Map<String, Long> given =
        siblings.stream().collect(Collectors.groupingBy(map::physicalHost, Collectors.counting()));
    long fullest = given.values().stream().mapToLong(n -> n).max().orElse(0);
    for (String host : physical) {
      long here = given.getOrDefault(host, 0L);
      long could =
          useful.stream()
              .filter(vm -> map.physicalHost(vm).equals(host) && !exact.contains(vm))
              .count();
      assertThat(here).isGreaterThanOrEqualTo(Math.min(could, fullest - 1));
    }
  }
}
