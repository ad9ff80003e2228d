package io.evenkeel.mover.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DataNodeVersionsTest {
  private static String node(String version) {
    return "{\"infoAddr\":\"10.0.0.1:9864\",\"version\":\"" + version + "\"}";
  }

  private static String warning(String liveNodes) {
    return DataNodeVersions.warning(liveNodes, version -> version.startsWith("3.4."));
  }

  @Test
  void warning_allKnown_isNone() {
    assertThat(warning("{}")).isNull();
    assertThat(warning("{\"a:1\":" + node("3.4.1") + ",\"b:1\":" + node("3.4.9") + "}")).isNull();
  }

  @Test
  void warning_someNot_countsThemByVersion() {
    String nodes =
        "{\"a:1\":"
            + node("4.0.0")
            + ",\"b:1\":"
            + node("3.4.3")
            + ",\"c:1\":"
            + node("4.0.0")
            + ",\"d:1\":{}}";
    assertThat(warning(nodes))
        .isEqualTo(
            "DataNodes run a Hadoop of which no release was read (version and number): {4.0.0=2,"
                + " null=1}; moves to and from them may fail");
  }
}
