package io.evenkeel.mover.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.evenkeel.common.json.Json;
import io.evenkeel.common.testing.LogLines;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class DataNodeVersionsTest {
  private static String node(String version) {
    return "{\"infoAddr\":\"10.0.0.1:9864\",\"version\":\"" + version + "\"}";
  }

  private static String warning(String liveNodes) {
    return DataNodeVersions.warning(
        (Map<?, ?>) Json.parse(liveNodes), version -> version.startsWith("3.4."));
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

  /** One that hangs would keep a client that asks it by RPC for minutes, or for ever. */
  @Test
  void warn_aNameNodeHangs_asksTheOtherOneAndNobodyByRpc() throws Exception {
    HttpServer page = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    page.createContext("/jmx", asked -> answer(asked, "{\"a:1\":" + node("4.0.0") + "}"));
    page.start();
    try (ServerSocket rpc = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
        ServerSocket hung = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
        LogLines log = LogLines.of(DataNodeVersions.class)) {
      Configuration conf = new Configuration(false);
      conf.set("dfs.nameservices", "ns1");
      conf.set("dfs.ha.namenodes.ns1", "nn1,nn2");
      conf.set("dfs.client.failover.proxy.provider.ns1", "a.Provider");
      conf.set("dfs.namenode.rpc-address.ns1.nn1", "127.0.0.1:" + rpc.getLocalPort());
      conf.set("dfs.namenode.rpc-address.ns1.nn2", "127.0.0.1:1");
      conf.set("dfs.namenode.http-address.ns1.nn1", "127.0.0.1:" + hung.getLocalPort());
      conf.set("dfs.namenode.http-address.ns1.nn2", "127.0.0.1:" + page.getAddress().getPort());

      DataNodeVersions.warn(conf, URI.create("hdfs://ns1"), version -> false);

      assertThat(log.at("WARN")).singleElement().asString().contains("{4.0.0=1}");
      rpc.setSoTimeout(1);
      assertThatThrownBy(rpc::accept).isInstanceOf(SocketTimeoutException.class);
    } finally {
      page.stop(0);
    }
  }

  /** It has just started, and the active one knows more. */
  @Test
  void warn_standbyKnowsNoDataNodeYet_asksTheOtherOneAsWell() throws Exception {
    HttpServer standby = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    standby.createContext("/jmx", asked -> answer(asked, "{}"));
    standby.start();
    HttpServer active = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    active.createContext("/jmx", asked -> answer(asked, "{\"a:1\":" + node("4.0.0") + "}"));
    active.start();
    try (LogLines log = LogLines.of(DataNodeVersions.class)) {
      Configuration conf = new Configuration(false);
      conf.set("dfs.nameservices", "ns1");
      conf.set("dfs.ha.namenodes.ns1", "nn1,nn2");
      conf.set("dfs.client.failover.proxy.provider.ns1", "a.Provider");
      conf.set("dfs.namenode.rpc-address.ns1.nn1", "127.0.0.1:2");
      conf.set("dfs.namenode.rpc-address.ns1.nn2", "127.0.0.1:3");
      String web = "dfs.namenode.http-address.ns1.";
      conf.set(web + "nn1", "127.0.0.1:" + standby.getAddress().getPort());
      conf.set(web + "nn2", "127.0.0.1:" + active.getAddress().getPort());

      DataNodeVersions.warn(conf, URI.create("hdfs://ns1"), version -> false);

      assertThat(log.at("WARN")).singleElement().asString().contains("{4.0.0=1}");
    } finally {
      standby.stop(0);
      active.stop(0);
    }
  }

  private static void answer(HttpExchange asked, String liveNodes) throws IOException {
    Map<String, Object> bean = Map.of("LiveNodes", liveNodes);
    byte[] text = Json.compact(Map.of("beans", List.of(bean))).getBytes(StandardCharsets.UTF_8);
    asked.sendResponseHeaders(200, text.length);
    asked.getResponseBody().write(text);
    asked.close();
  }
}
