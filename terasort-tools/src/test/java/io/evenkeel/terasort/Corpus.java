package io.evenkeel.terasort;

import io.evenkeel.terasort.Damage.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;

/**
 * Data sets damaged in every way we could think of, and some that only look damaged. All are made
 * of seeded random records, so that they are the same in each run.
 *
 * <p>The base is 3 files of 16 records. Blocks of 256 bytes cut records 2, 5, 7, 10, 12 and 15 of a
 * file, those of 37 bytes cut every record more than once.
 */
final class Corpus {
  private static final int PER_FILE = 16;
  private static final int FILES = 3;
  private static final long SEED = 20;

  private final List<Damage> cases = new ArrayList<>();

  private Corpus() {}

  static List<Damage> all() {
    Corpus corpus = new Corpus();
    corpus.sound();
    corpus.misordered();
    corpus.betweenPartitions();
    corpus.keysAndTies();
    corpus.lengths();
    corpus.namesAndNumbers();
    corpus.onlyTheSumTells();
    corpus.refused();
    return corpus.cases;
  }

  private void add(String name, Verdict verdict, List<Source> sources) {
    add(name, verdict, sources, sources(base()));
  }

  private void add(String name, Verdict verdict, List<Source> sources, List<Source> good) {
    cases.add(new Damage(name, "", List.of(), sources, good, verdict));
  }

  private static List<byte[]> base() {
    return DataSets.sorted(PER_FILE * FILES, SEED);
  }

  private static List<Source> sources(List<byte[]> records) {
    return sources(records, "part-r-%05d", 0);
  }

  private static List<Source> sources(List<byte[]> records, String format, int first) {
    List<Source> sources = new ArrayList<>();
    for (int i = 0; i < FILES; i++) {
      int from = records.size() * i / FILES;
      int to = records.size() * (i + 1) / FILES;
      sources.add(source(String.format(format, first + i), records.subList(from, to)));
    }
    return sources;
  }

  private static Source source(String path, List<byte[]> records) {
    byte[] bytes = new byte[records.size() * 100];
    for (int i = 0; i < records.size(); i++) {
      System.arraycopy(records.get(i), 0, bytes, i * 100, 100);
    }
    return new Source(path, bytes);
  }

  /** The base with its records changed, in files of the base's sizes where the count is kept. */
  private static List<Source> changed(Consumer<List<byte[]>> change) {
    List<byte[]> records = base();
    change.accept(records);
    return sources(records);
  }

  /** The base with the bytes of one file changed. */
  private static List<Source> bytes(int file, java.util.function.UnaryOperator<byte[]> change) {
    List<Source> sources = sources(base());
    Source old = sources.get(file);
    sources.set(file, new Source(old.path(), change.apply(old.bytes().clone())));
    return sources;
  }

  private static List<Source> renamed(String... paths) {
    List<Source> sources = sources(base());
    for (int i = 0; i < paths.length; i++) {
      sources.set(i, new Source(paths[i], sources.get(i).bytes()));
    }
    return sources;
  }

  private static byte[] with(byte[] bytes, int at, int xor) {
    bytes[at] ^= (byte) xor;
    return bytes;
  }

  private static List<Source> plus(List<Source> sources, Source... more) {
    List<Source> all = new ArrayList<>(sources);
    all.addAll(List.of(more));
    return all;
  }

  private static Source empty(String path) {
    return new Source(path, new byte[0]);
  }

  private void sound() {
    add("nothing wrong", Verdict.VALID, sources(base()));
    add(
        "empty file behind the others",
        Verdict.VALID,
        plus(sources(base()), empty("part-r-00003")));
    add(
        "empty files before and between",
        Verdict.VALID,
        plus(
            renamed("part-r-00001", "part-r-00003", "part-r-00004"),
            empty("part-r-00000"),
            empty("part-r-00002")));
    add(
        "hidden files with rubbish",
        Verdict.VALID,
        plus(
            sources(base()),
            empty("_SUCCESS"),
            new Source("_partition.lst", new byte[33]),
            new Source(".part-r-00009", new byte[250])));
    add("part-m names", Verdict.VALID, sources(base(), "part-m-%05d", 0));
    add("names of the old API", Verdict.VALID, sources(base(), "part-%05d", 0));
    add("names that are none of ours", Verdict.VALID, renamed("a.dat", "b-c", "b"));
    List<Source> single = List.of(source("part-r-00000", base().subList(0, 1)));
    add("a single record", Verdict.VALID, single, single);
  }

