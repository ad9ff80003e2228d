package io.evenkeel.cli.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.evenkeel.common.http.WebClient;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A web server whose certificate only the cluster's truststore knows. */
class ClusterTrustTest {
  private final SSLSocketFactory before = HttpsURLConnection.getDefaultSSLSocketFactory();

  @TempDir private Path dir;
  private Path store;
  private HttpsServer server;

  @BeforeEach
  void serve() throws Exception {
    store = dir.resolve("store.jks");
    String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    Process made =
        new ProcessBuilder(
                keytool,
                "-genkeypair",
                "-alias",
                "a",
                "-keyalg",
                "RSA",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=dns:localhost,ip:127.0.0.1",
                "-storetype",
                "JKS",
                "-storepass",
                "secret",
                "-keypass",
                "secret",
                "-keystore",
                store.toString())
            .redirectErrorStream(true)
            .redirectOutput(dir.resolve("keytool.out").toFile())
            .start();
    assertThat(made.waitFor()).isZero();
    KeyStore keys = KeyStore.getInstance("JKS");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, "secret".toCharArray());
    }
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, "secret".toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context));
    server.createContext(
        "/conf",
        asked -> {
          asked.sendResponseHeaders(200, 2);
          asked.getResponseBody().write(new byte[] {'o', 'k'});
          asked.close();
        });
    server.start();
  }

  @AfterEach
  void restore() {
    server.stop(0);
    HttpsURLConnection.setDefaultSSLSocketFactory(before);
  }

  private void sslClient(String... keysAndValues) throws IOException {
    StringBuilder xml = new StringBuilder("<configuration>");
    for (int i = 0; i < keysAndValues.length; i += 2) {
      xml.append("<property><name>ssl.client.truststore.").append(keysAndValues[i]);
      xml.append("</name><value>").append(keysAndValues[i + 1]).append("</value></property>");
    }
    Files.writeString(dir.resolve("ssl-client.xml"), xml + "</configuration>");
  }

  private String ask() throws IOException {
    URI page = URI.create("https://localhost:" + server.getAddress().getPort());
    return new WebClient(page, 5000).get("/conf");
  }

  @Test
  void use_truststoreOfSslClient_serverIsTrusted() throws IOException {
    ClusterTrust.use(dir.toFile());
    assertThatThrownBy(this::ask).hasMessageContaining("PKIX"); // no such file yet
    sslClient("location", store.toString(), "password", "secret", "type", "jks");
    ClusterTrust.use(dir.toFile());
    assertThat(ask()).isEqualTo("ok");
  }

  @Test
  void use_noPassword_serverIsTrusted() throws IOException {
    sslClient("location", store.toString());
    ClusterTrust.use(dir.toFile());
    assertThat(ask()).isEqualTo("ok");
  }

  @Test
  void use_wrongPasswordOrNoFile_isNamed() throws IOException {
    sslClient("location", store.toString(), "password", "other");
    assertThatThrownBy(() -> ClusterTrust.use(dir.toFile()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("truststore " + store + " of ")
        .hasMessageContaining("password");
    sslClient("location", "/gone.jks");
    assertThatThrownBy(() -> ClusterTrust.use(dir.toFile())).hasMessageContaining("/gone.jks");
  }

  /** The JDK's own truststore may know the server; before, the command went on as well. */
  @Test
  void ofConf_truststoreThatCannotBeUsed_isNoReasonToEnd() throws IOException {
    sslClient("location", "/gone.jks");
    Files.writeString(
        dir.resolve("hdfs-site.xml"),
        "<configuration><property><name>dfs.http.policy</name><value>HTTPS_ONLY</value></property>"
            + "<property><name>dfs.namenode.https-address</name><value>nn1:9871</value></property>"
            + "</configuration>");
    assertThat(ClusterSource.ofConf(dir.toFile()).nameNodes())
        .containsExactly(URI.create("https://nn1:9871"));
  }
}
