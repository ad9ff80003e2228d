package io.evenkeel.common.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("once")
class KeyTest {
  private static final Key<Double> SHARE = Key.decimal("e.x.share", 0.5, 0.0, 1.0, "Share.");
  private static final Key<Long> SIZE = Key.size("e.x.size", "64k", "1k", "1g", "Size.");
  private static final Key<Boolean> FLAG = Key.bool("e.x.flag", false, "Flag.");
  private static final Key<String> WORD = Key.choice("e.x.word", "Word.", "on", "off");

  static Stream<Arguments> badValues() {
    return Stream.of(
        Arguments.of(SHARE, "NaN"),
        Arguments.of(SHARE, "Infinity"),
        Arguments.of(SHARE, "-0.1"),
        Arguments.of(SHARE, "1.01"),
        Arguments.of(SHARE, ""),
        Arguments.of(SHARE, "half"),
        Arguments.of(SIZE, "1023"),
        Arguments.of(SIZE, "2g"),
        Arguments.of(SIZE, "-1"),
        Arguments.of(FLAG, "yes"),
        Arguments.of(FLAG, "TRUE"),
        Arguments.of(FLAG, ""),
        Arguments.of(WORD, "On"));
  }

  @ParameterizedTest
  @MethodSource("badValues")
  void parse_valueOutsideItsRange_namesKeyValueAndRange(Key<?> key, String value) {
    assertThatThrownBy(() -> key.parse(value))
        .isInstanceOf(ConfigException.class)
        .hasMessage(key.name() + " = '" + value + "' is not allowed; use " + key.range());
  }

  @Test
  void parse_bounds_areIncluded() {
    assertThat(SHARE.parse("0")).isZero();
    assertThat(SHARE.parse(" 1.0 ")).isEqualTo(1.0);
    assertThat(SIZE.parse("1k")).isEqualTo(1024L);
    assertThat(SIZE.parse("1g")).isEqualTo(1L << 30);
    assertThat(FLAG.parse("true")).isTrue();
    assertThat(WORD.parse("off")).isEqualTo("off");
  }

  @Test
  void create_defaultOutsideItsRange_isRefused() {
    assertThatThrownBy(() -> Key.number("e.x.n", 0, 1, 2, "N."))
        .isInstanceOf(ConfigException.class);
  }

  @ParameterizedTest
  @CsvSource({"e.x.class.nvme.dirs, nvme", "e.x.class.a-b.dirs, a-b"})
  void wildcard_matchingName_isThePartInItsPlace(String name, String part) {
    assertThat(Key.text("e.x.class.*.dirs", "", "paths", "Dirs.").wildcard(name)).isEqualTo(part);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"e.x.class..dirs", "e.x.class.dirs", "e.x.class.a.b.dirs", "e.x.class.a.dir"})
  void wildcard_otherName_isNull(String name) {
    assertThat(Key.text("e.x.class.*.dirs", "", "paths", "Dirs.").wildcard(name)).isNull();
  }
}