  private void misordered() {
    int[][] pairs = {{1, 2}, {2, 3}, {4, 5}, {8, 9}, {0, 1}, {14, 15}, {17, 29}, {3, 12}};
    for (int[] pair : pairs) {
      add(
          "records " + pair[0] + " and " + pair[1] + " swapped",
          Verdict.INVALID,
          changed(records -> Collections.swap(records, pair[0], pair[1])));
    }
    add(
        "overlapping swaps over a block's edge",
        Verdict.INVALID,
        changed(
            records -> {
              Collections.swap(records, 1, 2);
              Collections.swap(records, 2, 3);
              Collections.swap(records, 1, 4);
            }));
    add(
        "first record of a file moved to its end",
        Verdict.INVALID,
        changed(records -> Collections.rotate(records.subList(16, 32), -1)));
    add(
        "last record of a file moved to its start",
        Verdict.INVALID,
        changed(records -> Collections.rotate(records.subList(16, 32), 1)));
    add(
        "a file reversed",
        Verdict.INVALID,
        changed(records -> Collections.reverse(records.subList(16, 32))));
    add("all reversed", Verdict.INVALID, changed(Collections::reverse));
    add(
        "random order",
        Verdict.INVALID,
        changed(records -> Collections.shuffle(records, new java.util.Random(3))));
    for (int record : new int[] {0, 2, 9, 15}) {
      add(
          "top bit of key " + record + " flipped",
          Verdict.INVALID,
          bytes(1, file -> with(file, record * 100, 0x80)));
    }
    add(
        "a block of zeros",
        Verdict.INVALID,
        bytes(
            1,
            file -> {
              Arrays.fill(file, 512, 768, (byte) 0);
              return file;
            }));
    add(
        "a byte lost and one too many later",
        Verdict.INVALID,
        bytes(
            1,
            file -> {
              System.arraycopy(file, 251, file, 250, 1000);
              return file;
            }));
    add(
        "a record of low bytes at the end",
        Verdict.INVALID,
        changed(records -> records.add(new byte[100])));
    add(
        "a record of high bytes at the start",
        Verdict.INVALID,
        changed(
            records -> {
              byte[] high = new byte[100];
              Arrays.fill(high, (byte) 0xff);
              records.add(0, high);
            }));
  }

  private void betweenPartitions() {
    add(
        "last and first record of neighbours swapped",
        Verdict.INVALID,
        changed(records -> Collections.swap(records, 15, 16)));
    add(
        "two files exchanged",
        Verdict.INVALID,
        renamed("part-r-00001", "part-r-00000", "part-r-00002"));
    add(
        "files in falling order",
        Verdict.INVALID,
        renamed("part-r-00002", "part-r-00001", "part-r-00000"));
    add(
        "files in falling order, an empty one between",
        Verdict.INVALID,
        plus(renamed("part-r-00003", "part-r-00002", "part-r-00000"), empty("part-r-00001")));
    add(
        "files of one record in falling order",
        Verdict.INVALID,
        List.of(
            source("part-r-00000", base().subList(1, 2)),
            source("part-r-00001", base().subList(0, 1))),
        sources(base().subList(0, 2)));
    add(
        "a file's records begin below its neighbour's end",
        Verdict.INVALID,
        changed(
            records -> {
              byte[] first = records.get(16).clone();
              System.arraycopy(records.get(15), 0, first, 0, 10);
              first[9]--;
              assertLower(first, records.get(15));
              records.set(16, first);
            }));
    add("names out of order", Verdict.INVALID, renamed("c", "b", "a"));
  }

