package io.evenkeel.mover.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.plugin.Fit;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FollowSettingsTest {
  private static final Fit CHANGED = new Fit("9.9.9", List.of("method x.Y.z is missing"), "");

  private final Configuration conf = new Configuration(false);

  @BeforeEach
  void set() {
    conf.set("evenkeel.mover.follow.prefixes", "/hbase");
    conf.set("evenkeel.mover.follow.instance", "a");
  }

  @Test
  void read_otherHadoop_isRefusedNamingTheKey() {
    assertThatThrownBy(() -> FollowSettings.read(conf, CHANGED))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("9.9.9")
        .hasMessageEndingWith("; the last resort is to set evenkeel.mover.allow-untested=true")
        .extracting(e -> ((CommandException) e).exitCode())
        .isEqualTo(ExitCode.COULD_NOT_RUN);
  }

  @Test
  void read_otherHadoopThatIsAllowed_isRead() throws Exception {
    conf.set("evenkeel.mover.allow-untested", "true");
    assertThat(FollowSettings.read(conf, CHANGED).instance()).isEqualTo("a");
  }
}
