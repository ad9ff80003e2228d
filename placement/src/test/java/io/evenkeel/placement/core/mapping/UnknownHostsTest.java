package io.evenkeel.placement.core.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class UnknownHostsTest {
  private final UnknownHosts unknown = new UnknownHosts(60, 100);

  @Test
  void report_sameHostAgain_isQuiet() {
    unknown.add("a", 0);
    assertThat(unknown.report(0)).isEqualTo(1);
    unknown.add("a", 1_000);
    assertThat(unknown.report(1_000)).isEqualTo(UnknownHosts.QUIET);
  }

  @Test
  void report_newHosts_oncePerInterval() {
    unknown.add("a", 0);
    assertThat(unknown.report(0)).isEqualTo(1);
    unknown.add("b", 1);
    unknown.add("c", 2);
    assertThat(unknown.report(59)).isEqualTo(UnknownHosts.QUIET);
    assertThat(unknown.report(60)).isEqualTo(2);
    assertThat(unknown.hosts()).containsExactly("a", "b", "c");
  }

  @Test
  void remove_hostThatBecameKnown_isForgottenAndNewWhenItComesBack() {
    unknown.add("a", 0);
    unknown.remove("a");
    assertThat(unknown.report(0)).isEqualTo(UnknownHosts.QUIET);
    assertThat(unknown.hosts()).isEmpty();
    unknown.add("a", 1);
    assertThat(unknown.report(1)).isEqualTo(1);
  }

  @Test
  void remove_hostThatWasReported_othersAreStillReported() {
    unknown.add("a", 0);
    assertThat(unknown.report(0)).isEqualTo(1);
    unknown.add("b", 1);
    unknown.remove("a");
    assertThat(unknown.report(60)).isEqualTo(1);
  }

  @Test
  void takeToAskAgain_beforeItsTime_isEmpty() {
    unknown.add("a", 0);
    unknown.add("b", 50);
    assertThat(unknown.takeToAskAgain(99)).isEmpty();
    assertThat(unknown.takeToAskAgain(100)).containsExactly("a", "b");
    assertThat(unknown.takeToAskAgain(1_000)).isEmpty();
    unknown.add("a", 1_000);
    assertThat(unknown.takeToAskAgain(1_099)).isEmpty();
    assertThat(unknown.takeToAskAgain(1_100)).containsExactly("a");
  }

  @Test
  void add_moreThanItHolds_staysBounded() {
    for (int i = 0; i < UnknownHosts.MOST + 5; i++) {
      unknown.add("h" + i, 0);
    }
    assertThat(unknown.hosts()).hasSize(UnknownHosts.MOST);
    assertThat(unknown.takeToAskAgain(100)).hasSize(UnknownHosts.MOST);
  }

  @Test
  void repeatedGroups_firstRepeatedName_isToldOnceAndAllAreCounted() {
    RepeatedGroups groups = new RepeatedGroups();
    assertThat(groups.add(at("/r1/n1"))).isNull();
    assertThat(groups.add(at("/r1/n1"))).isNull();
    assertThat(groups.add(at("/r2/n1"))).isEqualTo(at("/r1/n1"));
    assertThat(groups.add(at("/r2/n1"))).isNull();
    assertThat(groups.add(at("/r1/n2"))).isNull();
    assertThat(groups.add(at("/r3/n2"))).isNull();
    assertThat(groups.count()).isEqualTo(2);
  }

  private static NetworkLocation at(String path) {
    return NetworkLocation.parse(path).get();
  }
}