  private static void assertLower(byte[] lower, byte[] higher) {
    if (Arrays.compareUnsigned(lower, 0, 10, higher, 0, 10) >= 0) {
      throw new IllegalStateException("another seed is needed");
    }
  }

  /** Records with these keys (as hex digits) and values of their own. */
  private static List<byte[]> keys(String... keys) {
    List<byte[]> records = DataSets.sorted(keys.length, 5);
    for (int i = 0; i < keys.length; i++) {
      for (int at = 0; at < 10; at++) {
        int digits = Integer.parseInt(keys[i].substring(2 * at, 2 * at + 2), 16);
        records.get(i)[at] = (byte) digits;
      }
    }
    return records;
  }

  private void keysAndTies() {
    String low = "00112233445566770000";
    String same = "00112233445566778899";
    String lower = "00112233445566778898";
    String ninth = "00112233445566777f99";
    String tenth = "0011223344556677887f";
    String tenthUnsigned = "00112233445566778880";
    String top = "7fffffffffffffffffff";
    String bottom = "80000000000000000000";
    List<Source> ties = sources(keys(same, same, same, same, same, same, same, same, same));
    add("nothing but ties", Verdict.VALID, ties, ties);
    List<Source> unsigned =
        sources(keys(low, ninth, tenth, tenthUnsigned, same, top, bottom, bottom, bottom));
    add("keys rise as unsigned bytes", Verdict.VALID, unsigned, unsigned);
    List<Source> signed =
        sources(keys(bottom, bottom, bottom, low, ninth, tenth, tenthUnsigned, same, top));
    add("keys rise as signed bytes only", Verdict.INVALID, signed, unsigned);
    List<Source> inFile = sources(keys(low, bottom, top, bottom, bottom, top, bottom, top, top));
    add("signed order within files", Verdict.INVALID, inFile, inFile);
    List<Source> lowBytes =
        sources(keys(low, same, ninth, same, same, lower, same, tenthUnsigned, tenth));
    add("only the last two key bytes fall", Verdict.INVALID, lowBytes, lowBytes);
    List<byte[]> tied = base();
    tied.set(7, tied.get(6).clone());
    tied.get(7)[50]++;
    List<Source> tiedGood = sources(tied);
    Collections.swap(tied, 6, 7);
    add("records of one key swapped", Verdict.VALID, sources(tied), tiedGood);
  }

  private void lengths() {
    for (int cut : new int[] {1, 44, 99}) {
      add(
          cut + " bytes cut from the last file",
          Verdict.INVALID,
          bytes(2, file -> Arrays.copyOf(file, file.length - cut)));
    }
    add(
        "a file cut in the middle",
        Verdict.INVALID,
        bytes(1, file -> Arrays.copyOf(file, 6 * 100 + 30)));
    add("a file of 99 bytes", Verdict.INVALID, bytes(0, file -> Arrays.copyOf(file, 99)));
    add("one byte too many", Verdict.INVALID, bytes(0, file -> Arrays.copyOf(file, 1601)));
    add(
        "one byte lost inside",
        Verdict.INVALID,
        bytes(
            1,
            file -> {
              System.arraycopy(file, 701, file, 700, 899);
              return Arrays.copyOf(file, 1599);
            }));
  }

