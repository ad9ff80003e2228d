package io.evenkeel.terasort.core.split;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("once")
class SplitPlannerTest {
  private static final long BLOCK = 256L << 20;
  private static final long GIB = 1L << 30;

  /** As TeraSort's output: a file per host, the first replica of its blocks there. */
  private static List<Range> blocks(int hosts, int blocksPerFile, int replicas, long seed) {
    Random random = new Random(seed);
    List<String> names = new ArrayList<>();
    for (int i = 0; i < hosts; i++) {
      names.add("host-" + i);
    }
    List<Range> ranges = new ArrayList<>();
    for (int file = 0; file < hosts; file++) {
      for (int block = 0; block < blocksPerFile; block++) {
        List<String> others = new ArrayList<>(names);
        others.remove(file);
        Collections.shuffle(others, random);
        List<String> on = new ArrayList<>(List.of(names.get(file)));
        on.addAll(others.subList(0, replicas - 1));
        boolean last = block == blocksPerFile - 1;
        ranges.add(new Range(file, block * BLOCK, last ? BLOCK / 5 : BLOCK, on));
      }
    }
    return ranges;
  }

  private static List<Range> randomBlocks(int hosts, int count, int replicas, long seed) {
    Random random = new Random(seed);
    List<Range> ranges = new ArrayList<>();
    for (int block = 0; block < count; block++) {
      List<String> names = new ArrayList<>();
      while (names.size() < replicas) {
        String name = "host-" + random.nextInt(hosts);
        if (!names.contains(name)) {
          names.add(name);
        }
      }
      ranges.add(new Range(0, block * BLOCK, BLOCK, names));
    }
    return ranges;
  }

  private static void assertSound(List<Range> ranges, List<PackedSplit> splits) {
    List<Range> read = new ArrayList<>();
    for (PackedSplit split : splits) {
      assertThat(split.ranges()).isNotEmpty();
      assertThat(split.hosts()).doesNotHaveDuplicates();
      for (Range range : split.ranges()) {
        assertThat(range.hosts()).containsAll(split.hosts());
        assertThat(split.hosts().isEmpty()).isEqualTo(range.hosts().isEmpty());
      }
      read.addAll(split.ranges());
    }
    assertThat(read).containsExactlyInAnyOrderElementsOf(ranges);
    assertThat(splits).isSortedAccordingTo((a, b) -> Long.compare(b.length(), a.length()));
  }

  private static double maxToMean(Map<?, Long> amounts, int count) {
    long sum = amounts.values().stream().mapToLong(Long::longValue).sum();
    return Collections.max(amounts.values()) / ((double) sum / count);
  }

  private static double hostSkew(List<PackedSplit> splits, int hosts) {
    Map<String, Long> load = new HashMap<>();
    splits.forEach(split -> load.merge(split.hosts().get(0), split.length(), Long::sum));
    return maxToMean(load, hosts);
  }

  private static double splitSkew(List<PackedSplit> splits) {
    Map<Integer, Long> sizes = new HashMap<>();
    splits.forEach(split -> sizes.put(sizes.size(), split.length()));
    return maxToMean(sizes, sizes.size());
  }

  @ParameterizedTest
  @CsvSource({"8,25,3", "8,26,3", "8,100,3", "13,25,3", "50,25,3", "200,30,3", "8,40,2", "9,500,3"})
  void plan_randomReplicas_evenOverHostsAndSplits(int hosts, int perHost, int replicas) {
    for (int seed = 0; seed < 5; seed++) {
      for (List<Range> ranges :
          List.of(
              blocks(hosts, perHost, replicas, seed),
              randomBlocks(hosts, hosts * perHost, replicas, seed))) {
        List<PackedSplit> splits = new SplitPlanner(GIB, 0, 4).plan(ranges);
        assertSound(ranges, splits);
        assertThat(hostSkew(splits, hosts)).as("bytes per host").isLessThanOrEqualTo(1.1);
        assertThat(splitSkew(splits)).as("split sizes, seed %s", seed).isLessThanOrEqualTo(1.5);
        assertThat(splits).allMatch(split -> split.length() <= GIB);
      }
    }
  }

