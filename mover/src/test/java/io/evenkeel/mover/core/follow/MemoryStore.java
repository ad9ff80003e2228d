package io.evenkeel.mover.core.follow;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Segments in memory, shared by the stores of several owners; each counts its own calls. */
public class MemoryStore implements SegmentStore {
  /** What all owners see. */
  public static final class Disk {
    final Map<String, Segment> published = new TreeMap<>();
    final Map<String, Segment> aside = new TreeMap<>();
    int owner;
    int names;
  }

  /** Bytes of one segment. */
  static final class Segment {
    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int synced;

    Segment() {}

    /** As it would look after a crash that kept only the first bytes. */
    static Segment of(byte[] content, int length) {
      Segment segment = new Segment();
      segment.bytes.write(content, 0, length);
      segment.synced = length;
      return segment;
    }
  }

  private final Disk disk;
  private int self = -1;
  private List<String> fenced = List.of();
  int syncs;

  public MemoryStore(Disk disk) {
    this.disk = disk;
  }

  private void check() throws IOException {
    if (self != disk.owner) {
      throw new IOException("fenced");
    }
  }

  @Override
  public List<String> fence() {
    self = ++disk.owner;
    fenced = new ArrayList<>(disk.published.keySet());
    return fenced;
  }

  @Override
  public Output create() throws IOException {
    check();
    String name = String.format("%08d", ++disk.names);
    Segment segment = new Segment();
    return new Output() {
      @Override
      public void write(byte[] bytes) throws IOException {
        check();
        segment.bytes.write(bytes);
      }

      @Override
      public void sync() throws IOException {
        check();
        syncs++;
        segment.synced = segment.bytes.size();
      }

      @Override
      public void publish(boolean keepFenced) throws IOException {
        check();
        disk.published.put(name, segment);
        for (String former : fenced) {
          Segment found = disk.published.remove(former);
          if (keepFenced) {
            disk.aside.put(former, found);
          }
        }
        fenced = List.of();
        disk.published.keySet().retainAll(List.of(name));
      }
    };
  }

  @Override
  public void close() {}

  @Override
  public InputStream open(String name) {
    Segment segment = disk.published.get(name);
    return new ByteArrayInputStream(segment.bytes.toByteArray(), 0, segment.synced);
  }
}
