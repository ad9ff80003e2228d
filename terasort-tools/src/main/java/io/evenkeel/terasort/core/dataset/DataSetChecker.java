package io.evenkeel.terasort.core.dataset;

import io.evenkeel.terasort.core.record.Fragment;
import io.evenkeel.terasort.core.record.Records;
import io.evenkeel.terasort.core.record.Sum128;
import java.util.Iterator;
import java.util.function.Consumer;

/**
 * Walks the listed files and their fragments together: stitches each file, proves that every listed
 * byte was read once, and compares the edges of neighbouring partitions.
 *
 * <p>It keeps one fragment and one key, however many there are; what is wrong it hands on at once.
 * Pure, and so apart from {@code ValidateReducer}, which gives it what the maps wrote. Confined to
 * one thread.
 */
public final class DataSetChecker {
  private final Iterator<InputFile> listing;
  private final Consumer<Violation> violations;
  private final Consumer<Partition> partitions;
  private int position = -1;
  private InputFile file;
  private Fragment whole;

  private String lastEdge;
  private byte[] lastKey;
  private long records;
  private long bytes;
  private Sum128 sum = Sum128.ZERO;

  /**
   * Starts before the first file.
   *
   * @param listing all files in partition order
   * @param violations takes what is wrong, in the order in which it is found
   * @param partitions takes each file when all of it was seen
   */
  public DataSetChecker(
      Iterator<InputFile> listing, Consumer<Violation> violations, Consumer<Partition> partitions) {
    this.listing = listing;
    this.violations = violations;
    this.partitions = partitions;
  }

  /**
   * Takes the next fragment; they come sorted by position, then by offset.
   *
   * @param at position of its file in the listing, from 0
   * @throws NotReadException when bytes in front of it were not read, or were read twice
   */
  public void add(int at, Fragment fragment) throws NotReadException {
    while (position < at) {
      nextFile();
    }
    if (position > at || fragment.start() != whole.end()) {
      throw new NotReadException(file, whole.end(), fragment.start());
    }
    InputFile current = file;
    whole =
        whole.join(
            fragment, (offset, a, b) -> violations.accept(Violation.misorder(current, a, b)));
  }

  /**
   * Ends the last file and checks that none was left out.
   *
   * @throws NotReadException when bytes of the listing were not read
   */
  public void finish() throws NotReadException {
    while (listing.hasNext()) {
      nextFile();
    }
    endFile();
  }

  private void nextFile() throws NotReadException {
    endFile();
    if (!listing.hasNext()) {
      throw new IllegalArgumentException("no file at position " + (position + 1));
    }
    file = listing.next();
    position++;
    whole = Fragment.empty(0);
  }

  private void endFile() throws NotReadException {
    if (file == null) {
      return;
    }
    if (whole.end() != file.length()) {
      throw new NotReadException(file, whole.end(), file.length());
    }
    if (whole.tail().length > 0) {
      violations.accept(Violation.truncated(file, whole.tail().length));
    }
    if (whole.records() > 0) {
      edge(file.name() + ":begin", whole.firstKey());
      edge(file.name() + ":end", whole.lastKey());
    }
    records += whole.records();
    bytes += file.length();
    sum = sum.plus(whole.sum());
    partitions.accept(new Partition(file, whole));
    file = null;
  }

  /** Stock compares each edge with the one before it, the two of one file as well. */
  private void edge(String name, byte[] key) {
    if (lastKey != null && Records.before(key, lastKey)) {
      violations.accept(Violation.partitioning(lastEdge, lastKey, name, key));
    }
    lastEdge = name;
    lastKey = key;
  }

  /** Whole records of the files that ended. */
  public long records() {
    return records;
  }

  /** Bytes of the files that ended. */
  public long bytes() {
    return bytes;
  }

  /** Checksum of the files that ended. */
  public Sum128 sum() {
    return sum;
  }

  /** Files that were begun. */
  public int files() {
    return position + 1;
  }
}
