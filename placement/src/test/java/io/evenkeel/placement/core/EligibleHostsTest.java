package io.evenkeel.placement.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.evenkeel.placement.core.HostTopology.Place;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("once")
class EligibleHostsTest {
  private static final int DISK = 1;
  private static final int SSD = 2;
  private static final int ARCHIVE = 4;

  private static final EligibleHosts NOBODY = new EligibleHosts.Builder().build();

  private static EligibleHosts eligibleHosts(List<String> hosts, List<String> racks) {
    EligibleHosts.Builder builder = new EligibleHosts.Builder();
    for (int i = 0; i < Math.max(hosts.size(), racks.size()); i++) {
      String host = hosts.isEmpty() ? "h" : hosts.get(i % hosts.size());
      builder.add(
          host, racks.isEmpty() ? "r" : racks.get(i % racks.size()), EligibleHosts.ANY_TYPE);
    }
    return builder.build();
  }

  private static EligibleHosts.Found found(List<String> hosts, List<String> racks) {
    EligibleHosts.Found found = new EligibleHosts.Found();
    for (int i = 0; i < Math.max(hosts.size(), racks.size()); i++) {
      found.add(hosts.get(i % hosts.size()), racks.get(i % racks.size()), EligibleHosts.ANY_TYPE);
    }
    return found;
  }

  private static List<String> list(String words) {
    return words == null ? new ArrayList<>() : Arrays.asList(words.split(" "));
  }

  @ParameterizedTest
  @CsvSource({
    // eligible hosts, hosts of the replicas, wanted, missing, missing when strict
    "a b c d, a b c,   3, 0, 0",
    "a b c d, a a b,   3, 1, 1",
    "a b c d, a a a,   3, 2, 2",
    "a b,     a b b,   3, 0, 1",
    "a b,     a a a,   3, 1, 2",
    "a,       a,       3, 0, 2",
    "a b c,   x y,     3, 1, 1",
    "a b,     x a,     4, 1, 2",
    ",        x x,     2, 0, 1",
    "a b c,   a b c,   2, 0, 0",
    "a b c,   ,        2, 2, 2"
  })
  void missingHosts_asksForEligibleOnesOnly(
      String eligible, String found, int wanted, int missing, int strict) {
    EligibleHosts eligibleHosts =
        list(eligible).isEmpty() ? NOBODY : eligibleHosts(list(eligible), list("r"));
    EligibleHosts.Found at = found(list(found), list(found));
    assertThat(eligibleHosts.missingHosts(at, wanted, false)).isEqualTo(missing);
    assertThat(eligibleHosts.missingHosts(at, wanted, true)).isEqualTo(strict);
  }

  @ParameterizedTest
  @CsvSource({
    "r s t, r r r, 2, 1",
    "r s t, r s r, 2, 0",
    "r,     r r r, 2, 0",
    "s,     r r r, 2, 1",
    ",      r r,   2, 0",
    "r s t, r r,   9, 2",
    "r s t, r s t, 2, 0"
  })
  void missingRacks_asksForEligibleOnesOnly(
      String eligible, String found, int wanted, int missing) {
    EligibleHosts eligibleHosts =
        list(eligible).isEmpty() ? NOBODY : eligibleHosts(list("h"), list(eligible));
    assertThat(eligibleHosts.missingRacks(found(list("h"), list(found)), wanted))
        .isEqualTo(missing);
  }

