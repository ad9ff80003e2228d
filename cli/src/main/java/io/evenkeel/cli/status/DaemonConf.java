package io.evenkeel.cli.status;

import io.evenkeel.common.http.WebClient;
import io.evenkeel.common.json.Json;
import java.io.IOException;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The configuration a daemon runs with, as its {@code /conf} servlet shows it. Stateless. */
public final class DaemonConf {
  private DaemonConf() {}

  /**
   * All keys with their values, trimmed.
   *
   * @throws IOException when it is not shown, as where an administrator must ask
   */
  public static Map<String, String> read(URI daemon, int timeoutMillis) throws IOException {
    // Hadoop 2 goes by the query, Hadoop 3 by the header
    String text = new WebClient(daemon, timeoutMillis).json("/conf?format=json");
    Object document;
    try {
      document = Json.parse(text);
    } catch (IllegalArgumentException e) {
      throw new IOException(daemon + "/conf did not answer with JSON", e);
    }
    Object properties = document instanceof Map ? ((Map<?, ?>) document).get("properties") : null;
    if (!(properties instanceof List)) {
      throw new IOException(daemon + "/conf did not answer with properties");
    }
    Map<String, String> conf = new LinkedHashMap<>();
    for (Object each : (List<?>) properties) {
      if (each instanceof Map) {
        Map<?, ?> property = (Map<?, ?>) each;
        conf.put(String.valueOf(property.get("key")), String.valueOf(property.get("value")).trim());
      }
    }
    return conf;
  }
}