  private void namesAndNumbers() {
    add("first partition missing", Verdict.INVALID, sources(base()).subList(1, 3));
    List<Source> middle = sources(base());
    middle.remove(1);
    add("partition in the middle missing", Verdict.INVALID, middle);
    add(
        "many partitions missing",
        Verdict.INVALID,
        renamed("part-r-00000", "part-r-00007", "part-r-70000"));
    add(
        "one number as map's and as reduce's",
        Verdict.INVALID,
        renamed("part-m-00000", "part-m-00001", "part-r-00001"));
    add(
        "reduce's numbers again after map's",
        Verdict.INVALID,
        renamed("part-m-00000", "part-m-00001", "part-r-00000"));
    add(
        "map's number after reduce's",
        Verdict.INVALID,
        renamed("part-r-00000", "part-r-00001", "part-m-00002"));
    add(
        "one number with and without zeros",
        Verdict.INVALID,
        renamed("part-r-00000", "part-r-00001", "part-r-1"));
    Damage over =
        new Damage(
            "numbers beyond 99999",
            "part-*",
            List.of(),
            renamed("part-r-99998", "part-r-99999", "part-r-100000"),
            sources(base()),
            Verdict.VALID);
    cases.add(over);
    cases.add(
        new Damage(
            "numbers beyond 99999 in stock's order",
            over.input(),
            List.of(),
            renamed("part-r-100000", "part-r-99998", "part-r-99999"),
            sources(base()),
            Verdict.INVALID));
    List<String> recursive =
        List.of("-D", "mapreduce.input.fileinputformat.input.dir.recursive=true");
    cases.add(
        new Damage(
            "one name in two directories",
            "",
            recursive,
            renamed("x/part-r-00000", "x/part-r-00001", "y/part-r-00001"),
            sources(base()),
            Verdict.INVALID));
    cases.add(
        new Damage(
            "two directories",
            "{x,y}",
            List.of(),
            renamed("x/part-r-00000", "y/part-r-00001", "y/part-r-00002"),
            sources(base()),
            Verdict.VALID));
    cases.add(
        new Damage(
            "some files of a directory",
            "part-r-0000[12]",
            List.of(),
            sources(base()),
            sources(base()).subList(1, 3),
            Verdict.VALID));
  }

  private void onlyTheSumTells() {
    for (int lost : new int[] {0, 2, 9, 47}) {
      add("record " + lost + " lost", Verdict.UNEXPECTED, changed(records -> records.remove(lost)));
    }
    add(
        "a range of records lost",
        Verdict.UNEXPECTED,
        changed(records -> records.subList(18, 31).clear()));
    add("a record twice", Verdict.UNEXPECTED, changed(records -> records.add(10, records.get(10))));
    add(
        "a record replaced by its neighbour",
        Verdict.UNEXPECTED,
        changed(records -> records.set(10, records.get(11))));
    add(
        "a foreign record in its place",
        Verdict.UNEXPECTED,
        changed(
            records -> {
              byte[] foreign = records.get(20).clone();
              foreign[60] ^= 0x55;
              records.add(20, foreign);
            }));
    for (int at : new int[] {10, 99, 255, 256, 1055}) {
      add("value byte " + at + " flipped", Verdict.UNEXPECTED, bytes(1, file -> with(file, at, 1)));
    }
    add(
        "a key changed within its bounds",
        Verdict.UNEXPECTED,
        bytes(1, file -> with(file, 5 * 100 + 9, 1)));
    add(
        "two values exchanged",
        Verdict.UNEXPECTED,
        changed(
            records -> {
              byte[] value = Arrays.copyOfRange(records.get(5), 10, 100);
              System.arraycopy(records.get(6), 10, records.get(5), 10, 90);
              System.arraycopy(value, 0, records.get(6), 10, 90);
            }));
    add("last partition missing", Verdict.UNEXPECTED, sources(base()).subList(0, 2));
    add("last file empty", Verdict.UNEXPECTED, bytes(2, file -> new byte[0]));
    add("all files empty", Verdict.UNEXPECTED, sources(List.of()));
  }

  private void refused() {
    add(
        "a compressed name",
        Verdict.REFUSED,
        renamed("part-r-00000", "part-r-00001.gz", "part-r-00002"));
    add("a directory inside", Verdict.REFUSED, renamed("part-r-00000", "sub/part-r-00001"));
    add("no file at all", Verdict.REFUSED, List.of());
    add("hidden files only", Verdict.REFUSED, List.of(empty("_SUCCESS"), empty(".x")));
  }
}