  @ParameterizedTest
  @CsvSource({
    "aAD bAD cD dD, aAD aAD bAD, true", // HOT would find two hosts more, COLD none
    "aAD bAD cD dD, aA aA bA,    false", // known to be COLD
    "aAD bAD cD dD, aD aD bD,    false", // known to be HOT: missing, and not undecided
    "aAD bAD cAD,   aAD aAD bAD, false", // either type finds one host more
    "aAD bAD,       aAD aAD bAD, false",
    "aAD bAD cD dD, aAD bAD cD,  false"
  })
  void undecided_whereItDependsOnTheTypes(String eligible, String replicas, boolean undecided) {
    EligibleHosts.Builder builder = new EligibleHosts.Builder();
    list(eligible).forEach(n -> builder.add(n.substring(0, 1), "r" + n.charAt(0), types(n)));
    EligibleHosts.Found found = new EligibleHosts.Found();
    list(replicas).forEach(n -> found.add(n.substring(0, 1), "r" + n.charAt(0), types(n)));
    assertThat(builder.build().undecided(found, 3, 1)).as("hosts").isEqualTo(undecided);
    assertThat(builder.build().undecided(found, 1, 3)).as("racks").isEqualTo(undecided);
  }

  @Test
  void hostsWith_countsEligibleAndUsedOnes() {
    EligibleHosts eligibleHosts = eligibleHosts(list("a b"), list("r"));
    assertThat(eligibleHosts.hostsWith(Set.of())).isEqualTo(2);
    assertThat(eligibleHosts.hostsWith(Set.of("b"))).isEqualTo(2);
    assertThat(eligibleHosts.hostsWith(Set.of("b", "c", "d"))).isEqualTo(4);
  }

  @Test
  void found_countsDifferentKeys() {
    EligibleHosts.Found found = found(list("a a b"), list("r r r"));
    assertThat(new int[] {found.hosts(), found.racks()}).containsExactly(2, 1);
    EligibleHosts eligibleHosts = eligibleHosts(list("a b c b"), list("r s s s"));
    assertThat(new int[] {eligibleHosts.hosts(), eligibleHosts.racks()}).containsExactly(3, 2);
  }

  /** DataNodes are hosts with their types: aA has ARCHIVE, bDS has DISK and SSD. */
  @ParameterizedTest
  @CsvSource({
    // eligible, replicas, wanted, missing
    "aA bA cD dD eD, aA aA bA, 3, 0", // COLD on the only two hosts with ARCHIVE
    "aA bA cD dD eD, aA aA aA, 3, 1",
    "aA bA cA dD eD, aA aA bA, 3, 1",
    "aA bA cD dD eD, cD cD dD, 3, 1", // HOT beside it
    "aA cD dD eD,    aA aA cD, 3, 0", // WARM with one host for its two ARCHIVE replicas
    "aA bA cD dD eD, aA aA cD, 3, 1",
    "aS bS cD,       cD cD aS, 3, 0", // ONE_SSD with one host for its two DISK replicas
    "aAD bAD cD dD,  aAD bAD bAD, 3, 0", // either type: what ARCHIVE could reach
    "aAD bAD cAD,    aAD bAD bAD, 3, 1",
    "aAD bAD cD,     cD cD aAD, 3, 1",
    "aAD,            aAD aAD, 2, 0",
    "aA bA,          aA aA, 3, 1", // the third replica is not there yet
    "cD dD,          aA aA, 2, 0", // its own types are full everywhere
    "aDS bD cS,      aDS aDS bD, 3, 0", // HOT with two hosts, though SSD has another
    "aD bD cS,       aDS aDS bDS, 3, 0" // the same, and the SSDs of its hosts are full
  })
  void missingHosts_storageTypes_asksForHostsThatHaveThem(
      String eligible, String replicas, int wanted, int missing) {
    EligibleHosts.Builder builder = new EligibleHosts.Builder();
    list(eligible).forEach(n -> builder.add(n.substring(0, 1), "r" + n.charAt(0), types(n)));
    EligibleHosts.Found found = new EligibleHosts.Found();
    list(replicas).forEach(n -> found.add(n.substring(0, 1), "r" + n.charAt(0), types(n)));
    assertThat(builder.build().missingHosts(found, wanted, false)).isEqualTo(missing);
    assertThat(builder.build().missingRacks(found, wanted)).as("racks").isEqualTo(missing);
  }

