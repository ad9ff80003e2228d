package io.evenkeel.cli.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("once")
class HadoopConfTest {
  @TempDir private Path dir;

  private static List<String> nameNodes(Map<String, String> properties) {
    return HadoopConf.of(properties).nameNodes().stream().map(URI::toString).toList();
  }

  @Test
  void load_bothFiles_laterWins() throws IOException {
    Files.writeString(
        dir.resolve("core-site.xml"),
        "<?xml version=\"1.0\"?><configuration>"
            + "<property><name>a</name><value>core</value></property>"
            + "<property><name> b </name><value> x </value></property></configuration>");
    Files.writeString(
        dir.resolve("hdfs-site.xml"),
        "<configuration><property><name>a</name><value>hdfs</value><final>true</final></property>"
            + "</configuration>");
    HadoopConf conf = HadoopConf.load(dir.toFile());
    assertThat(conf.get("a", "")).isEqualTo("hdfs");
    assertThat(conf.get("b", "")).isEqualTo("x");
    assertThat(conf.get("c", "none")).isEqualTo("none");
  }

  @Test
  void load_externalEntity_isRefusedAndNotRead() throws IOException {
    Path secret = Files.writeString(dir.resolve("secret"), "do-not-read");
    Files.writeString(
        dir.resolve("core-site.xml"),
        "<!DOCTYPE c [<!ENTITY x SYSTEM \""
            + secret.toUri()
            + "\">]><configuration><property><name>a</name><value>&x;</value></property>"
            + "</configuration>");
    assertThatThrownBy(() -> HadoopConf.load(dir.toFile()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("core-site.xml cannot be read")
        .hasMessageContaining("DOCTYPE")
        .hasMessageNotContaining("do-not-read");
  }

  @Test
  void load_emptyDirectory_namesWhatIsMissing() {
    assertThatThrownBy(() -> HadoopConf.load(dir.toFile()))
        .hasMessageContaining("neither core-site.xml nor hdfs-site.xml");
  }

  @Test
  void get_variables_areReplacedAndACycleEnds() {
    HadoopConf conf =
        HadoopConf.of(Map.of("host", "nn1", "a", "${host}:9870", "x", "${y}", "y", "${x}"));
    assertThat(conf.get("a", "")).isEqualTo("nn1:9870");
    assertThat(conf.get("x", "")).contains("${");
  }

  @Test
  void nameNodes_single_usesItsHttpAddress() {
    assertThat(nameNodes(Map.of("dfs.namenode.http-address", "nn1:50070")))
        .containsExactly("http://nn1:50070");
  }

  @Test
  void nameNodes_onlyDefaultFs_usesItsHostAndTheDefaultPort() {
    assertThat(nameNodes(Map.of("fs.defaultFS", "hdfs://nn1:8020")))
        .containsExactly("http://nn1:9870");
  }

  @Test
  void nameNodes_boundToAll_usesTheRpcHost() {
    assertThat(
            nameNodes(
                Map.of(
                    "dfs.namenode.http-address", "0.0.0.0:9870",
                    "dfs.namenode.rpc-address", "nn2:8020")))
        .containsExactly("http://nn2:9870");
  }

  @Test
  void nameNodes_highAvailability_givesAll() {
    assertThat(
            nameNodes(
                Map.of(
                    "dfs.nameservices", "ns",
                    "dfs.ha.namenodes.ns", "nn1, nn2",
                    "dfs.namenode.http-address.ns.nn1", "a:9870",
                    "dfs.namenode.rpc-address.ns.nn2", "b:8020")))
        .containsExactly("http://a:9870", "http://b:9870");
  }

  @Test
  void nameNodes_federation_givesEachService() {
    assertThat(
            nameNodes(
                Map.of(
                    "dfs.nameservices", "one,two",
                    "dfs.namenode.http-address.one", "a:9870",
                    "dfs.namenode.http-address.two", "b:9870")))
        .containsExactly("http://a:9870", "http://b:9870");
  }

  @Test
  void nameNodes_httpsOnly_usesTheSecureAddress() {
    assertThat(
            nameNodes(
                Map.of("dfs.http.policy", "HTTPS_ONLY", "dfs.namenode.https-address", "a:9871")))
        .containsExactly("https://a:9871");
  }

  @Test
  void nameNodes_nothingSet_isEmpty() {
    assertThat(nameNodes(Map.of())).isEmpty();
  }
}
