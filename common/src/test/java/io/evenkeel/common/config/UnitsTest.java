package io.evenkeel.common.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("once")
class UnitsTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "17, 17",
    "17b, 17",
    "64k, 65536",
    "128M, 134217728",
    "2gb, 2147483648",
    "' 1t ', 1099511627776",
    "1p, 1125899906842624",
    "8191p, 9222246136947933184"
  })
  void bytes_numberWithSuffix_isBinary(String text, long expected) {
    assertThat(Units.bytes(text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "m", "-1", "1.5g", "1 g", "0x10", "12e", "1kk", "٣k"})
  void bytes_anythingElse_isRefusedWithAnExample(String text) {
    assertThatThrownBy(() -> Units.bytes(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("'" + text + "' is not a size; write for example 64k, 128m or 2g");
  }

  @Test
  void bytes_aboveLong_isRefused() {
    assertThatThrownBy(() -> Units.bytes("8192p"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("'8192p' is too large");
  }

  @ParameterizedTest
  @ValueSource(strings = {"9223372036854775808", "12345678901234567890123"})
  void bytes_moreDigitsThanALong_isRefusedAsTooLarge(String text) {
    assertThatThrownBy(() -> Units.bytes(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("'" + text + "' is too large");
  }

  @ParameterizedTest
  @CsvSource({
    "250, PT0.25S",
    "500ms, PT0.5S",
    "30s, PT30S",
    "5M, PT5M",
    "2h, PT2H",
    "1d, PT24H",
    "0, PT0S"
  })
  void duration_numberWithUnit_isParsed(String text, Duration expected) {
    assertThat(Units.duration(text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "s", "-1s", "1.5s", "soon", "1 s", "1w"})
  void duration_anythingElse_isRefusedWithAnExample(String text) {
    assertThatThrownBy(() -> Units.duration(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("'" + text + "' is not a duration; write for example 500ms, 30s or 5m");
  }

  @ParameterizedTest
  @ValueSource(strings = {"999999999999999999d", "12345678901234567890s", "106751991168d"})
  void duration_beyondMilliseconds_isRefused(String text) {
    assertThatThrownBy(() -> Units.duration(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("'" + text + "' is too long");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0 B",
    "1023, 1023 B",
    "1024, 1.00 kB",
    "1536, 1.50 kB",
    "10240, 10.0 kB",
    "104857600, 100 MB",
    "1048575, 1.00 MB",
    "10239, 10.0 kB",
    "102399, 100 kB",
    "-1536, -1.50 kB",
    "1610612736, 1.50 GB",
    "1125899906842624, 1.00 PB"
  })
  void humanBytes_any_hasThreeDigits(double bytes, String expected) {
    assertThat(Units.humanBytes(bytes)).isEqualTo(expected);
  }

  @Test
  void humanBytes_localeWithComma_stillPrintsAPoint() {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.GERMANY);
      assertThat(Units.humanBytes(1536)).isEqualTo("1.50 kB");
    } finally {
      Locale.setDefault(before);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0s",
    "119999, 119s",
    "120000, 2m",
    "7199999, 119m",
    "7200000, 2h",
    "172800000, 2d"
  })
  void humanDuration_any_isOneWholeNumber(long millis, String expected) {
    assertThat(Units.humanDuration(millis)).isEqualTo(expected);
  }
}
