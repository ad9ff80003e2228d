package io.evenkeel.cli.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.http.HttpConfig;
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

  private void write(String file, String properties) throws IOException {
    Files.writeString(
        dir.resolve(file),
        "<configuration xmlns:xi=\"http://www.w3.org/2001/XInclude\">"
            + properties
            + "</configuration>");
  }

  private static String property(String name, String value) {
    return "<property><name>" + name + "</name><value>" + value + "</value></property>";
  }

  /** What a daemon of this Hadoop reads from the files. */
  private Configuration stock() {
    HdfsConfiguration.init(); // or keys of HDFS have no former names
    Configuration stock = new Configuration(false);
    stock.addResource(new org.apache.hadoop.fs.Path(dir.resolve("core-site.xml").toUri()));
    stock.addResource(new org.apache.hadoop.fs.Path(dir.resolve("hdfs-site.xml").toUri()));
    return stock;
  }

  private void assertAsStock() throws IOException {
    Configuration stock = stock();
    HadoopConf ours = HadoopConf.load(dir.toFile());
    Map<String, String> expected = new TreeMap<>();
    Map<String, String> read = new TreeMap<>();
    for (Map.Entry<String, String> entry : stock) {
      expected.put(entry.getKey(), stock.getTrimmed(entry.getKey()));
    }
    ours.names().forEach(name -> read.put(name, ours.get(name, "")));
    assertThat(read).isEqualTo(expected);
  }

  @Test
  void load_includedFiles_areReadAsHadoopDoes() throws IOException {
    Files.createDirectory(dir.resolve("sub"));
    write("sub/inner.xml", property("inner", "1") + property("a", "inner"));
    write("outer.xml", property("outer", "1") + "<xi:include href=\"sub/inner.xml\"/>");
    write("core-site.xml", property("a", "core"));
    write(
        "hdfs-site.xml",
        property("before", "1")
            + "<xi:include href=\"outer.xml\"><xi:fallback>"
            + property("not-needed", "1")
            + "</xi:fallback></xi:include>"
            + "<xi:include href=\"none.xml\"><xi:fallback>"
            + property("needed", "1")
            + "</xi:fallback></xi:include>"
            + property("after", "1"));
    assertAsStock();
    assertThat(HadoopConf.load(dir.toFile()).names()).contains("inner", "needed");
  }

  @Test
  void load_includedFileMissingOrInACircle_isRefused() throws IOException {
    write("core-site.xml", "<xi:include href=\"none.xml\"/>");
    write("hdfs-site.xml", "");
    assertThatThrownBy(() -> stock().get("a")).hasMessageContaining("none.xml");
    assertThatThrownBy(() -> HadoopConf.load(dir.toFile()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("none.xml");
    write("core-site.xml", "<xi:include href=\"core-site.xml\"/>");
    assertThatThrownBy(() -> HadoopConf.load(dir.toFile()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("core-site.xml");
    write("core-site.xml", "<xi:include href=\"http://localhost:1/a.xml\"/>");
    assertThatThrownBy(() -> HadoopConf.load(dir.toFile()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("http://localhost:1/a.xml");
  }

  @Test
  void load_finalEmptyShortAndFormerNames_areAsInHadoop() throws IOException {
    write(
        "core-site.xml",
        "<property><name>final</name><value>core</value><final>true</final></property>"
            + "<property><name>final-unset</name><final>true</final></property>"
            + property("kept", "core")
            + property("blank", "core")
            + property("topology.script.file.name", "/etc/racks.sh")
            + property("twice", "1")
            + property("twice", "2")
            + property("lines", "\n  even\n  "));
    write(
        "hdfs-site.xml",
        property("final", "hdfs")
            + property("final-unset", "hdfs")
            + property("kept", "")
            + property("blank", " ")
            + property("never", "")
            + "<property name=\"short\" value=\"1\"/>"
            + property("dfs.http.address", "nn1:50070"));
    assertAsStock();
    HadoopConf conf = HadoopConf.load(dir.toFile());
    assertThat(conf.get("net.topology.script.file.name", "")).isEqualTo("/etc/racks.sh");
    assertThat(conf.nameNodes()).containsExactly(URI.create("http://nn1:50070"));
  }

  @Test
  void get_variables_areReplacedAsHadoopDoes() throws IOException {
    write("core-site.xml", property("inner", "1") + property("own", "a${own}"));
    write(
        "hdfs-site.xml",
        property("other", "${inner}${java.version}")
            + property("env", "${env.PATH}")
            + property("env-unset", "${env.EVENKEEL_NONE}")
            + property("env-default", "${env.EVENKEEL_NONE:-even}")
            + property("env-minus", "${env.EVENKEEL_NONE-even}")
            + property("unset", "${none}"));
    assertAsStock();
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
    assertThat(HttpConfig.Policy.fromString("https_only")).isEqualTo(HttpConfig.Policy.HTTPS_ONLY);
    assertThat(
            nameNodes(
                Map.of("dfs.http.policy", "https_only", "dfs.namenode.https-address", "a:9871")))
        .containsExactly("https://a:9871");
  }

  @Test
  void nameNodes_nothingSet_isEmpty() {
    assertThat(nameNodes(Map.of())).isEmpty();
  }
}