  @Test
  void plan_firstReplicasOnOneHost_movesThemToTheOthers() {
    // Written by one client: its host has a replica of everything.
    List<Range> ranges = new ArrayList<>();
    Random random = new Random(1);
    for (int i = 0; i < 240; i++) {
      int other = 1 + random.nextInt(7);
      List<String> hosts = List.of("host-0", "host-" + other, "host-" + (other % 7 + 1));
      ranges.add(new Range(0, i * BLOCK, BLOCK, hosts));
    }
    List<PackedSplit> splits = new SplitPlanner(GIB, 0, 4).plan(ranges);
    assertSound(ranges, splits);
    assertThat(hostSkew(splits, 8)).isLessThanOrEqualTo(1.1);
  }

  @Test
  void plan_noPacking_oneSplitOfEachRangeOnAllItsHosts() {
    List<Range> ranges = blocks(8, 25, 3, 1);
    List<PackedSplit> splits = new SplitPlanner(0, 0, 4).plan(ranges);
    assertSound(ranges, splits);
    assertThat(splits).hasSameSizeAs(ranges);
    for (PackedSplit split : splits) {
      assertThat(split.hosts()).containsExactlyInAnyOrderElementsOf(split.ranges().get(0).hosts());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4, 7, 100})
  void plan_smallInput_leastNumberOfSplitsPerHost(int least) {
    List<Range> ranges = randomBlocks(1, 9, 1, 1);
    List<PackedSplit> splits = new SplitPlanner(1L << 40, 0, least).plan(ranges);
    assertSound(ranges, splits);
    assertThat(splits).hasSize(Math.min(9, least));
    long most = splits.get(0).ranges().size();
    long fewest = splits.get(splits.size() - 1).ranges().size();
    assertThat(most - fewest).isLessThanOrEqualTo(1);
  }

  @Test
  void plan_rangeLargerThanASplit_byItself() {
    List<Range> ranges = new ArrayList<>(randomBlocks(3, 10, 2, 1));
    ranges.add(new Range(1, 0, 5 * BLOCK, List.of("host-1")));
    List<PackedSplit> splits = new SplitPlanner(2 * BLOCK, 0, 1).plan(ranges);
    assertSound(ranges, splits);
    assertThat(splits.get(0).ranges()).hasSize(1);
    assertThat(splits.subList(1, splits.size())).allMatch(s -> s.length() <= 2 * BLOCK);
  }

