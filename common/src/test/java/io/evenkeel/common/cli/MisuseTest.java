package io.evenkeel.common.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("once") // says nothing about a Hadoop release
class MisuseTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "option '--n': 'x' is not an int | option '--n': 'x' is not a whole number",
        "option '--n': '1.5' is not a long | option '--n': '1.5' is not a whole number",
        "option '--n': '' is not an int | option '--n': '' is not a whole number",
        "option '--n': '99999999999' is not an int | option '--n': '99999999999' is too large",
        "option '--n': '-99999999999' is not an int | option '--n': '-99999999999' is too small",
        "for '--way': expected one of [AUTO, NAME] (case-insensitive) but was 'Up'"
            + " | for '--way': 'Up' is none of auto, name",
        "for '--way': expected one of [A] (case-sensitive) but was '' | for '--way': '' is none of a",
        "Unknown option: '--x' | Unknown option: '--x'",
      })
  void inWords_messagesOfTheParser_haveNoTypesOfJava(String said, String words) {
    assertThat(Misuse.inWords(said)).isEqualTo(words);
  }
}
