package io.evenkeel.cli.core.history;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads values of Avro's binary encoding by the schema they were written with.
 *
 * <p>Records and maps become maps, arrays lists, enums and strings strings, whole numbers Long; a
 * union is the value of its branch. Bytes are skipped and become null; a fixed is refused, as no
 * job history has one. Separate from what events mean, which is for {@link HistoryReader}. Not
 * thread-safe.
 */
final class AvroBinary {
  /** No text of a history is as long; a longer one means that the bytes are something else. */
  private static final int LONGEST_TEXT = 64 << 20;

  private static final int MOST_ITEMS = 1 << 20;
  private static final int DEEPEST = 100;

  private final InputStream in;
  private final Object schema;
  private final Map<String, Object> named = new HashMap<>();
  private int depth;

  /**
   * Creates a reader.
   *
   * @param schema as parsed from its JSON
   */
  AvroBinary(Object schema, InputStream in) {
    this.in = in;
    this.schema = schema;
    collect(schema, "");
  }

  /** Types are used by name after their first appearance, with or without their name space. */
  private void collect(Object type, String space) {
    if (type instanceof List) {
      ((List<?>) type).forEach(branch -> collect(branch, space));
    } else if (type instanceof Map) {
      Map<?, ?> map = (Map<?, ?>) type;
      String own = map.containsKey("namespace") ? String.valueOf(map.get("namespace")) : space;
      if (map.containsKey("name") && map.containsKey("type")) {
        String name = String.valueOf(map.get("name"));
        named.putIfAbsent(name, map);
        named.putIfAbsent(own + "." + name, map);
      }
      for (String part : new String[] {"type", "items", "values"}) {
        collect(map.get(part), own);
      }
      if (map.get("fields") instanceof List) {
        for (Object field : (List<?>) map.get("fields")) {
          collect(((Map<?, ?>) field).get("type"), own);
        }
      }
    }
  }

  /**
   * The next value of the schema.
   *
   * @return null at the end of the stream
   * @throws EOFException when the stream ends inside the value
   * @throws IOException when it cannot be read or holds something else
   */
  Object next() throws IOException {
    in.mark(1);
    if (in.read() < 0) {
      return null;
    }
    in.reset();
    return read(schema);
  }

  private Object read(Object type) throws IOException {
    if (++depth > DEEPEST) {
      throw new IOException("types nest in themselves");
    }
    Object value = readInner(type);
    depth--;
    return value;
  }

  private Object readInner(Object type) throws IOException {
    if (type instanceof List) {
      return read(branch((List<?>) type, number()));
    }
    if (type instanceof Map) {
      return complex((Map<?, ?>) type);
    }
    Object known = named.get(String.valueOf(type));
    return known == null ? primitive(String.valueOf(type)) : read(known);
  }

  private static Object branch(List<?> choices, long index) throws IOException {
    if (index < 0 || index >= choices.size()) {
      throw new IOException("no branch " + index + " in a choice of " + choices.size());
    }
    return choices.get((int) index);
  }

  private Object complex(Map<?, ?> type) throws IOException {
    Object kind = type.get("type");
    if ("record".equals(kind)) {
      Map<String, Object> record = new LinkedHashMap<>();
      for (Object each : list(type, "fields")) {
        Map<?, ?> field = (Map<?, ?>) each;
        record.put(String.valueOf(field.get("name")), read(field.get("type")));
      }
      return record;
    }
    if ("enum".equals(kind)) {
      return branch(list(type, "symbols"), number());
    }
    if ("array".equals(kind)) {
      List<Object> list = new ArrayList<>();
      for (long left = block(); left > 0; left = left > 1 ? left - 1 : block()) {
        limit(list.size());
        list.add(read(type.get("items")));
      }
      return list;
    }
    if ("map".equals(kind)) {
      Map<String, Object> map = new LinkedHashMap<>();
      for (long left = block(); left > 0; left = left > 1 ? left - 1 : block()) {
        String name = text();
        limit(map.size());
        map.put(name, read(type.get("values")));
      }
      return map;
    }
    return read(kind);
  }

  private static List<?> list(Map<?, ?> type, String name) throws IOException {
    if (type.get(name) instanceof List) {
      return (List<?>) type.get(name);
    }
    throw new IOException("a type of the schema has no " + name);
  }

  /** Items may take no byte at all, so their number says nothing of the length of the file. */
  private static void limit(int items) throws IOException {
    if (items >= MOST_ITEMS) {
      throw new IOException("more than " + MOST_ITEMS + " items");
    }
  }

  /** Items of the next block of an array or map; a negative count has its size in bytes behind. */
  private long block() throws IOException {
    long count = number();
    if (count < 0) {
      number();
      return -count;
    }
    return count;
  }

  private Object primitive(String type) throws IOException {
    switch (type) {
      case "null":
        return null;
      case "boolean":
        return octet() != 0;
      case "int":
      case "long":
        return number();
      case "float":
        bytes(Float.BYTES);
        return null;
      case "double":
        bytes(Double.BYTES);
        return null;
      case "string":
        return text();
      case "bytes":
        bytes(number());
        return null;
      default:
        throw new IOException("the schema has no type " + type);
    }
  }

  private String text() throws IOException {
    return new String(bytes(number()), StandardCharsets.UTF_8);
  }

  private byte[] bytes(long length) throws IOException {
    if (length < 0 || length > LONGEST_TEXT) {
      throw new IOException("a text of " + length + " bytes");
    }
    byte[] read = new byte[(int) length];
    int at = 0;
    while (at < read.length) {
      int some = in.read(read, at, read.length - at);
      if (some < 0) {
        throw new EOFException();
      }
      at += some;
    }
    return read;
  }

  /** Seven bits a byte, the lowest first; the sign is the lowest bit. */
  private long number() throws IOException {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      int octet = octet();
      value |= (octet & 0x7FL) << shift;
      if (octet < 0x80) {
        return (value >>> 1) ^ -(value & 1);
      }
    }
    throw new IOException("a number of more than 64 bits");
  }

  private int octet() throws IOException {
    int octet = in.read();
    if (octet < 0) {
      throw new EOFException();
    }
    return octet;
  }
}
