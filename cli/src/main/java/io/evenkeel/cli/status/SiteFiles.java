package io.evenkeel.cli.status;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.ErrorHandler;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;

/**
 * Reads Hadoop's configuration files one after the other with the JDK's XML parser alone, and
 * decides as Hadoop does what is in force: included files, final properties, properties without a
 * value, which count for nothing, and former names. A document type declaration is refused, so no
 * external entity is ever read; nothing is included over the network. Apart from {@link
 * HadoopConf}, which is immutable and knows what values mean. Not thread-safe.
 */
final class SiteFiles {
  private static final int MOST_NESTED = 50; // ends a circle, of which Hadoop dies

  /** Former names of what is asked for here; Hadoop puts the new one in their place. */
  private static final Map<String, String> FORMER = new HashMap<>();

  static {
    FORMER.put("topology.script.file.name", "net.topology.script.file.name");
    FORMER.put("topology.node.switch.mapping.impl", "net.topology.node.switch.mapping.impl");
    FORMER.put("dfs.http.address", "dfs.namenode.http-address");
    FORMER.put("dfs.https.address", "dfs.namenode.https-address");
    FORMER.put("dfs.federation.nameservices", "dfs.nameservices");
    FORMER.put("dfs.data.dir", "dfs.datanode.data.dir");
    FORMER.put("fs.default.name", "fs.defaultFS");
  }

  private final Map<String, String> properties = new LinkedHashMap<>();
  private final Set<String> fixed = new HashSet<>();

  /** What was read, by name. */
  Map<String, String> properties() {
    return Collections.unmodifiableMap(properties);
  }

  /**
   * Reads a file over what was read before.
   *
   * @throws IOException when it or one that it includes cannot be read; the message names it
   */
  void read(File file) throws IOException {
    read(file, file, 0);
  }

  private void read(File file, File first, int nested) throws IOException {
    if (nested > MOST_NESTED) {
      throw new IOException(file + " cannot be read: it includes itself");
    }
    try {
      inside(builder().parse(file).getDocumentElement(), file, first, nested);
    } catch (SAXException | ParserConfigurationException e) {
      throw new IOException(file + " cannot be read: " + e.getMessage(), e);
    }
  }

  private void inside(Element parent, File file, File first, int nested) throws IOException {
    for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (!(node instanceof Element)) {
        continue;
      }
      Element element = (Element) node;
      if ("property".equals(tag(element))) {
        property(element);
      } else if ("include".equals(tag(element))) {
        include(element, file, first, nested);
      } else {
        inside(element, file, first, nested);
      }
    }
  }

  /** Its name without the prefix of a name space. */
  private static String tag(Element element) {
    String name = element.getNodeName();
    return name.substring(name.indexOf(':') + 1);
  }

  private void property(Element property) {
    String name = part(property, "name");
    if (name == null) {
      return;
    }
    String now = FORMER.getOrDefault(name.trim(), name.trim());
    String value = part(property, "value");
    if (value != null && !fixed.contains(now)) {
      properties.put(now, value);
    }
    if ("true".equals(part(property, "final"))) {
      fixed.add(now);
    }
  }

  /** Null where it is not there or empty. */
  private static String part(Element property, String tag) {
    String text = property.getAttribute(tag);
    for (Node node = property.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element && tag.equals(tag((Element) node))) {
        String given = node.getTextContent();
        text = given.isEmpty() ? text : given;
      }
    }
    return text.isEmpty() ? null : text;
  }

  private void include(Element include, File file, File first, int nested) throws IOException {
    String href = include.getAttribute("href");
    File included = href.isEmpty() ? null : included(href, file, first);
    if (included != null) {
      read(included, first, nested + 1);
      return;
    }
    boolean fallback = false;
    for (Node node = include.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element && "fallback".equals(tag((Element) node))) {
        fallback = true;
        inside((Element) node, file, first, nested);
      }
    }
    if (!fallback && !href.isEmpty()) {
      throw new IOException(file + " includes " + href + ", which is not there");
    }
  }

  /** Null where it is not there. */
  private static File included(String href, File file, File first) throws IOException {
    if (href.startsWith("http:") || href.startsWith("https:")) {
      throw new IOException(file + " includes " + href + ", which is not read over the network");
    }
    File named = new File(href);
    if (href.startsWith("file:")) {
      try {
        named = new File(URI.create(href));
      } catch (IllegalArgumentException e) {
        throw new IOException(file + " includes " + href + ": " + e.getMessage(), e);
      }
    }
    File[] places = {
      named, // where it is absolute
      new File(first.getAbsoluteFile().getParentFile(), href), // the class path has this directory
      new File(file.getAbsoluteFile().getParentFile(), href)
    };
    for (File place : places) {
      if (place.isAbsolute() && place.isFile()) {
        return place;
      }
    }
    return null;
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
}
