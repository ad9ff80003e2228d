package io.evenkeel.terasort.core.split;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.RandomAccess;

/**
 * Many ranges in columns, about 36 bytes for a range with three hosts; as objects they take ten
 * times that. A {@link Range} is made when it is asked for. Grows at its end only; not thread-safe.
 */
public final class RangeTable extends AbstractList<Range> implements RandomAccess {
  private final List<String> names = new ArrayList<>();
  private final Map<String, Integer> numbers = new HashMap<>();
  private int[] files = new int[16];
  private long[] starts = new long[16];
  private long[] lengths = new long[16];
  private int[] ends = new int[16];
  private int[] hosts = new int[48];
  private int size;

  /** A table without ranges. */
  public RangeTable() {}

  /** These ranges: the same object where they are a table already. */
  public static RangeTable of(List<Range> ranges) {
    if (ranges instanceof RangeTable) {
      return (RangeTable) ranges;
    }
    RangeTable table = new RangeTable();
    ranges.forEach(table::add);
    return table;
  }

  @Override
  public boolean add(Range range) {
    add(range.file(), range.start(), range.length(), range.hosts());
    return true;
  }

  /** Adds a range; what it means stands at {@link Range}. */
  public void add(int file, long start, long length, List<String> replicas) {
    Range.check(start, length);
    if (size == files.length) {
      int more = size + (size >> 1);
      files = Arrays.copyOf(files, more);
      starts = Arrays.copyOf(starts, more);
      lengths = Arrays.copyOf(lengths, more);
      ends = Arrays.copyOf(ends, more);
    }
    int end = begin(size);
    if (end + replicas.size() > hosts.length) {
      hosts = Arrays.copyOf(hosts, hosts.length + (hosts.length >> 1) + replicas.size());
    }
    for (String host : replicas) {
      int number = number(host);
      if (!contains(begin(size), end, number)) {
        hosts[end++] = number;
      }
    }
    files[size] = file;
    starts[size] = start;
    lengths[size] = length;
    ends[size++] = end;
  }

  private boolean contains(int from, int to, int number) {
    for (int i = from; i < to; i++) {
      if (hosts[i] == number) {
        return true;
      }
    }
    return false;
  }

  private int number(String host) {
    Integer known = numbers.get(host);
    if (known != null) {
      return known;
    }
    numbers.put(host, names.size());
    names.add(host);
    return names.size() - 1;
  }

  /** Where the hosts of a range begin. */
  private int begin(int index) {
    return index == 0 ? 0 : ends[index - 1];
  }

  @Override
  public Range get(int index) {
    if (index < 0 || index >= size) {
      throw new IndexOutOfBoundsException(index + " of " + size);
    }
    return new Range(files[index], starts[index], lengths[index], new Hosts(this, index));
  }

  @Override
  public int size() {
    return size;
  }

  /** The hosts of one range. */
  static final class Hosts extends AbstractList<String> implements RandomAccess {
    private final RangeTable table;
    private final int range;

    private Hosts(RangeTable table, int range) {
      this.table = table;
      this.range = range;
    }

    @Override
    public String get(int index) {
      if (index < 0 || index >= size()) {
        throw new IndexOutOfBoundsException(index + " of " + size());
      }
      return table.names.get(table.hosts[table.begin(range) + index]);
    }

    @Override
    public int size() {
      return table.ends[range] - table.begin(range);
    }
  }
}
