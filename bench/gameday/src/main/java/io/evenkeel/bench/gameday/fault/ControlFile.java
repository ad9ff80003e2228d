package io.evenkeel.bench.gameday.fault;

import java.util.ArrayList;
import java.util.List;

/**
 * The text by which a DataNode is told what its disks shall do: a line {@code version N}, a line
 * for each order, such as {@code ssd slow 200}, and {@code dump FILE} where a list of replicas is
 * wanted. Without orders all disks are healthy. Immutable.
 *
 * @param version grows with each change, so that whoever wrote the file can see when it is in force
 * @param orders in no particular order; several may concern one volume, and then all happen
 * @param dump absolute path of the file for the list of replicas, without spaces; empty for none
 */
public record ControlFile(long version, List<DiskOrder> orders, String dump) {
  private static final String VERSION = "version";
  private static final String DUMP = "dump";

  /** Copies the orders. */
  public ControlFile {
    orders = List.copyOf(orders);
  }

  /** As {@link #parse} reads it. */
  public String toText() {
    StringBuilder text = new StringBuilder(VERSION + " " + version + "\n");
    orders.forEach(order -> text.append(order.toLine()).append('\n'));
    return text.append(dump.isEmpty() ? "" : DUMP + " " + dump + "\n").toString();
  }

  /**
   * Reads a text; an empty one is version 0 without orders.
   *
   * @throws IllegalArgumentException when a line is none of the above, says which
   */
  public static ControlFile parse(String text) {
    long version = 0;
    String dump = "";
    List<DiskOrder> orders = new ArrayList<>();
    for (String line : text.lines().map(String::strip).filter(l -> !l.isEmpty()).toList()) {
      List<String> words = List.of(line.split("\\s+"));
      try {
        if (words.size() == 2 && words.get(0).equals(VERSION)) {
          version = Long.parseLong(words.get(1));
        } else if (words.size() == 2 && words.get(0).equals(DUMP)) {
          dump = words.get(1);
        } else {
          orders.add(DiskOrder.fromWords(words));
        }
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("'" + line + "': " + e.getMessage(), e);
      }
    }
    return new ControlFile(version, orders, dump);
  }
}
