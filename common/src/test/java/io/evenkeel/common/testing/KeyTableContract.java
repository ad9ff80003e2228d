package io.evenkeel.common.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.evenkeel.common.config.ConfigException;
import io.evenkeel.common.config.Key;
import io.evenkeel.common.config.KeyTable;
import io.evenkeel.common.config.OneLine;
import io.evenkeel.common.config.Settings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

/**
 * What every module's key table must pass; a subclass names the table, its section in the
 * documentation, one value per key that is not its default, and how the module starts.
 */
public abstract class KeyTableContract {
  /** What no key takes that has a range: nothing, no word, negative, beyond a long, no unit. */
  private static final List<String> BAD =
      List.of("", "no such", "-1", "99999999999999999999", "5x");

  private final List<String> warnings = new ArrayList<>();

  /** The module's keys. */
  protected abstract KeyTable table();

  /** Name of the section in docs/configuration.md. */
  protected abstract String section();

  /**
   * For every key a value that differs from its default, normalised as {@link Settings#inForce}
   * prints it; a key with a {@code *} is given with a name in its place.
   */
  protected abstract Map<String, String> otherThanDefaults();

  /** Starts the module as its daemon does, at least until all keys are checked. */
  protected abstract void start(Map<String, String> conf) throws Exception;

  /** By key that takes text: what the start refuses; an empty list where any text is right. */
  protected abstract Map<String, List<String>> badTexts();

  private Settings read(Map<String, String> conf) {
    return table().readOrFail(conf.entrySet(), conf::get, warnings::add);
  }

  @Test
  void defaults_nothingSet_areInForce() {
    Map<String, String> expected = new LinkedHashMap<>();
    for (Key<?> key : table().keys()) {
      if (!key.isPattern()) {
        expected.put(key.name(), key.defaultText());
      }
    }
    Settings settings = read(Map.of());
    assertThat(settings.inForce()).containsExactlyEntriesOf(expected);
    assertThat(warnings).isEmpty();
  }

  @Test
  void mapping_everyKeyOtherThanItsDefault_isInForce() {
    Map<String, String> conf = otherThanDefaults();
    long patterns = table().keys().stream().filter(Key::isPattern).count();
    assertThat(conf.size()).isGreaterThanOrEqualTo(table().keys().size());
    for (Key<?> key : table().keys()) {
      if (!key.isPattern()) {
        assertThat(conf).as("a value for every key").containsKey(key.name());
        assertThat(conf.get(key.name())).as(key.name()).isNotEqualTo(key.defaultText());
      }
    }
    Settings settings = read(conf);
    assertThat(settings.inForce()).containsExactlyInAnyOrderEntriesOf(conf);
    assertThat(table().keys().stream().filter(k -> k.isPattern() && set(settings, k)))
        .hasSize((int) patterns);
    assertThat(warnings).isEmpty();
  }

  private static boolean set(Settings settings, Key<?> pattern) {
    return !settings.matching(pattern).isEmpty();
  }

  @Test
  void mapping_unknownKey_stopsTheStart() {
    Map<String, String> conf = Map.of(table().prefix() + "no-such-key", "1");
    assertThatThrownBy(() -> read(conf))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("unknown key " + table().prefix() + "no-such-key");
  }

  @Test
  void start_badValueOfEachKey_failsNamingKeyValueAndRange() {
    assertThat(catchThrowable(() -> start(Map.of())) instanceof ConfigException)
        .as("starts when nothing is set")
        .isFalse();
    Map<String, List<String>> texts = badTexts();
    SoftAssertions softly = new SoftAssertions();
    for (Key<?> key : table().keys()) {
      String name = key.name().replace("*", "ssd");
      for (String value : texts.getOrDefault(key.name(), BAD)) {
        Throwable thrown = catchThrowable(() -> start(Map.of(name, value)));
        softly
            .assertThat(thrown == null ? "" : thrown.getMessage())
            .as("%s = '%s'", name, value)
            .contains(name + " = '" + OneLine.of(value) + "'", "; use " + key.range());
      }
    }
    softly.assertAll();
  }

  @Test
  void docs_keyTable_isTheCodes() throws Exception {
    KeyTableDocs.assertDocumented(Path.of("..", "docs", "configuration.md"), section(), table());
  }
}