  private static int types(String node) {
    return (node.indexOf('D') > 0 ? DISK : 0)
        | (node.indexOf('S') > 0 ? SSD : 0)
        | (node.indexOf('A') > 0 ? ARCHIVE : 0);
  }

  /** Five hosts in a rack and one in the other; a rack is given as many replicas as its limit. */
  @ParameterizedTest
  @CsvSource({
    "a1 a2 a3 b1 b1 b1, 5, 2", // two of the other hosts in the rack
    "a1 a2 a3 b1 b1 b1, 4, 1",
    "a1 a2 a3 b1 b1 b1, 3, 0",
    "a1 a1 a2 b1 b1 b1, 3, 0", // a doubled host takes up the limit too
    "a1 a2 a3 a4 b1 b1, 6, 1"
  })
  void missingHosts_limitPerRack_asksForNoneBeyondIt(String replicas, int limit, int missing) {
    EligibleHosts.Builder builder = new EligibleHosts.Builder();
    list("a1 a2 a3 a4 a5 b1").forEach(n -> builder.add(n, n.substring(0, 1), DISK));
    EligibleHosts.Found found = new EligibleHosts.Found().rackLimit(limit);
    list(replicas).forEach(n -> found.add(n, n.substring(0, 1), DISK));
    assertThat(builder.build().missingHosts(found, 6, false)).isEqualTo(missing);
  }

  /** Hosts are named with their rack: a1 is in rack a. */
  @ParameterizedTest
  @CsvSource({
    "b1 b2, a1, a2, true",
    "b1 b2, a1, c1, true",
    "b1 b2, a1, b3, false",
    "b1 b2, a1, b1, false",
    "b1 b2, b1, a1, true",
    "b1 b2, b1, b2, true",
    "b1 a2, a2, b3, true",
    "b1 a2, b2, b1, false",
    "b1 a2, b2, b3, true",
    "b1 a2, c1, b2, true",
    "b1 a2, c1, c2, true",
    ",      a1, b1, true",
    "a1,    a1, a1, true"
  })
  void movable_truthTable(String others, String source, String target, boolean movable) {
    List<Place> rest = new ArrayList<>();
    list(others).forEach(name -> rest.add(place(name)));
    assertThat(EligibleHosts.movable(rest, place(source), place(target), 2)).isEqualTo(movable);
    boolean striped = movable && !target.equals("b2");
    assertThat(EligibleHosts.movable(rest, place(source), place(target), Integer.MAX_VALUE))
        .as("keeping every rack")
        .isEqualTo(striped || (movable && source.equals("b1")));
  }

  private static Place place(String name) {
    return new Place(name.substring(0, 1), name);
  }

  /** Bytes of one verdict on a block with two replicas on one host, of so many. */
  private static long bytesOfVerdict(int hosts) {
    EligibleHosts.Builder builder = new EligibleHosts.Builder();
    for (int h = 0; h < hosts; h++) {
      builder.add("h" + h, "r" + h % 50, h % 10 == 0 ? DISK | SSD : DISK);
    }
    EligibleHosts eligibleHosts = builder.build();
    EligibleHosts.Found found = new EligibleHosts.Found();
    found.add("h1", "r1", DISK).add("h1", "r1", DISK).add("h10", "r10", DISK | SSD);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long id = Thread.currentThread().getId();
    long before = threads.getThreadAllocatedBytes(id);
    for (int i = 0; i < 1_000; i++) {
      assertThat(eligibleHosts.missingHosts(found, 3, false) == 1).isTrue();
    }
    return (threads.getThreadAllocatedBytes(id) - before) / 1_000;
  }

  @Test
  void missingHosts_tenThousandHosts_allocatesAsWithAHundred() {
    bytesOfVerdict(100); // what is loaded once
    assertThat(bytesOfVerdict(10_000)).isLessThan(2 * bytesOfVerdict(100) + 1_000);
  }
}
