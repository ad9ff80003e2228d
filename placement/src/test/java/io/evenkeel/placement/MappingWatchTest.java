package io.evenkeel.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.placement.core.mapping.EmitLevel;
import io.evenkeel.placement.core.mapping.MappingRules;
import io.evenkeel.placement.core.mapping.UnknownMode;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.helpers.MessageFormatter;

class MappingWatchTest {
  private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

  private final List<String> said = new ArrayList<>();
  private final AtomicLong now = new AtomicLong(-5 * MINUTE);
  private final MappingRules rules = new MappingRules(2, UnknownMode.WARN, EmitLevel.PATH);

  private MappingWatch watch(boolean daemon) {
    Logger log =
        (Logger)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Logger.class},
                (proxy, method, arguments) -> {
                  List<Object> all = new ArrayList<>(Arrays.asList(arguments));
                  String format = (String) all.remove(0);
                  Object[] values = (Object[]) all.get(0);
                  said.add(
                      method.getName()
                          + ": "
                          + MessageFormatter.arrayFormat(format, values).getMessage());
                  return null;
                });
    return new MappingWatch(log, daemon, MINUTE, now::get);
  }

  @Test
  void unknownHosts_manyAnswers_giveOneLinePerMinuteAndNoneForTheSame() {
    MappingWatch watch = watch(true);
    for (int i = 0; i < 100; i++) {
      watch.answered(rules, "10.0.0." + i, "/r1");
      watch.reportUnknown(rules);
    }
    assertThat(said)
        .containsExactly(
            "warn: 1 more hosts have no location with 2 levels, 1 in all; the last: 10.0.0.0"
                + " (evenkeel.placement.mapping.unknown = warn)");
    now.addAndGet(MINUTE);
    watch.answered(rules, "10.0.0.5", "/r1");
    watch.reportUnknown(rules);
    assertThat(said).hasSize(2);
    assertThat(said.get(1)).startsWith("warn: 99 more hosts").contains("10.0.0.90").contains("100");
    now.addAndGet(MINUTE);
    watch.answered(rules, "10.0.0.5", "/r1");
    watch.reportUnknown(rules);
    assertThat(said).hasSize(2);
    assertThat(watch.unknown()).isEqualTo(102);
    assertThat(watch.names()).isEqualTo(102);
  }

  @Test
  void failures_many_giveOneLinePerMinute() {
    MappingWatch watch = watch(true);
    watch.failed("threw x");
    watch.failed("threw y");
    now.addAndGet(MINUTE);
    watch.failed("threw z\nforged line");
    assertThat(said)
        .containsExactly(
            "warn: The mapping that evenkeel.placement.mapping.wrapped names threw x; such failures"
                + " so far: 1",
            "warn: The mapping that evenkeel.placement.mapping.wrapped names threw z\\nforged line;"
                + " such failures so far: 3");
  }

  @Test
  void repeatedNames_several_giveOneLineAndACount() {
    MappingWatch watch = watch(true);
    for (String location : List.of("/r1/n1", "/r2/n1", "/r1/n2", "/r2/n2", "/r1/n3")) {
      watch.answered(rules, "10.0.0.1", location);
    }
    assertThat(said).hasSize(1);
    assertThat(said.get(0)).startsWith("warn: Node group name n1 is used by /r1 and /r2");
    assertThat(watch.repeatedGroups()).isEqualTo(2);
  }

  @Test
  void outsideDaemons_everything_isSaidAtDebug() {
    MappingWatch watch = watch(false);
    watch.answered(rules, "10.0.0.1", null);
    watch.reportUnknown(rules);
    watch.failed("threw x");
    assertThat(said).hasSize(2).allMatch(line -> line.startsWith("debug: "));
  }
}
