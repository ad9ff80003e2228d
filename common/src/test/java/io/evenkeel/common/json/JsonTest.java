package io.evenkeel.common.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("once")
class JsonTest {
  private static Map<String, Object> document() {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("z", 1L);
    document.put("a", Arrays.asList(1.5, true, null, "<b> & 'c' \u00e9"));
    document.put("m", Map.of("k", Long.MAX_VALUE));
    return document;
  }

  @Test
  void compact_mapsAndLists_keepTheirOrderOnOneLine() {
    assertThat(Json.compact(document()))
        .isEqualTo(
            "{\"z\":1,\"a\":[1.5,true,null,\"<b> & 'c'"
                + " \\u00e9\"],\"m\":{\"k\":9223372036854775807}}");
  }

  @Test
  void pretty_mapsAndLists_areIndented() {
    assertThat(Json.pretty(Map.of("k", List.of(1)))).isEqualTo("{\n  \"k\": [\n    1\n  ]\n}");
  }

  @Test
  void pretty_lettersBeyondAscii_areEscaped() {
    String odd = "/caf\u00e9/\u20ac/\ud83d\ude00/\ud800/\u007f";
    String json = Json.pretty(Map.of(odd, odd));
    assertThat(json).isASCII().contains("/caf\\u00e9/\\u20ac/\\ud83d\\ude00/\\ud800/\\u007f");
    assertThat(Json.parse(json)).isEqualTo(Map.of(odd, odd));
  }

  @Test
  void parse_whatWasWritten_isTheSame() {
    assertThat(Json.parse(Json.pretty(document()))).isEqualTo(document());
    assertThat(Json.parse(Json.compact(document()))).isEqualTo(document());
  }

  @Test
  void parse_numbers_areLongWhereWhole() {
    assertThat(Json.parse("[1, -2, 1.5, 1e3, 9007199254740993]"))
        .isEqualTo(List.of(1L, -2L, 1.5, 1000.0, 9007199254740993L));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "<html></html>",
        "Not Found",
        "{\"a\":1} x",
        "{'a':1}",
        "{a:1}",
        "[1,]",
        "[NaN]",
        "{\"a\":1}{\"b\":2}"
      })
  void parse_notADocument_isRefused(String text) {
    assertThatThrownBy(() -> Json.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("not JSON");
  }

  @Test
  void parse_null_isNull() {
    assertThat(Json.parse("null")).isNull();
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY})
  void write_notANumber_isRefused(double value) {
    assertThatThrownBy(() -> Json.compact(Map.of("v", value)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Json.pretty(Map.of("v", value)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void parse_nestedVeryDeeply_isRefusedWithoutOverflow() {
    StringBuilder deep = new StringBuilder();
    for (int i = 0; i < 200_000; i++) {
      deep.append('[');
    }
    assertThatThrownBy(() -> Json.parse(deep.toString()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("not JSON");
  }

  @Test
  void parse_numberTooLargeForADouble_isRefused() {
    assertThatThrownBy(() -> Json.parse("[1e999]"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("not JSON");
  }
}
