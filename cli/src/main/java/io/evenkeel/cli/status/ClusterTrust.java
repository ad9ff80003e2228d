package io.evenkeel.cli.status;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Paths;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Map;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * Trusts the web servers that Hadoop's clients trust, by the truststore of {@code ssl-client.xml}.
 * Where the JVM was given one ({@code javax.net.ssl.trustStore}), that holds. Apart from {@link
 * HadoopConf}, which does nothing to this JVM. Stateless.
 */
public final class ClusterTrust {
  private static final String TRUSTSTORE = "ssl.client.truststore.";

  private ClusterTrust() {}

  /** The same where a truststore that cannot be used is told on standard error only. */
  public static void useOrWarn(File conf) {
    try {
      use(conf);
    } catch (IOException e) {
      System.err.println("evenkeel: " + e.getMessage()); // that of the JVM may know the servers
    }
  }

  /**
   * From now on, for all HTTPS connections of this JVM.
   *
   * @param conf Hadoop's configuration directory; without that file nothing changes
   * @throws IOException naming the file that cannot be used
   */
  static void use(File conf) throws IOException {
    File file = new File(conf, "ssl-client.xml");
    if (!file.isFile() || System.getProperty("javax.net.ssl.trustStore") != null) {
      return;
    }
    SiteFiles site = new SiteFiles();
    site.read(file);
    Map<String, String> keys = site.properties();
    String location = keys.getOrDefault(TRUSTSTORE + "location", "").trim();
    if (location.isEmpty()) {
      return;
    }
    String password = keys.get(TRUSTSTORE + "password"); // without it its integrity is not checked
    String type = keys.getOrDefault(TRUSTSTORE + "type", "jks").trim();
    try (InputStream in = Files.newInputStream(Paths.get(location))) {
      KeyStore trusted = KeyStore.getInstance(type);
      trusted.load(in, password == null || password.isEmpty() ? null : password.toCharArray());
      TrustManagerFactory managers =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      managers.init(trusted);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, managers.getTrustManagers(), null);
      HttpsURLConnection.setDefaultSSLSocketFactory(context.getSocketFactory());
    } catch (IOException | GeneralSecurityException | InvalidPathException e) {
      throw new IOException(
          "truststore " + location + " of " + file + " cannot be used: " + e.getMessage(), e);
    }
  }
}
