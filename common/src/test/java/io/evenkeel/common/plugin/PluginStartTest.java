package io.evenkeel.common.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.common.config.ConfigException;
import io.evenkeel.common.config.Key;
import io.evenkeel.common.config.KeyTable;
import io.evenkeel.common.plugin.PluginStatus.State;
import io.evenkeel.common.version.SupportedVersions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class PluginStartTest {
  private static final Key<Boolean> ALLOW =
      Key.bool("evenkeel.test.allow-untested", false, "Stay active.");
  private static final PluginModule MODULE =
      new PluginModule(
          "test", KeyTable.of("evenkeel.test.", ALLOW), SupportedVersions.of("3.4.3"), ALLOW);
  private static final Map<String, String> ALLOWED = Map.of(ALLOW.name(), "true");
  private static final Map<String, String> BAD = Map.of(ALLOW.name(), "perhaps");
  private static final String UNTESTED =
      "Hadoop 3.9.0 was not tested with this jar (tested: 3.4.3)";

  private final List<String> lines = new ArrayList<>();

  private PluginStart start(String version, Map<String, String> conf) {
    return MODULE.startOrFail(version, conf.entrySet(), conf::get, lines::add);
  }

  @Test
  void start_badValue_throwsNamingTheKey() {
    assertThatThrownBy(() -> start("3.4.3", BAD))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(ALLOW.name());
  }

  @Test
  void startOrWarn_badValue_warnsAndTakesTheDefault() {
    PluginStart start = MODULE.startOrWarn("3.9.0", BAD.entrySet(), BAD::get, lines::add);
    assertThat(lines).singleElement().asString().contains(ALLOW.name());
    assertThat(start.settings().get(ALLOW)).isFalse();
    assertThat(start.isReleaseRefused()).isTrue();
  }

  @Test
  void isReleaseRefused_onlyWhereUntestedAndNotAllowed() {
    assertThat(start("3.4.3", Map.of()).isReleaseRefused()).isFalse();
    assertThat(start("3.9.0", Map.of()).isReleaseRefused()).isTrue();
    assertThat(start("3.9.0", ALLOWED).isReleaseRefused()).isFalse();
  }

  @Test
  void reason_ofSeveral_namesTheReleaseFirstAndLeavesEmptyOnesOut() {
    assertThat(start("3.4.3", Map.of()).reason()).isEmpty();
    assertThat(start("3.4.3", Map.of()).reason("", "a", "b")).isEqualTo("a; b");
    assertThat(start("3.9.0", ALLOWED).reason("")).isEqualTo(UNTESTED);
    assertThat(start("3.9.0", ALLOWED).reason("a")).isEqualTo(UNTESTED + "; a");
    assertThat(start("3.9.0", Map.of()).refusal("stock decides"))
        .isEqualTo(UNTESTED + "; stock decides unless evenkeel.test.allow-untested=true");
  }

  private static final class Announced {}

  @Test
  void announce_publishesAndLogsOneLine() {
    PluginStart start = start("3.9.0", ALLOWED);
    PluginStatus status =
        start.announce(
            Announced.class,
            State.OBSERVE,
            start.reason("stock decides"),
            start.settings().inForce(),
            lines::add);
    assertThat(lines).containsExactly(status.startLine());
    assertThat(status.startLine())
        .contains("Announced", "is observe (" + UNTESTED + "; stock decides) on Hadoop 3.9.0");
    assertThat(status.getModule()).isEqualTo("test");
  }
}
