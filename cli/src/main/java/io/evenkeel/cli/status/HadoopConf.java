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
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.ErrorHandler;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;

/**
 * Properties of a Hadoop configuration directory, read with the JDK's XML parser alone.
 *
 * <p>A document type declaration is refused, so no external entity is ever read; XInclude is not
 * followed. {@code ${name}} in a value is replaced by the property or system property of that name.
 * Immutable.
 */
public final class HadoopConf {
  private static final Pattern VARIABLE = Pattern.compile("\\$\\{([^}$\\s]+)}");
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
    Map<String, String> properties = new LinkedHashMap<>();
    int found = 0;
    for (String name : new String[] {"core-site.xml", "hdfs-site.xml"}) {
      File file = new File(directory, name);
      if (file.isFile()) {
        found++;
        read(file, properties);
      }
    }
    if (found == 0) {
      throw new IOException(directory + " has neither core-site.xml nor hdfs-site.xml");
    }
    return new HadoopConf(properties);
  }

  /**
   * Reads files that exist; a later one goes over an earlier one.
   *
   * @throws IOException when one cannot be read; the message names it
   */
  public static HadoopConf read(File... files) throws IOException {
    Map<String, String> properties = new LinkedHashMap<>();
    for (File file : files) {
      read(file, properties);
    }
    return new HadoopConf(properties);
  }

  /** Names of all properties that are set. */
  public Set<String> names() {
    return Collections.unmodifiableSet(properties.keySet());
  }

  /** The trimmed value, or {@code otherwise} when it is unset or empty. */
  public String get(String name, String otherwise) {
    String value = properties.get(name);
    for (int i = 0; value != null && i < MAX_SUBSTITUTIONS; i++) {
      Matcher m = VARIABLE.matcher(value);
      if (!m.find()) {
        break;
      }
      String inner = System.getProperty(m.group(1), properties.get(m.group(1)));
      if (inner == null) {
        break;
      }
      value = value.substring(0, m.start()) + inner + value.substring(m.end());
    }
    return value == null || value.trim().isEmpty() ? otherwise : value.trim();
  }

  private static void read(File file, Map<String, String> properties) throws IOException {
    try {
      Element root = builder().parse(file).getDocumentElement();
      NodeList nodes = root.getElementsByTagName("property");
      for (int i = 0; i < nodes.getLength(); i++) {
        Element property = (Element) nodes.item(i);
        String name = child(property, "name");
        if (name != null) {
          String value = child(property, "value");
          properties.put(name.trim(), value == null ? "" : value);
        }
      }
    } catch (SAXException | ParserConfigurationException e) {
      throw new IOException(file + " cannot be read: " + e.getMessage(), e);
    }
  }

  private static String child(Element property, String tag) {
    NodeList found = property.getElementsByTagName(tag);
    return found.getLength() == 0 ? null : found.item(0).getTextContent();
  }

  private static DocumentBuilder builder() throws ParserConfigurationException {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
    factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
    factory.setFeature("http://xml.org/sax/features/external-general-entities", false);
    factory.setFeature("http://xml.org/sax/features/external-parameter-entities", false);
    factory.setXIncludeAware(false);
    factory.setExpandEntityReferences(false);
    DocumentBuilder builder = factory.newDocumentBuilder();
    builder.setErrorHandler(new Silent());
    return builder;
  }

  /** The JDK's own handler prints to standard error; ours only throws. */
  private static final class Silent implements ErrorHandler {
    @Override
    public void warning(SAXParseException e) {
      // a warning does not keep the file from being read
    }

    @Override
    public void error(SAXParseException e) throws SAXException {
      throw e;
    }

    @Override
    public void fatalError(SAXParseException e) throws SAXException {
      throw e;
    }
  }

  /**
   * Web addresses of all NameNodes in the order of the configuration: of one, of the two or more of
   * high availability, or of several name services; empty when it names no NameNode.
   */
  List<URI> nameNodes() {
    boolean https = "HTTPS_ONLY".equals(get("dfs.http.policy", "HTTP_ONLY"));
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
