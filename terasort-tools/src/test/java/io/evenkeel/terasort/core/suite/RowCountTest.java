package io.evenkeel.terasort.core.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("once")
class RowCountTest {
  @ParameterizedTest
  @CsvSource({
    "1, 1",
    "500k, 500000",
    "10m, 10000000",
    "1g, 1000000000",
    "1b, 1000000000",
    "1T, 1000000000000",
    "100t, 100000000000000"
  })
  void parse_digitsAndSuffix_isDecimal(String text, long rows) {
    assertThat(RowCount.parse(text)).isEqualTo(rows);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "101t", "99999999999999999999", "9999999999999t"})
  void parse_outOfRange_saysWhatIsAllowed(String text) {
    assertThatThrownBy(() -> RowCount.parse(text)).hasMessageContaining("use 1..100t");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-5", "1.5m", "10mb", "m", "ten"})
  void parse_noNumber_saysWhatToWrite(String text) {
    assertThatThrownBy(() -> RowCount.parse(text)).hasMessageContaining("10m");
  }
}
