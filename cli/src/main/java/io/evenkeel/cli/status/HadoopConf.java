package io.evenkeel.cli.status;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Properties of a Hadoop configuration directory, without Hadoop; what stands in files is read by
 * {@link SiteFiles}. In a value {@code ${name}} is replaced by the system property or property of
 * that name, {@code ${env.NAME}} by the environment variable; Hadoop's own defaults are not known.
 * Immutable.
 */
public final class HadoopConf {
  private static final Pattern VARIABLE = Pattern.compile("\\$\\{([^}$\\s]+)}");
  private static final Pattern ENVIRONMENT = Pattern.compile("env\\.([^-]*?)(?:(:?-)(.*))?");
  private static final int MAX_SUBSTITUTIONS = 20; // as Hadoop does; ends a cycle

  private final Map<String, String> properties;

  private HadoopConf(Map<String, String> properties) {
    this.properties = properties;
  }

  /** A configuration of given properties. */
  public static HadoopConf of(Map<String, String> properties) {
    return new HadoopConf(new LinkedHashMap<>(properties));
  }

  /**
   * Reads {@code core-site.xml} and {@code hdfs-site.xml}, whichever exist.
   *
   * @throws IOException when neither exists or one cannot be read; the message names the file
   */
  public static HadoopConf load(File directory) throws IOException {
    List<File> found = new ArrayList<>();
    for (String name : new String[] {"core-site.xml", "hdfs-site.xml"}) {
      File file = new File(directory, name);
      if (file.isFile()) {
        found.add(file);
      }
    }
    if (found.isEmpty()) {
      throw new IOException(directory + " has neither core-site.xml nor hdfs-site.xml");
    }
    return read(found.toArray(new File[0]));
  }

  /**
   * Reads files that exist; a later one goes over an earlier one.
   *
   * @throws IOException when one cannot be read; the message names it
   */
  public static HadoopConf read(File... files) throws IOException {
    SiteFiles read = new SiteFiles();
    for (File file : files) {
      read.read(file);
    }
    return new HadoopConf(read.properties());
  }

  /** Names of all properties that are set. */
  public Set<String> names() {
    return Collections.unmodifiableSet(properties.keySet());
  }

  /** The trimmed value, or {@code otherwise} when it is unset or blank. */
  public String get(String name, String otherwise) {
    String value = properties.get(name);
    value = value == null ? "" : substituted(value).trim();
    return value.isEmpty() ? otherwise : value;
  }

  private String substituted(String given) {
    String value = given;
    for (int i = 0; i < MAX_SUBSTITUTIONS; i++) {
      Matcher m = VARIABLE.matcher(value);
      if (!m.find()) {
        break;
      }
      String inner = variable(m.group(1));
      if (inner == null) {
        break;
      }
      if (inner.contains(m.group())) {
        return given;
      }
      value = value.substring(0, m.start()) + inner + value.substring(m.end());
    }
    return value;
  }

  /** Null where it is not set. */
  private String variable(String name) {
    String value;
    Matcher environment = ENVIRONMENT.matcher(name);
    if (environment.matches()) {
      value = System.getenv(environment.group(1));
      String minus = environment.group(2);
      if (minus != null && (value == null || (value.isEmpty() && minus.startsWith(":")))) {
        value = environment.group(3);
      }
    } else {
      value = System.getProperty(name);
    }
    return value == null ? properties.get(name) : value;
  }

  /**
   * Web addresses of all NameNodes in the order of the configuration: of one, of the two or more of
   * high availability, or of several name services; empty when it names no NameNode.
   */
  List<URI> nameNodes() {
    boolean https = "HTTPS_ONLY".equalsIgnoreCase(get("dfs.http.policy", "HTTP_ONLY"));
    Set<URI> found = new LinkedHashSet<>();
    for (String service : list("dfs.nameservices", "")) {
      for (String nn : list("dfs.ha.namenodes" + dotted(service), "")) {
        String suffix = dotted(service) + dotted(nn);
        URI address = address(https, suffix);
        if (address != null) {
          found.add(address);
        }
      }
    }
    return new ArrayList<>(found);
  }

  private List<String> list(String name, String otherwise) {
    String value = get(name, otherwise);
    return value.isEmpty()
        ? Collections.singletonList("")
        : Arrays.asList(value.split("\\s*,\\s*"));
  }

  private static String dotted(String part) {
    return part.isEmpty() ? "" : "." + part;
  }

  private URI address(boolean https, String suffix) {
    String key = https ? "dfs.namenode.https-address" : "dfs.namenode.http-address";
    int defaultPort = https ? 9871 : 9870;
    String given = get(key + suffix, get(key, "0.0.0.0:" + defaultPort));
    int colon = given.lastIndexOf(':');
    String host = colon < 0 ? given : given.substring(0, colon);
    String port = colon < 0 ? String.valueOf(defaultPort) : given.substring(colon + 1);
    if ("0.0.0.0".equals(host) || host.isEmpty()) {
      host = rpcHost(suffix);
    }
    return host == null ? null : URI.create((https ? "https://" : "http://") + host + ":" + port);
  }

  /** The host clients use for RPC: what a bind-all web address stands for. */
  private String rpcHost(String suffix) {
    String rpc = get("dfs.namenode.rpc-address" + suffix, get("dfs.namenode.rpc-address", ""));
    if (rpc.isEmpty()) {
      String fs = get("fs.defaultFS", "");
      return fs.isEmpty() ? null : URI.create(fs).getHost();
    }
    int colon = rpc.lastIndexOf(':');
    return colon < 0 ? rpc : rpc.substring(0, colon);
  }
}
