package io.evenkeel.cli.core.topology;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Data and parity units of an erasure coding policy. Immutable. */
public final class StripedSchema {
  // before the constants that need it
  private static final Pattern FORM =
      Pattern.compile("([A-Z][A-Z0-9-]*?)-([1-9]\\d?)-([1-9]\\d?)(?:-(\\d{1,6})K)?");

  /** The schemas of the policies HDFS comes with. */
  public static final List<StripedSchema> BUILT_IN =
      Collections.unmodifiableList(
          Arrays.asList(parse("RS-3-2"), parse("RS-6-3"), parse("RS-10-4"), parse("XOR-2-1")));

  private final String name;
  private final int data;
  private final int parity;

  private final long cell;

  private StripedSchema(String name, int data, int parity, long cell) {
    this.name = name;
    this.data = data;
    this.parity = parity;
    this.cell = cell;
  }

  /**
   * A schema by the name of its policy: {@code RS-6-3} or {@code RS-6-3-1024k}.
   *
   * @throws TopologyException when it is not of that form
   */
  public static StripedSchema parse(String text) {
    Matcher m = FORM.matcher(text.trim().toUpperCase(Locale.ROOT));
    if (!m.matches()) {
      throw new TopologyException("'" + text + "' is no erasure coding schema; write RS-6-3");
    }
    int data = Integer.parseInt(m.group(2));
    int parity = Integer.parseInt(m.group(3));
    long kilobytes = m.group(4) == null ? 1024 : Math.max(1, Long.parseLong(m.group(4)));
    return new StripedSchema(m.group(1) + "-" + data + "-" + parity, data, parity, kilobytes << 10);
  }

  /** Its name without the size of a cell. */
  public String name() {
    return name;
  }

  /** Units that hold the data. */
  public int data() {
    return data;
  }

  /** Units that may be lost. */
  public int parity() {
    return parity;
  }

  /** Size of a cell in bytes; 1 MiB when the name does not say it. */
  public long cell() {
    return cell;
  }

  /** All units of a group. */
  public int units() {
    return data + parity;
  }

  /** The fewest units that some host must hold when a group is spread over that many hosts. */
  public int mostOnOneHost(int hosts) {
    return hosts == 0 ? units() : (units() + hosts - 1) / hosts;
  }
}
