package io.evenkeel.cli;

import com.sun.net.httpserver.HttpServer;
import io.evenkeel.common.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** A daemon's {@code /jmx} on loopback. Beans are added before it is asked. */
public final class FakeDaemon implements AutoCloseable {
  private final Map<String, Map<String, Object>> beans = new LinkedHashMap<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final CountDownLatch asked = new CountDownLatch(1);
  private final HttpServer server;
  private final AtomicReference<Runnable> afterFirstAnswer = new AtomicReference<>(() -> {});
  private volatile boolean hanging;
  private volatile String answering;
  private volatile int refusing;

  static {
    // or every answer waits 40 ms for the client's acknowledgement of its header
    System.setProperty("sun.net.httpserver.nodelay", "true");
  }

  private FakeDaemon() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext(
        "/jmx",
        exchange -> {
          asked.countDown();
          if (hanging) {
            await();
          }
          if (refusing > 0) {
            exchange.sendResponseHeaders(refusing, -1);
            exchange.close();
            return;
          }
          String query =
              URLDecoder.decode(exchange.getRequestURI().getRawQuery(), StandardCharsets.UTF_8);
          String text = answering == null ? answer(query.substring("qry=".length())) : answering;
          byte[] body = text.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          afterFirstAnswer.getAndSet(() -> {}).run();
          exchange.close();
        });
    server.start();
  }

  private void await() {
    try {
      closed.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private String answer(String query) {
    // the patterns the client uses: a star at the end, in a value, or none
    String pattern = query.replace(".", "\\.").replace("*", ".*");
    List<Object> found = new ArrayList<>();
    beans.forEach(
        (name, bean) -> {
          if (name.matches(pattern)) {
            found.add(bean);
          }
        });
    return Json.compact(Map.of("beans", found));
  }

  public static FakeDaemon start() throws IOException {
    return new FakeDaemon();
  }

  /** Something that changes once the first question has been answered. */
  FakeDaemon afterFirstAnswer(Runnable change) {
    afterFirstAnswer.set(change);
    return this;
  }

  /** A DataNode that has started, without a plugin. */
  public static FakeDaemon dataNode() throws IOException {
    return start().bean("Hadoop:service=DataNode,name=FSDatasetState", Map.of());
  }

  public static FakeDaemon nameNode(String state, FakeDaemon... live) throws IOException {
    return start().nameNodeBeans(state, "BP-1", live);
  }

  FakeDaemon nameNodeBeans(String state, String blockPool, FakeDaemon... live) {
    Map<String, Object> nodes = new LinkedHashMap<>();
    for (FakeDaemon node : live) {
      nodes.put(
          "dn" + nodes.size() + ":9866",
          Map.of("infoAddr", node.address(), "infoSecureAddr", "127.0.0.1:0", "version", "3.4.3"));
    }
    return bean(
            "Hadoop:service=NameNode,name=NameNodeInfo",
            Map.of(
                "SoftwareVersion",
                "3.4.3",
                "BlockPoolId",
                blockPool,
                "LiveNodes",
                Json.compact(nodes),
                "DeadNodes",
                "{}"))
        .bean("Hadoop:service=NameNode,name=NameNodeStatus", Map.of("State", state));
  }

  /** Adds the configuration, shown as Hadoop 3 does: whatever the query, in JSON if accepted. */
  FakeDaemon conf(String... keysAndValues) {
    List<Object> properties = new ArrayList<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      properties.add(Map.of("key", keysAndValues[i], "value", keysAndValues[i + 1]));
    }
    server.createContext(
        "/conf",
        exchange -> {
          boolean json = exchange.getRequestHeaders().getFirst("Accept").contains("json");
          String text = json ? Json.compact(Map.of("properties", properties)) : "<configuration/>";
          exchange.sendResponseHeaders(200, 0);
          exchange.getResponseBody().write(text.getBytes(StandardCharsets.UTF_8));
          exchange.close();
        });
    return this;
  }

  /** What a servlet answers to a path and its query; throws {@link Refused} for another code. */
  interface Servlet {
    String answer(String path, Map<String, String> query);
  }

  /** An answer other than 200. */
  static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final int code;

    Refused(int code, String body) {
      super(body);
      this.code = code;
    }
  }

  /** Adds a servlet. */
  FakeDaemon servlet(String prefix, Servlet servlet) {
    server.createContext(
        prefix,
        exchange -> {
          Map<String, String> query = new LinkedHashMap<>();
          String given = exchange.getRequestURI().getRawQuery();
          String[] pairs = given == null ? new String[0] : given.split("&", -1);
          for (String pair : pairs) {
            String[] parts = pair.split("=", 2);
            query.put(parts[0], URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
          }
          int code = 200;
          String text;
          try {
            text = servlet.answer(exchange.getRequestURI().getPath(), query);
          } catch (Refused e) {
            code = e.code;
            text = e.getMessage();
          }
          byte[] body = text.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(code, body.length == 0 ? -1 : body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    return this;
  }

  public FakeDaemon bean(String name, Map<String, Object> attributes) {
    Map<String, Object> bean = new LinkedHashMap<>(beans.getOrDefault(name, Map.of()));
    bean.put("name", name);
    bean.putAll(attributes);
    beans.put(name, bean);
    return this;
  }

  /** The volume plugin; attributes given replace the usual ones. */
  FakeDaemon volume(Map<String, Object> different) {
    Map<String, Object> bean = new LinkedHashMap<>();
    bean.put("Module", "volume");
    bean.put("PluginClass", "io.evenkeel.volume.PerTypeRoundRobinVolumeChoosingPolicy");
    bean.put("Version", "0.1.0");
    bean.put("State", "active");
    bean.put("Reason", "");
    bean.put("HadoopVersion", "3.4.3");
    bean.put("Settings", List.of("evenkeel.volume.unknown-keys=fail"));
    bean.put("ChangedSettings", List.of());
    bean.putAll(different);
    return bean("io.evenkeel:type=Plugin,module=volume,class=PerTypeRoundRobin", bean);
  }

  FakeDaemon answering(String text) {
    answering = text;
    return this;
  }

  FakeDaemon refusing(int code) {
    refusing = code;
    return this;
  }

  FakeDaemon hanging() {
    hanging = true;
    return this;
  }

  /** Returns when the first question has arrived. */
  void awaitRequest() throws InterruptedException {
    if (!asked.await(60, TimeUnit.SECONDS)) {
      throw new AssertionError("was not asked");
    }
  }

  public String address() {
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  public String url() {
    return "http://" + address();
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
