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
        "for '--way': expected one of [A] (case-sensitive) but was '' | for '--way': '' is none of"
            + " a",
        "Unmatched argument at index 2: 'b' | Unknown argument: 'b'",
        "Unmatched arguments from index 0: 'a', 'b $1' | Unknown arguments: 'a', 'b $1'",
        "Missing required parameter: 'JOB' | Missing argument: 'JOB'",
        "Missing required parameters: 'A', 'B' | Missing arguments: 'A', 'B'",
        "Missing required parameter for option '--f' (DIR) | Missing value of option '--f' (DIR)",
        "Expected parameter for option '--f' but found '--n'"
            + " | Missing value of option '--f': '--n' is an option",
        "positional parameter at index 0..* (PATH) requires at least 2 values,"
            + " but none were specified. | Missing arguments: 2 or more of PATH are needed",
        "positional parameter at index 0..* (PATH) requires at least 2 values,"
            + " but only 1 were specified: [x]"
            + " | Missing arguments: 2 or more of PATH are needed, not only 'x'",
        "Expected parameter 2 (of 2 mandatory parameters) for positional parameter at index 0..*"
            + " (PATH) but found '--f'"
            + " | Option '--f' stands between two of PATH; put options first",
        "option '--f' (DIR) should be specified only once"
            + " | Option '--f' (DIR) can be given only once",
        "Invalid value for option '--json': '3' is not a boolean | Option '--json' takes no value",
        "Unknown option: '--x' | Unknown option: '--x'",
      })
  void inWords_messagesOfTheParser_haveNoTypesOfJava(String said, String words) {
    assertThat(Misuse.inWords(said)).isEqualTo(words);
  }
}
