package io.evenkeel.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.common.config.ConfigException;
import io.evenkeel.common.config.Settings;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

/** Our keys in a real Hadoop configuration: substitution, final values, loading on demand. */
class HadoopConfigurationTest {
  private static final String FLAG = "evenkeel.volume.allow-untested";

  private final Configuration conf = new Configuration(false);
  private final List<String> warnings = new ArrayList<>();

  private void resource(String... properties) {
    String xml = "<configuration>" + String.join("", properties) + "</configuration>";
    conf.addResource(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
  }

  private static String property(String name, String value, String more) {
    return "<property><name>" + name + "</name><value>" + value + "</value>" + more + "</property>";
  }

  private Settings read() {
    return VolumeKeys.TABLE.readOrFail(conf, conf::get, warnings::add);
  }

  @Test
  void read_valueOnALineOfItsOwn_isTrimmed() {
    resource(property(" " + FLAG + "\n", "\n  true\n", ""));
    assertThat(read().get(VolumeKeys.ALLOW_UNTESTED)).isTrue();
  }

  @Test
  void read_resourceNotLoadedYet_showsItsUnknownKeys() {
    resource(property("evenkeel.volume.allow-untestd", "true", ""));
    assertThatThrownBy(this::read)
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("nearest known key: " + FLAG);
  }

  @Test
  void read_finalValue_winsOverALaterFile() {
    resource(property(FLAG, "true", "<final>true</final>"));
    resource(property(FLAG, "false", ""));
    assertThat(read().get(VolumeKeys.ALLOW_UNTESTED)).isTrue();
  }

  @Test
  void read_variable_isSubstituted() {
    resource(property(FLAG, "${site.try}", ""), property("site.try", "true", ""));
    assertThat(read().get(VolumeKeys.ALLOW_UNTESTED)).isTrue();
  }

  @Test
  void read_variableNobodySet_failsShowingIt() {
    resource(property(FLAG, "${site.missing}", ""));
    assertThatThrownBy(this::read)
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(FLAG + " = '${site.missing}' is not allowed");
  }

  @Test
  void read_variablesNestedTooDeeply_failsNamingTheKey() {
    nestDeeply(FLAG);
    assertThatThrownBy(this::read)
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith(FLAG + " cannot be read: ");
  }

  @Test
  void keptFree_variablesNestedTooDeeply_failsNamingTheKey() {
    nestDeeply(KeptFree.KEY);
    assertThatThrownBy(() -> KeptFree.read(conf))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith(KeptFree.KEY + " = '${site.0}' is not allowed");
  }

  private void nestDeeply(String key) {
    conf.set(key, "${site.0}");
    for (int i = 0; i < 30; i++) {
      conf.set("site." + i, "${site." + (i + 1) + "}");
    }
    conf.set("site.30", "1");
  }

  @Test
  void keptFree_limitsOfTheRange_areAccepted() {
    conf.set(KeptFree.KEY, " " + Long.MAX_VALUE + "\n");
    assertThat(KeptFree.read(conf)).isEqualTo(Long.MAX_VALUE);
    conf.set(KeptFree.KEY, "9223372036854775808");
    assertThatThrownBy(() -> KeptFree.read(conf)).isInstanceOf(ConfigException.class);
  }
}
