package io.evenkeel.terasort.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.common.config.ConfigException;
import io.evenkeel.common.config.Settings;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class TerasortStartTest {
  private static Settings settings(String key, String value) {
    Configuration conf = new Configuration(false);
    if (key != null) {
      conf.set(key, value);
    }
    return TerasortStart.lenient(conf);
  }

  @Test
  void untestedRelease_warnsUnlessAllowed() {
    Settings stock = settings(null, null);
    assertThat(TerasortStart.warnIfUntested(stock, "3.4.3")).isFalse();
    assertThat(TerasortStart.warnIfUntested(stock, "3.9.9")).isTrue();
    Settings allowed = settings("evenkeel.terasort.allow-untested", "true");
    assertThat(TerasortStart.warnIfUntested(allowed, "3.9.9")).isFalse();
  }

  @Test
  void unknownKey_stopsAToolButNoJob() {
    Configuration conf = new Configuration(false);
    conf.set("evenkeel.terasort.split.byte", "1g");
    assertThatThrownBy(() -> TerasortStart.strict(conf))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("evenkeel.terasort.split.byte");
    assertThat(TerasortStart.lenient(conf).get(TerasortKeys.SPLIT_BYTES)).isEqualTo(1L << 30);
  }
}
