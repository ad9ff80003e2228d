package io.evenkeel.bench.gameday.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.bench.gameday.schedule.Fault.Kind;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("once")
class SchedulesTest {
  private static final List<String> VOLUMES = List.of("SSD", "DISK", "ARCHIVE");

  static LongStream seeds() {
    return LongStream.rangeClosed(1, 200);
  }

  private static Shape shape(int hosts, int steps, Set<Kind> kinds) {
    Map<String, List<String>> dataNodes = new LinkedHashMap<>();
    for (int i = 1; i <= hosts; i++) {
      dataNodes.put("host" + i, List.of("dn" + (2 * i - 1), "dn" + 2 * i));
    }
    return new Shape(dataNodes, VOLUMES, 5000, steps, kinds);
  }

  private static Step step(long begin, long end, Kind kind, String target) {
    return new Step(
        "",
        begin,
        end,
        new Fault(kind, target, kind.ofVolume() ? "SSD" : "", kind == Kind.SLOW_VOLUME ? 9 : 0));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void drawn_keepsTheRules_hasItsSteps_andIsTheSameAgain(long seed) {
    Shape shape = shape(3 + (int) (seed % 3), 1 + (int) (seed % 12), EnumSet.allOf(Kind.class));
    Schedule schedule = Schedules.draw(seed, shape);
    assertThat(shape.violations(schedule.steps())).isEmpty();
    assertThat(schedule.steps()).hasSize(shape.steps());
    assertThat(schedule.steps()).allMatch(step -> step.begin() > 0 && step.end() <= 5000);
    assertThat(Schedules.draw(seed, shape)).isEqualTo(schedule);
    assertThat(Schedule.fromJson(schedule.toJson())).isEqualTo(schedule);
  }

  @Test
  void manySeeds_drawEveryKindOnEveryHost_alsoTogether() {
    Shape shape = shape(5, 9, EnumSet.allOf(Kind.class));
    Set<Kind> kinds = new TreeSet<>();
    Set<String> hosts = new TreeSet<>();
    int together = 0;
    for (long seed = 1; seed <= 100; seed++) {
      for (Step step : Schedules.draw(seed, shape).steps()) {
        kinds.add(step.fault().kind());
        hosts.add(shape.host(step.fault()));
        together +=
            Schedules.draw(seed, shape).steps().stream()
                    .anyMatch(other -> other.begin() < step.begin() && step.begin() < other.end())
                ? 1
                : 0;
      }
    }
    assertThat(kinds).isEqualTo(EnumSet.allOf(Kind.class));
    assertThat(hosts).contains("", "host1", "host2", "host3", "host4", "host5");
    assertThat(together).isGreaterThan(50);
  }

  @Test
  void threeHosts_noneIsTakenOutOfService() {
    for (long seed = 1; seed <= 50; seed++) {
      Schedule schedule = Schedules.draw(seed, shape(3, 6, EnumSet.allOf(Kind.class)));
      assertThat(schedule.steps()).noneMatch(step -> Shape.orderly(step.fault().kind()));
    }
  }

  /** Acknowledgements would never come to an end of it. */
  @Test
  void nameNode_isStartedAtOnce() {
    Shape shape = shape(4, 5, EnumSet.of(Kind.KILL_NAMENODE, Kind.KILL_HOST));
    for (long seed = 1; seed <= 20; seed++) {
      assertThat(Schedules.draw(seed, shape).steps())
          .filteredOn(step -> step.fault().kind() == Kind.KILL_NAMENODE)
          .allMatch(step -> step.begin() == step.end());
    }
  }

  @Test
  void oneOfTwoNameNodes_staysDeadForAWhile() {
    Shape shape = shape(4, 5, EnumSet.of(Kind.KILL_NAMENODE, Kind.FAILOVER));
    assertThat(Schedules.draw(1, shape).steps())
        .filteredOn(step -> step.fault().kind() == Kind.KILL_NAMENODE)
        .isNotEmpty()
        .allMatch(step -> step.begin() < step.end());
  }

  @Test
  void nothingToDraw_isRefused() {
    Shape shape = shape(3, 2, EnumSet.of(Kind.DECOMMISSION));
    assertThatThrownBy(() -> Schedules.draw(1, shape)).isInstanceOf(IllegalArgumentException.class);
    Shape brief = new Shape(shape.dataNodes(), VOLUMES, 30, 8, EnumSet.of(Kind.KILL_DATANODE));
    assertThatThrownBy(() -> Schedules.draw(1, brief)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void faultsOfTwoHosts_atOnce_areAgainstTheRules() {
    Shape shape = shape(4, 1, EnumSet.allOf(Kind.class));
    List<Step> apart =
        List.of(step(1, 9, Kind.KILL_DATANODE, "dn1"), step(10, 20, Kind.PAUSE_DATANODE, "dn3"));
    List<Step> touching =
        List.of(step(1, 10, Kind.KILL_DATANODE, "dn1"), step(10, 20, Kind.SLOW_VOLUME, "dn3"));
    List<Step> oneHost =
        List.of(step(1, 10, Kind.KILL_DATANODE, "dn1"), step(10, 20, Kind.PAUSE_DATANODE, "dn2"));
    assertThat(shape.violations(apart)).isEmpty();
    assertThat(shape.violations(touching)).containsExactly("10: faults on [host1, host2]");
    assertThat(shape.violations(oneHost)).isEmpty();
  }

  @Test
  void nameNode_besideAnything_isAgainstTheRules() {
    Shape shape = shape(5, 1, EnumSet.allOf(Kind.class));
    for (Kind kind : List.of(Kind.KILL_NAMENODE, Kind.FAILOVER)) {
      List<Step> steps = List.of(step(1, 30, Kind.DECOMMISSION, "dn1"), step(10, 20, kind, "nn"));
      assertThat(shape.violations(steps)).containsExactly("10: the NameNode's fault is not alone");
    }
  }

  @Test
  void outOfService_leavesThreeHosts() {
    List<Step> steps =
        List.of(step(1, 30, Kind.MAINTENANCE, "dn1"), step(10, 20, Kind.KILL_HOST, "host2"));
    assertThat(shape(5, 1, EnumSet.allOf(Kind.class)).violations(steps)).isEmpty();
    assertThat(shape(4, 1, EnumSet.allOf(Kind.class)).violations(steps))
        .containsExactly("10: too few hosts without [host1, host2]");
  }

  @Test
  void oneDataNode_twoFaults_areAgainstTheRulesUnlessItsVolumesAreSlowOrFull() {
    Shape shape = shape(5, 1, EnumSet.allOf(Kind.class));
    List<Step> killedTwice =
        List.of(step(1, 30, Kind.KILL_HOST, "host1"), step(10, 20, Kind.KILL_DATANODE, "dn2"));
    List<Step> slow =
        List.of(step(1, 30, Kind.SLOW_VOLUME, "dn1"), step(10, 20, Kind.RESTART_DATANODE, "dn1"));
    List<Step> slowTwice =
        List.of(step(1, 30, Kind.SLOW_VOLUME, "dn1"), step(10, 20, Kind.SLOW_VOLUME, "dn1"));
    List<Step> twoWays =
        List.of(step(1, 30, Kind.DECOMMISSION, "dn1"), step(10, 20, Kind.MAINTENANCE, "dn1"));
    assertThat(shape.violations(killedTwice)).containsExactly("10: two faults on dn2");
    assertThat(shape.violations(slow)).isEmpty();
    assertThat(shape.violations(slowTwice)).containsExactly("10: two faults on dn1");
    assertThat(shape.violations(twoWays)).containsExactly("10: two faults on dn1");
  }

  @Test
  void unknownTarget_isRefused() {
    assertThatThrownBy(
            () ->
                shape(3, 1, EnumSet.allOf(Kind.class))
                    .violations(List.of(step(1, 2, Kind.KILL_DATANODE, "dn77"))))
        .hasMessageContaining("dn77");
  }
}
