package io.evenkeel.common.jmx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.evenkeel.common.http.WebClient;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
@Tag("once")
class JmxClientTest {
  private static final int LIMIT_MILLIS = 5000;

  private HttpServer server;
  private URI base;
  private final AtomicReference<URI> asked = new AtomicReference<>();

  @BeforeEach
  void startServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.start();
    base = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  @AfterEach
  void stopServer() {
    server.stop(0);
  }

  private JmxClient answering(int code, String body) {
    server.createContext(
        "/jmx",
        exchange -> {
          asked.set(exchange.getRequestURI());
          byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(code, bytes.length == 0 ? -1 : bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    return new JmxClient(base, LIMIT_MILLIS);
  }

  @Test
  void date_ofAnAnswer_isItsHeader() throws Exception {
    // the JDK's own server writes a date of its own
    try (ServerSocket then = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread answer =
          new Thread(
              () -> {
                try (Socket socket = then.accept()) {
                  String head =
                      "HTTP/1.1 200 OK\r\nDate: Thu, 01 Jan 1970 00:00:07 GMT\r\n"
                          + "Content-Length: 0\r\n\r\n";
                  socket.getOutputStream().write(head.getBytes(StandardCharsets.UTF_8));
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      answer.start();
      URI address = URI.create("http://127.0.0.1:" + then.getLocalPort());
      AtomicLong date = new AtomicLong();
      new WebClient(address, LIMIT_MILLIS).get("/then", date::set);
      assertThat(date).hasValue(7000);
      answer.join();
    }
  }

  @Test
  void query_beans_areMapsInOrder() throws IOException {
    JmxClient client =
        answering(200, "{\"beans\":[{\"name\":\"a\",\"n\":1},{\"name\":\"\u00e9\"}]}");
    assertThat(client.query("io.evenkeel:*"))
        .isEqualTo(List.of(Map.of("name", "a", "n", 1L), Map.of("name", "\u00e9")));
  }

  @Test
  void query_nameWithSeparators_isEscaped() throws IOException {
    answering(200, "{\"beans\":[]}").query("io.evenkeel:type=Plugin,module=a&b,*");
    assertThat(asked.get().getRawQuery())
        .isEqualTo("qry=io.evenkeel%3Atype%3DPlugin%2Cmodule%3Da%26b%2C*");
  }

  @Test
  void query_attributesThatAreNotNumbers_areNull() throws IOException {
    // As Hadoop's servlet writes them.
    Map<String, Object> bean =
        answering(
                200,
                "{\"beans\":[{\"a\":NaN,\"b\":-Infinity,\"c\":[Infinity,1],"
                    + "\"NaN\":\"NaN \\\" NaN\\\\\",\"d\":2}]}")
            .bean("a:*");
    assertThat(bean)
        .containsEntry("a", null)
        .containsEntry("b", null)
        .containsEntry("c", Arrays.asList(null, 1L))
        .containsEntry("NaN", "NaN \" NaN\\")
        .containsEntry("d", 2L);
  }

  @Test
  void bean_nothingMatches_isEmpty() throws IOException {
    assertThat(answering(200, "{\"beans\":[]}").bean("a:type=B")).isEmpty();
  }

  @Test
  void bean_severalMatch_isTheFirst() throws IOException {
    assertThat(answering(200, "{\"beans\":[{\"n\":1},{\"n\":2}]}").bean("a:*"))
        .isEqualTo(Map.of("n", 1L));
  }

  @Test
  void query_baseWithAPath_isAskedAtTheRoot() throws IOException {
    answering(200, "{\"beans\":[]}");
    new JmxClient(URI.create(base + "/dfshealth.html"), LIMIT_MILLIS).query("a:*");
    assertThat(asked.get().getPath()).isEqualTo("/jmx");
  }

  @ParameterizedTest
  @CsvSource({
    "404, ''",
    "401, ': it asks for Kerberos, and there is no ticket it takes; run kinit'",
    "403, ': this user may not see it (hadoop.security.instrumentation.requires.admin)'",
    "500, ''"
  })
  void query_errorCode_failsNamingAddressCodeAndReason(int code, String reason) {
    JmxClient client = answering(code, "no");
    assertThatThrownBy(() -> client.query("a:*"))
        .isInstanceOf(IOException.class)
        .hasMessage(base + "/jmx?qry=a%3A* answered " + code + reason);
  }

  @ParameterizedTest
  @ValueSource(strings = {"<html>login</html>", "", "{\"beans\":"})
  void query_notJson_failsNamingTheAddress(String body) {
    JmxClient client = answering(200, body);
    assertThatThrownBy(() -> client.query("a:*"))
        .isInstanceOf(IOException.class)
        .hasMessage(base + "/jmx did not answer with JSON");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "[]", "null", "{\"beans\":{}}", "{\"beans\":[1]}"})
  void query_jsonWithoutBeans_failsNamingTheAddress(String body) {
    JmxClient client = answering(200, body);
    assertThatThrownBy(() -> client.query("a:*"))
        .isInstanceOf(IOException.class)
        .hasMessage(base + "/jmx did not answer with beans");
  }

  @Test
  void query_daemonThatNeverAnswers_failsNamingAddressAndLimit() throws IOException {
    // The kernel accepts the connection; nobody ever writes to it.
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      URI address = URI.create("http://127.0.0.1:" + silent.getLocalPort());
      assertThatThrownBy(() -> new JmxClient(address, 50).query("a:*"))
          .isInstanceOf(IOException.class)
          .hasMessage(address + " did not answer within 50 ms")
          .hasCauseInstanceOf(SocketTimeoutException.class);
    }
  }

  @Test
  void query_nobodyListens_failsNamingTheAddress() throws IOException {
    server.stop(0);
    assertThatThrownBy(() -> new JmxClient(base, LIMIT_MILLIS).query("a:*"))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(base + " cannot be reached: ");
  }

  @Test
  void create_hostWithUnderscore_isAccepted() {
    URI address = URI.create("http://data_node_1:9864");
    assertThat(new JmxClient(address, LIMIT_MILLIS).base()).isEqualTo(address);
  }

  @ParameterizedTest
  @ValueSource(strings = {"nn1:9870", "nn1", "http:///jmx", "ftp://nn1:21", ""})
  void create_notAnHttpAddress_isRefusedWithTheForm(String address) {
    assertThatThrownBy(() -> new JmxClient(URI.create(address), LIMIT_MILLIS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("'" + address + "' is not an address; write http://host:port");
  }

  @Test
  void query_redirect_isNotFollowedAndItsTargetIsNamed() {
    server.createContext(
        "/jmx",
        exchange -> {
          exchange.getResponseHeaders().add("Location", "https://other:9871/jmx");
          exchange.sendResponseHeaders(302, -1);
          exchange.close();
        });
    assertThatThrownBy(() -> new JmxClient(base, LIMIT_MILLIS).query("a:*"))
        .isInstanceOf(IOException.class)
        .hasMessage(
            base + "/jmx?qry=a%3A* answered 302 and sends on to https://other:9871/jmx; ask there");
  }

  private void answeringWithout(byte[] piece, CountDownLatch goOn) {
    server.createContext(
        "/jmx",
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          try (OutputStream out = exchange.getResponseBody()) {
            do {
              out.write(piece);
              out.flush();
            } while (!goOn.await(5, TimeUnit.MILLISECONDS));
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
  }

  @Test
  void query_answerWithoutEnd_failsAtTheSizeLimit() {
    CountDownLatch stop = new CountDownLatch(1);
    answeringWithout(new byte[8 << 20], stop);
    try {
      assertThatThrownBy(() -> new JmxClient(base, LIMIT_MILLIS).query("a:*"))
          .isInstanceOf(IOException.class)
          .hasMessage(base + "/jmx: the answer broke off: more than 67108864 bytes");
    } finally {
      stop.countDown();
    }
  }

  @Test
  void query_answerThatDrips_failsAtTheTimeLimit() {
    CountDownLatch stop = new CountDownLatch(1);
    answeringWithout(new byte[] {' '}, stop);
    try {
      assertThatThrownBy(() -> new JmxClient(base, 200).query("a:*"))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("not ended after 800 ms");
    } finally {
      stop.countDown();
    }
  }

  @Test
  void query_ipv6Address_isAskedAndNamedWithItsBrackets() {
    URI address = URI.create("http://[::1]:1"); // nobody listens there
    assertThatThrownBy(() -> new JmxClient(address, LIMIT_MILLIS).query("a:*"))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("http://[::1]:1 cannot be reached: ");
  }
}
