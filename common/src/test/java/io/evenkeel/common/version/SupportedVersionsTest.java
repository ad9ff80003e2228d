package io.evenkeel.common.version;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.version.SupportedVersions.Verdict;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("once")
class SupportedVersionsTest {
  private final SupportedVersions versions = SupportedVersions.of("3.1.4", "3.4.3", "3.5.0");

  @ParameterizedTest
  @ValueSource(strings = {"3.1.4", "3.4.3", "3.5.0"})
  void check_declaredRelease_isTested(String running) {
    assertThat(versions.check(running)).isEqualTo(Verdict.TESTED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "3.4.2",
        "3.4.30",
        "3.4.3-SNAPSHOT",
        "3.4.3.1",
        "3.1.1.7.1.7.0-551",
        "3.1.1.7.1.9.0-387",
        "3.4",
        "3.4-beta"
      })
  void check_patchOrVendorBuildOfADeclaredLine_isUntested(String running) {
    assertThat(versions.check(running)).isEqualTo(Verdict.UNTESTED_PATCH);
  }

  @ParameterizedTest
  @NullAndEmptySource
  @ValueSource(
      strings = {
        "3.6.0",
        "3.45.0",
        "3.41",
        "2.7.7",
        "13.4.3",
        "3",
        "3.x",
        "v3.4.3",
        "Unknown",
        "3.4\n.3",
        "${project.version}",
        " "
      })
  void check_otherLineOrGarbage_isUnknown(String running) {
    assertThat(versions.check(running)).isEqualTo(Verdict.UNKNOWN_LINE);
  }

  @Test
  void explain_testedRelease_saysSo() {
    assertThat(versions.explain("3.4.3"))
        .isEqualTo("Hadoop 3.4.3 is tested (tested: 3.1.4, 3.4.3, 3.5.0)");
  }

  /** Cloudera's CDH 6 and CDP 7.1, and a developer's build. */
  @ParameterizedTest
  @CsvSource({
    "3.0.0-cdh6.3.2, 3.0.0",
    "3.1.1.7.1.9.0-387, 3.1.1",
    "3.1.4.7.2.0.0-1, 3.1.4",
    "3.4.3-SNAPSHOT, 3.4.3"
  })
  void explain_vendorBuild_isNotTakenForTheApacheRelease(String running, String base) {
    SupportedVersions both = SupportedVersions.of("3.0.0", "3.1.4", "3.4.3");
    assertThat(both.check(running)).isEqualTo(Verdict.UNTESTED_PATCH);
    assertThat(both.explain(running))
        .isEqualTo(
            "Hadoop %s, a build based on %s, was not tested with this jar"
                + " (tested: 3.0.0, 3.1.4, 3.4.3)",
            running, base);
  }

  @Test
  void explain_otherRelease_isNoBuild() {
    assertThat(versions.explain("3.4.2")).startsWith("Hadoop 3.4.2 was not tested with this jar (");
  }

  @Test
  void explain_unreadableVersion_staysOneLine() {
    assertThat(versions.explain(null)).startsWith("Hadoop of unknown version was not tested");
  }
}
