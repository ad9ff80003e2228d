package io.evenkeel.common.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.common.config.ConfigException;
import io.evenkeel.common.config.Key;
import io.evenkeel.common.config.KeyTable;
import io.evenkeel.common.plugin.PluginStatus.State;
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
      new PluginModule("test", PluginStartTest.class, KeyTable.of("evenkeel.test.", ALLOW), ALLOW);
  private static final Fit FITS = new Fit("3.4.3", List.of(), "9 references in 3 ms");
  private static final Fit CHANGED =
      new Fit("3.9.0", List.of("method a.B.c is missing", "method a.B.d is missing"), "");
  private static final Map<String, String> ALLOWED = Map.of(ALLOW.name(), "true");
  private static final Map<String, String> BAD = Map.of(ALLOW.name(), "perhaps");
  private static final String UNTESTED =
      "Hadoop 3.9.0 is not as this jar knows it (method a.B.c is missing, and 1 more)";

  private final List<String> lines = new ArrayList<>();

  private PluginStart start(Fit hadoop, Map<String, String> conf) {
    return MODULE.startOrFail(hadoop, conf.entrySet(), conf::get, lines::add);
  }

  @Test
  void start_badValue_throwsNamingTheKey() {
    assertThatThrownBy(() -> start(FITS, BAD))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(ALLOW.name());
  }

  @Test
  void startOrWarn_badValue_warnsAndTakesTheDefault() {
    PluginStart start = MODULE.startOrWarn(CHANGED, BAD.entrySet(), BAD::get, lines::add);
    assertThat(lines).singleElement().asString().contains(ALLOW.name());
    assertThat(start.settings().get(ALLOW)).isFalse();
    assertThat(start.isReleaseRefused()).isTrue();
  }

  @Test
  void isReleaseRefused_onlyWhereSomethingDoesNotFitAndIsNotAllowed() {
    assertThat(start(FITS, Map.of()).isReleaseRefused()).isFalse();
    assertThat(start(CHANGED, Map.of()).isReleaseRefused()).isTrue();
    assertThat(start(CHANGED, ALLOWED).isReleaseRefused()).isFalse();
  }

  @Test
  void reason_ofSeveral_namesTheReleaseFirstAndLeavesEmptyOnesOut() {
    assertThat(start(FITS, Map.of()).reason()).isEmpty();
    assertThat(start(FITS, Map.of()).reason("", "a", "b")).isEqualTo("a; b");
    assertThat(start(CHANGED, ALLOWED).reason("")).isEqualTo(UNTESTED);
    assertThat(start(CHANGED, ALLOWED).reason("a")).isEqualTo(UNTESTED + "; a");
    assertThat(start(CHANGED, Map.of()).refusal("stock decides"))
        .isEqualTo(
            UNTESTED
                + "; stock decides; 'evenkeel prove' shows what is missing; the last resort is"
                + " evenkeel.test.allow-untested=true");
    Fit unknown = new Fit("3.9.0", List.of("method a.B.c is not known"), "", Fit.Kind.UNKNOWN);
    assertThat(start(unknown, Map.of()).refusal("stock decides"))
        .contains("; stock decides; 'evenkeel prove --run' tries whether it works, and can accept");
  }

  private static final class Announced {}

  @Test
  void announce_publishesAndLogsOneLine() {
    PluginStart start = start(CHANGED, ALLOWED);
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

  @Test
  void announce_hadoopFits_saysByWhatThatWasProved() {
    PluginStart start = start(FITS, Map.of());
    start.announce(Announced.class, State.ACTIVE, "", start.settings().inForce(), lines::add);
    assertThat(lines)
        .singleElement()
        .asString()
        .endsWith("on Hadoop 3.4.3, default settings; proved by 9 references in 3 ms");
  }

  @Test
  void fit_jarWithoutItsAudit_isAProblem() {
    Fit fit = MODULE.fit(null);
    assertThat(fit.explain())
        .startsWith("Hadoop of unknown version is not as this jar knows it (it could not be looked")
        .contains("no /io/evenkeel/test/audited.txt");
    assertThat(MODULE.fit("9.9").explain()).startsWith("Hadoop 9.9 is not as");
  }

  @Test
  void announce_fallback_isNotSaidToBeProved() {
    List<String> lines = new ArrayList<>();
    for (State state : new State[] {State.FALLBACK, State.ACTIVE}) {
      start(FITS, Map.of()).announce(Announced.class, state, "why", Map.of(), lines::add);
    }
    assertThat(lines).hasSize(2);
    assertThat(lines.get(0)).contains("is fallback (why").doesNotContain("proved by");
    assertThat(lines.get(1)).endsWith("; proved by 9 references in 3 ms");
  }

  @Test
  void checkImplemented_hadoopWouldCallWhatIsNotThere_saysWhatToRemove() {
    CHANGED.checkImplemented("a.key"); // only something else is missing
    Fit lacking =
        new Fit(
            "3.9.0",
            List.of("method u.V.w is missing", "x.Y: does not implement z"),
            "",
            Fit.Kind.NOT_IMPLEMENTED);
    assertThatThrownBy(() -> lacking.checkImplemented("a.key"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("Hadoop 3.9.0: x.Y: does not implement z; remove a.key to use stock's");
  }
}
