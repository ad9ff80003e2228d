package io.evenkeel.mover.core.follow;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Segments in memory, shared by the stores of several owners; each counts its own calls. */
public final class MemoryStore implements SegmentStore {
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
  int reads;

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
      public String name() {
        return name;
      }

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
      public void publish() throws IOException {
        check();
        disk.published.put(name, segment);
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public Input open(String name) {
    Segment segment = disk.published.get(name);
    byte[] content = Arrays.copyOf(segment.bytes.toByteArray(), segment.synced);
    return new Input() {
      @Override
      public long length() {
        return content.length;
      }

      @Override
      public int read(long position, byte[] into, int offset, int length) {
        reads++;
        if (position >= content.length) {
          return -1;
        }
        int count = (int) Math.min(length, content.length - position);
        System.arraycopy(content, (int) position, into, offset, count);
        return count;
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public void setFencedAside() {
    for (String name : fenced) {
      disk.aside.put(name, disk.published.remove(name));
    }
  }

  @Override
  public void keepOnly(String name) throws IOException {
    check();
    disk.published.keySet().retainAll(List.of(name));
  }

  @Override
  public void close() {}
}
