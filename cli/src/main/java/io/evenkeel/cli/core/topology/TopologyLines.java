package io.evenkeel.cli.core.topology;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a topology from text: one DataNode per line, or what {@code hdfs dfsadmin -printTopology}
 * prints. Not thread-safe; one object reads one text.
 *
 * <p>A line is {@code NAME PATH [weight=NUMBER] [types=TYPE,TYPE]}, separated by blanks or tabs. A
 * line that is empty or begins with {@code #} says nothing.
 */
public final class TopologyLines {
  private static final List<String> TYPES =
      Arrays.asList("DISK", "SSD", "ARCHIVE", "RAM_DISK", "NVDIMM", "PROVIDED");
  private static final Pattern PRINTED = Pattern.compile("(\\S+)(?:\\s+\\((\\S+)\\))?\\s*(.*)");
  private static final String RACK = "Rack:";

  private final List<TopologyNode> nodes = new ArrayList<>();
  private final Map<String, Integer> seen = new HashMap<>();
  private String printedRack;
  private int number;

  private TopologyLines() {}

  /**
   * The DataNodes of a text, in its order.
   *
   * @throws TopologyException when a line cannot be read; the message names it
   */
  public static List<TopologyNode> parse(Iterable<String> lines) {
    TopologyLines reader = new TopologyLines();
    for (String line : lines) {
      reader.number++;
      reader.line(line);
    }
    return reader.nodes;
  }

  private void line(String line) {
    String text = line.trim();
    if (text.isEmpty() || text.startsWith("#")) {
      return;
    }
    if (text.startsWith(RACK)) {
      printedRack = path(text.substring(RACK.length()).trim());
    } else if (printedRack != null) {
      add(printed(text));
    } else {
      add(written(text));
    }
  }

  private void add(TopologyNode node) {
    Integer before = seen.putIfAbsent(node.name() + " " + node.path(), number);
    if (before != null) {
      throw failure(
          "'"
              + node.name()
              + "' is there already, in line "
              + before
              + "; give DataNodes of one host their ports");
    }
    nodes.add(node);
  }

  private TopologyNode printed(String text) {
    Matcher m = PRINTED.matcher(text);
    if (!m.matches()) {
      throw failure("no DataNode in '" + text + "'");
    }
    String address = m.group(1);
    String name = m.group(2) == null ? address : m.group(2) + port(address);
    // the state is printed since Hadoop 3.2
    boolean inService = m.group(3).isEmpty() || m.group(3).equals("In Service");
    return new TopologyNode.Builder(name, printedRack)
        .address(address)
        .inService(inService)
        .build();
  }

  private static String port(String address) {
    int colon = address.lastIndexOf(':');
    return colon < 0 ? "" : address.substring(colon);
  }

  private TopologyNode written(String text) {
    String[] words = text.split("\\s+");
    if (words.length < 2) {
      throw failure("'" + text + "' has no network location; write NAME /rack/nodegroup");
    }
    if (words[0].startsWith("/")) {
      throw failure("'" + words[0] + "' is no host name or address; write NAME /rack/nodegroup");
    }
    TopologyNode.Builder node = new TopologyNode.Builder(words[0], path(words[1]));
    for (int i = 2; i < words.length; i++) {
      int equals = words[i].indexOf('=');
      String key = equals < 0 ? words[i] : words[i].substring(0, equals);
      String value = words[i].substring(equals + 1);
      if (equals > 0 && key.equals("weight")) {
        node.weight(weight(value));
      } else if (equals > 0 && key.equals("types")) {
        node.types(types(value));
      } else {
        throw failure("'" + words[i] + "' is not known; use weight=NUMBER or types=DISK,SSD");
      }
    }
    return node.build();
  }

  private String path(String text) {
    if (!text.matches("(/[^/\\s]+)+")) {
      throw failure("'" + text + "' is no network location; write /rack or /rack/nodegroup");
    }
    return text;
  }

  private double weight(String text) {
    double weight = 0;
    try {
      weight = Double.parseDouble(text);
    } catch (NumberFormatException e) {
      weight = 0; // told below, with the text as it was given
    }
    if (!(weight > 0) || Double.isInfinite(weight)) {
      throw failure("weight=" + text + " is not allowed; use a number above 0");
    }
    return weight;
  }

  private String[] types(String text) {
    String[] types = text.toUpperCase(Locale.ROOT).split(",");
    for (String type : types) {
      if (!TYPES.contains(type)) {
        throw failure("types=" + text + " is not allowed; use some of " + String.join(",", TYPES));
      }
    }
    return types;
  }

  private TopologyException failure(String message) {
    return TopologyException.atLine(number, message);
  }
}
