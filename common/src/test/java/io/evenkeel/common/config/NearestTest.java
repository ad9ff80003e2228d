package io.evenkeel.common.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("once")
class NearestTest {
  @ParameterizedTest
  @CsvSource({
    "'', '', 0",
    "'', abc, 3",
    "abc, '', 3",
    "abc, abc, 0",
    "abc, abd, 1",
    "abc, ac, 1",
    "kitten, sitting, 3",
    "choices, choises, 1"
  })
  void distance_twoWords_countsEdits(String a, String b, int expected) {
    assertThat(Nearest.distance(a, b)).isEqualTo(expected);
    assertThat(Nearest.distance(b, a)).isEqualTo(expected);
  }

  @Test
  void of_mistypedWord_isTheClosest() {
    assertThat(Nearest.of("chioces", List.of("unknown-keys", "choices", "pause")))
        .isEqualTo("choices");
  }

  @Test
  void of_equallyNear_isTheFirst() {
    assertThat(Nearest.of("b", List.of("a", "c"))).isEqualTo("a");
  }

  @Test
  void of_nothingKnown_isRefused() {
    assertThatThrownBy(() -> Nearest.of("a", List.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void mistyped_aThirdOfItsLettersDiffers_isTheClosest() {
    List<String> known = List.of("mover.file", "mover.many", "volume.share");
    assertThat(Nearest.mistyped("movr.flie", known)).hasValue("mover.file");
    assertThat(Nearest.mistyped("volume.share", known)).hasValue("volume.share");
  }

  @Test
  void mistyped_nothingIsLikeIt_isNothing() {
    assertThat(Nearest.mistyped("foo", List.of("mover.file", "volume.share"))).isEmpty();
    assertThat(Nearest.mistyped("", List.of("mover.file"))).isEmpty();
    assertThat(Nearest.mistyped("foo", List.of())).isEmpty();
  }
}
