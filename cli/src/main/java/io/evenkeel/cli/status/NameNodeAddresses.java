package io.evenkeel.cli.status;

import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Web addresses of all NameNodes of a configuration: one, the two or more of high availability, or
 * those of several name services. Stateless.
 */
final class NameNodeAddresses {
  private NameNodeAddresses() {}

  /** The addresses in the order of the configuration; empty when it names no NameNode. */
  static List<URI> of(HadoopConf conf) {
    boolean https = "HTTPS_ONLY".equals(conf.get("dfs.http.policy", "HTTP_ONLY"));
    Set<URI> found = new LinkedHashSet<>();
    for (String service : list(conf, "dfs.nameservices", "")) {
      for (String nn : list(conf, "dfs.ha.namenodes" + dotted(service), "")) {
        String suffix = dotted(service) + dotted(nn);
        URI address = address(conf, https, suffix);
        if (address != null) {
          found.add(address);
        }
      }
    }
    return new ArrayList<>(found);
  }

  private static List<String> list(HadoopConf conf, String name, String otherwise) {
    String value = conf.get(name, otherwise);
    return value.isEmpty()
        ? Collections.singletonList("")
        : Arrays.asList(value.split("\\s*,\\s*"));
  }

  private static String dotted(String part) {
    return part.isEmpty() ? "" : "." + part;
  }

  private static URI address(HadoopConf conf, boolean https, String suffix) {
    String key = https ? "dfs.namenode.https-address" : "dfs.namenode.http-address";
    int defaultPort = https ? 9871 : 9870;
    String given = conf.get(key + suffix, conf.get(key, "0.0.0.0:" + defaultPort));
    int colon = given.lastIndexOf(':');
    String host = colon < 0 ? given : given.substring(0, colon);
    String port = colon < 0 ? String.valueOf(defaultPort) : given.substring(colon + 1);
    if ("0.0.0.0".equals(host) || host.isEmpty()) {
      host = rpcHost(conf, suffix);
    }
    return host == null ? null : URI.create((https ? "https://" : "http://") + host + ":" + port);
  }

  /** The host clients use for RPC: what a bind-all web address stands for. */
  private static String rpcHost(HadoopConf conf, String suffix) {
    String rpc =
        conf.get("dfs.namenode.rpc-address" + suffix, conf.get("dfs.namenode.rpc-address", ""));
    if (rpc.isEmpty()) {
      String fs = conf.get("fs.defaultFS", "");
      return fs.isEmpty() ? null : URI.create(fs).getHost();
    }
    int colon = rpc.lastIndexOf(':');
    return colon < 0 ? rpc : rpc.substring(0, colon);
  }
}
