package io.evenkeel.terasort.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.common.config.ConfigException;
import io.evenkeel.common.plugin.Fit;
import io.evenkeel.common.testing.LogLines;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class TerasortStartTest {
  @Test
  void otherHadoop_warnsUnlessAllowed() {
    Fit changed = new Fit("3.9.9", List.of("method x.Y.z is missing"), "");
    Configuration conf = new Configuration(false);
    try (LogLines log = LogLines.of(TerasortStart.class)) {
      TerasortStart.strict(conf, new Fit("3.4.3", List.of(), ""));
      assertThat(log.at("WARN")).isEmpty();
      TerasortStart.strict(conf, changed);
      assertThat(log.at("WARN"))
          .singleElement()
          .asString()
          .contains("3.9.9", "method x.Y.z is missing", "evenkeel.terasort.allow-untested=true");
      conf.set("evenkeel.terasort.allow-untested", "true");
      TerasortStart.strict(conf, changed);
      assertThat(log.at("WARN")).hasSize(1);
    }
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
