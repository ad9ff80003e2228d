package io.evenkeel.common.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class KeyTableTest {
  private static final Key<Long> CHOICES =
      Key.number("evenkeel.test.choices", 2, 1, 16, "Candidates.");
  private static final Key<Duration> PAUSE =
      Key.duration("evenkeel.test.pause", "5s", "100ms", "1h", "Pause.");
  private static final Key<String> DIRS =
      Key.text("evenkeel.test.class.*.dirs", "", "paths", "Directories of a class.");
  private static final KeyTable TABLE = KeyTable.of("evenkeel.test.", CHOICES, PAUSE, DIRS);

  private final List<String> warnings = new ArrayList<>();

  private Settings read(Map<String, String> conf) {
    return TABLE.readOrFail(conf.entrySet(), conf::get, warnings::add);
  }

  @Test
  void read_nothingSet_givesDefaults() {
    Settings settings = read(Map.of());
    assertThat(settings.get(CHOICES)).isEqualTo(2L);
    assertThat(settings.get(PAUSE)).isEqualTo(Duration.ofSeconds(5));
    assertThat(settings.inForce())
        .containsEntry("evenkeel.test.unknown-keys", "fail")
        .containsEntry("evenkeel.test.pause", "5s");
  }

  @Test
  void read_everyValueSet_isUsed() {
    Settings settings =
        read(
            Map.of(
                "evenkeel.test.choices", "16",
                "evenkeel.test.pause", " 2m ",
                "evenkeel.test.class.nvme.dirs", "/a,/b"));
    assertThat(settings.get(CHOICES)).isEqualTo(16L);
    assertThat(settings.get(PAUSE)).isEqualTo(Duration.ofMinutes(2));
    assertThat(settings.matching(DIRS)).containsExactly(Map.entry("nvme", "/a,/b"));
  }

  @Test
  void read_badValues_failsNamingEachKeyValueAndRange() {
    assertThatThrownBy(
            () -> read(Map.of("evenkeel.test.choices", "17", "evenkeel.test.pause", "soon")))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "evenkeel.test.choices = '17' is not allowed; use 1..16; evenkeel.test.pause = 'soon'"
                + " is not allowed; use 100ms..1h (ms, s, m, h, d)");
  }

  @Test
  void read_unknownKey_failsNamingTheNearest() {
    assertThatThrownBy(() -> read(Map.of("evenkeel.test.choises", "3")))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "unknown key evenkeel.test.choises; nearest known key: evenkeel.test.choices; correct"
                + " or remove it, or set evenkeel.test.unknown-keys = warn");
    assertThatThrownBy(() -> read(Map.of("evenkeel.test.a", "3", "evenkeel.test.b", "3")))
        .hasMessageEndingWith("; correct or remove them, or set evenkeel.test.unknown-keys = warn");
  }

  @Test
  void read_unknownKeyTolerated_warns() {
    read(Map.of("evenkeel.test.choises", "3", "evenkeel.test.unknown-keys", "warn"));
    assertThat(warnings)
        .containsExactly(
            "unknown key evenkeel.test.choises; nearest known key: evenkeel.test.choices; ignored");
  }

  @Test
  void read_otherModulesKeys_areNotLookedAt() {
    read(Map.of("evenkeel.other.anything", "3", "dfs.replication", "x"));
    assertThat(warnings).isEmpty();
  }

  @Test
  void readOrWarn_badValue_warnsAndUsesTheDefault() {
    Map<String, String> conf = Map.of("evenkeel.test.choices", "many", "evenkeel.test.x", "1");
    Settings settings = TABLE.readOrWarn(conf.entrySet(), conf::get, warnings::add);
    assertThat(settings.get(CHOICES)).isEqualTo(2L);
    assertThat(warnings)
        .hasSize(2)
        .contains(
            "evenkeel.test.choices = 'many' is not allowed; use 1..16; the default 2 is used");
  }

  @Test
  void read_keyWithoutAValue_isNotSet() {
    Settings settings =
        TABLE.readOrFail(
            Map.of("evenkeel.test.class.a.dirs", "").entrySet(), name -> null, warnings::add);
    assertThat(settings.matching(DIRS)).isEmpty();
    assertThat(warnings).isEmpty();
  }

  @Test
  void of_keyTwiceOrElsewhere_isRefused() {
    assertThatThrownBy(() -> KeyTable.of("evenkeel.test.", CHOICES, CHOICES))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> KeyTable.of("evenkeel.other.", CHOICES))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void get_keyOfAnotherTable_isRefused() {
    Key<Long> other = Key.number("evenkeel.other.n", 1, 1, 2, "N.");
    assertThatThrownBy(() -> read(Map.of()).get(other))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("evenkeel.other.n is not in this module's key table");
  }

  @Test
  void matching_patternThatCoversOtherKeys_givesOnlyItsOwnValues() {
    Key<String> any = Key.text("evenkeel.test.*", "", "words", "Anything.");
    Key<Long> weight = Key.number("evenkeel.test.class.*.weight", 1, 1, 9, "Weight.");
    Key<String> nvme = Key.text("evenkeel.test.class.nvme.*", "", "words", "Of nvme.");
    KeyTable table = KeyTable.of("evenkeel.test.", CHOICES, any, weight, nvme);
    Map<String, String> conf =
        Map.of("evenkeel.test.more", "x", "evenkeel.test.class.nvme.weight", "3");
    Settings settings = table.readOrFail(conf.entrySet(), conf::get, warnings::add);
    assertThat(settings.matching(any)).containsExactly(Map.entry("more", "x"));
    assertThat(settings.matching(weight)).containsExactly(Map.entry("nvme", 3L));
    assertThat(settings.matching(nvme)).isEmpty();
  }

  @Test
  void read_patternWrittenWithItsStar_isRefused() {
    Map<String, String> conf = Map.of("evenkeel.test.class.*.dirs", "/a");
    assertThatThrownBy(() -> read(conf))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("key evenkeel.test.class.*.dirs needs a name in place of *; ");
  }

  @Test
  void read_valueThatCannotBeSubstituted_failsNamingTheKey() {
    assertThatThrownBy(
            () ->
                TABLE.readOrFail(
                    Map.<String, String>of().entrySet(), KeyTableTest::tooDeep, warnings::add))
        .isInstanceOf(ConfigException.class)
        .hasMessage("evenkeel.test.choices cannot be read: substitution depth too large: 20 ${a}");
  }

  @Test
  void readOrWarn_valueThatCannotBeSubstituted_warnsAndUsesTheDefault() {
    Settings settings =
        TABLE.readOrWarn(Map.<String, String>of().entrySet(), KeyTableTest::tooDeep, warnings::add);
    assertThat(settings.get(CHOICES)).isEqualTo(2L);
    assertThat(warnings).singleElement().asString().contains("evenkeel.test.choices");
  }

  private static String tooDeep(String name) {
    if (name.equals(CHOICES.name())) {
      throw new IllegalStateException("substitution depth too large: 20 ${a}");
    }
    return null;
  }

  @Test
  void read_lineBreaksInNamesAndValues_stayOneLine() {
    Map<String, String> conf =
        Map.of("evenkeel.test.choices", "2\r\n3", "evenkeel.test.x\nINFO all is well", "1");
    assertThatThrownBy(() -> read(conf))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("'2\\u000d\\n3'")
        .hasMessageContaining("evenkeel.test.x\\nINFO")
        .message()
        .doesNotContain("\n", "\r");
  }
}