  @Test
  void plan_noHosts_packedWithoutALocation() {
    List<Range> ranges = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      ranges.add(new Range(0, i * BLOCK, BLOCK, List.of()));
    }
    List<PackedSplit> splits = new SplitPlanner(GIB, 0, 1).plan(ranges);
    assertSound(ranges, splits);
    assertThat(splits).hasSize(3).allMatch(split -> split.hosts().isEmpty());
  }

  @Test
  void plan_nothing_noSplits() {
    assertThat(new SplitPlanner(GIB, 0, 4).plan(List.of())).isEmpty();
  }

  @Test
  void plan_twice_theSame() {
    List<Range> ranges = blocks(16, 25, 3, 7);
    String first = describe(new SplitPlanner(GIB, 0, 4).plan(ranges));
    assertThat(describe(new SplitPlanner(GIB, 0, 4).plan(new ArrayList<>(ranges))))
        .isEqualTo(first);
  }

  private static String describe(List<PackedSplit> splits) {
    StringBuilder text = new StringBuilder();
    splits.forEach(split -> text.append(split.hosts()).append(split.ranges()).append('\n'));
    return text.toString();
  }

  @Test
  void plan_randomSizesAndHosts_everyRangeOnce() {
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      List<Range> ranges = new ArrayList<>();
      for (int i = random.nextInt(60); i > 0; i--) {
        List<String> hosts = new ArrayList<>();
        for (int host = 0; host < 4; host++) {
          if (random.nextBoolean()) {
            hosts.add("h" + host);
          }
        }
        ranges.add(new Range(i % 3, i * 1000L, 1 + random.nextInt(900), hosts));
      }
      long most = random.nextInt(3000);
      List<PackedSplit> splits = new SplitPlanner(most, 0, 1 + random.nextInt(5)).plan(ranges);
      assertSound(ranges, splits);
      assertThat(splits).allMatch(s -> s.ranges().size() == 1 || s.length() <= most);
    }
  }

  @Test
  void plan_smallInput_fewLargeEnoughSplitsOnHostsThatHaveAll() {
    // 128 blocks of 1 MiB, three replicas each on 12 hosts
    Random random = new Random(7);
    List<Range> ranges = new ArrayList<>();
    for (int i = 0; i < 128; i++) {
      List<String> hosts = new ArrayList<>();
      while (hosts.size() < 3) {
        String host = "h" + random.nextInt(12);
        if (!hosts.contains(host)) {
          hosts.add(host);
        }
      }
      ranges.add(new Range(i / 32, i % 32 * (1L << 20), 1L << 20, hosts));
    }
    List<PackedSplit> splits = new SplitPlanner(GIB, 32L << 20, 4).plan(ranges);
    assertThat(splits).hasSizeBetween(4, 8);
    assertThat(splits.stream().flatMap(s -> s.ranges().stream()))
        .containsExactlyInAnyOrderElementsOf(ranges);
    for (PackedSplit split : splits) {
      for (Range range : split.ranges()) {
        assertThat(range.hosts()).contains(split.hosts().get(0));
      }
    }
    assertThat(new SplitPlanner(GIB, 1L << 20, 4).plan(ranges)).hasSizeGreaterThanOrEqualTo(40);
  }

  /** 2 GiB as three reducers write them on 12 hosts: a file of each, other replicas anywhere. */
  private static List<Range> threeFiles(List<String> hosts, Random random) {
    List<Range> ranges = new ArrayList<>();
    for (int i = 0; i < 128; i++) {
      List<String> others = new ArrayList<>(hosts);
      String writer = others.remove(i % 3);
      Collections.shuffle(others, random);
      List<String> on = List.of(writer, others.get(0), others.get(1));
      ranges.add(new Range(i % 3, i / 3 * (16L << 20), 16L << 20, on));
    }
    return ranges;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void plan_someHostsFull_tasksLandBesideTheirData(int full) {
    List<String> hosts = IntStream.range(0, 12).mapToObj(i -> "host-" + i).toList();
    long remote = 0;
    long alone = 0;
    long read = 0;
    int splits = 0;
    for (int seed = 0; seed < 50; seed++) {
      Random random = new Random(seed);
      List<Range> ranges = threeFiles(hosts, random);
      List<PackedSplit> plan = new SplitPlanner(GIB, 32L << 20, 4).plan(ranges);
      assertSound(ranges, plan);
      List<String> shuffled = new ArrayList<>(hosts);
      Collections.shuffle(shuffled, random);
      Landing landing = new Landing(hosts, Set.copyOf(shuffled.subList(0, full)), seed);
      remote += landing.remoteBytes(plan);
      alone += plan.stream().filter(s -> s.hosts().size() == 1).mapToLong(s -> s.length()).sum();
      read += ranges.stream().mapToLong(Range::length).sum();
      splits += plan.size();
    }
    assertThat(100.0 * alone / read).as("%% in splits of one host").isLessThan(10);
    assertThat(100.0 * remote / read).as("%% read from another host").isLessThan(5);
    assertThat(splits / 50.0).as("splits; 48 without regard to other hosts").isLessThan(54);
  }

  @Test
  void plan_manyRangesOfFewHosts_allPlanned() {
    List<Range> ranges = randomBlocks(4, 30_000, 3, 1);
    List<PackedSplit> splits = new SplitPlanner(GIB, 0, 4).plan(ranges);
    assertThat(splits.stream().mapToInt(split -> split.ranges().size()).sum()).isEqualTo(30_000);
    assertThat(splits).allMatch(split -> split.hosts().size() > 1);
  }

  /** Two DataNodes of one host have replicas of the same blocks: its name is listed twice. */
  @ParameterizedTest
  @CsvSource({"a;b;b", "b;a;b", "b;b;a", "a;a;b;b", "b;b"})
  void plan_hostListedTwice_namedOnce(String replicas) {
    List<String> hosts = List.of(replicas.split(";"));
    List<Range> ranges = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      ranges.add(new Range(0, i * BLOCK, BLOCK, i % 10 == 0 ? List.of("a", "c") : hosts));
    }
    for (List<Range> given : List.of(ranges, RangeTable.of(ranges))) {
      // first, since the planner went round for ever where they were not
      assertThat(given).allSatisfy(r -> assertThat(r.hosts()).doesNotHaveDuplicates());
      List<PackedSplit> splits = new SplitPlanner(GIB, 0, 4).plan(given);
      assertThat(splits).allSatisfy(s -> assertThat(s.hosts()).doesNotHaveDuplicates());
      assertThat(splits).allMatch(split -> split.length() <= GIB);
      assertThat(splits.stream().mapToInt(split -> split.ranges().size()).sum()).isEqualTo(100);
    }
  }
}
