package io.evenkeel.bench.cluster;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** Hadoop's configuration files as text. Pure; thread-safe. */
final class SiteXml {
  private SiteXml() {}

  /** Spreads keys over the files in which Hadoop looks for them; file name to its keys. */
  static Map<String, Map<String, String>> byFile(Map<String, String> keys) {
    Map<String, Map<String, String>> files = new LinkedHashMap<>();
    for (String file : new String[] {"core", "hdfs", "mapred", "yarn"}) {
      files.put(file + "-site.xml", new TreeMap<>());
    }
    keys.forEach((key, value) -> files.get(file(key)).put(key, value));
    return files;
  }

  private static String file(String key) {
    if (key.startsWith("dfs.")) {
      return "hdfs-site.xml";
    }
    if (key.startsWith("yarn.") && !key.startsWith("yarn.app.mapreduce.")) {
      return "yarn-site.xml";
    }
    // Keys of our own stay in core-site.xml, which every process reads.
    return key.startsWith("mapreduce.") || key.startsWith("yarn.app.mapreduce.")
        ? "mapred-site.xml"
        : "core-site.xml";
  }

  /** One file. */
  static String text(Map<String, String> keys) {
    StringBuilder xml = new StringBuilder("<?xml version=\"1.0\"?>\n<configuration>\n");
    keys.forEach((key, value) -> xml.append(property(escape(key), escape(value))));
    return xml.append("</configuration>\n").toString();
  }

  private static String property(String key, String value) {
    // An empty element would leave the key unset; only the other form can say "empty".
    return value.isEmpty()
        ? "  <property name=\"" + key.replace("\"", "&quot;") + "\" value=\"\"/>\n"
        : "  <property><name>" + key + "</name><value>" + value + "</value></property>\n";
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
