package io.evenkeel.terasort;

import io.evenkeel.terasort.core.dataset.DataSetChecker;
import io.evenkeel.terasort.core.dataset.Expectation;
import io.evenkeel.terasort.core.dataset.InputFile;
import io.evenkeel.terasort.core.dataset.NotReadException;
import io.evenkeel.terasort.core.dataset.PartitionOrder;
import io.evenkeel.terasort.core.dataset.PartitionOrder.Rule;
import io.evenkeel.terasort.core.dataset.Violation;
import io.evenkeel.terasort.core.record.Fragment;
import io.evenkeel.terasort.core.record.FragmentScanner;
import io.evenkeel.terasort.core.record.Sum128;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

/**
 * Everything the core must do, as one call without a test framework: mutants are loaded by a class
 * loader of their own and are run through it. Returns the first fault, or null.
 */
public final class CoreChecks implements Callable<String> {
  private static final int[] BLOCKS = {1, 7, 37, 99, 100, 101, 256, 1000, 1 << 20};

  private final int randomSets;

  /** Few random data sets, for mutants. */
  public CoreChecks() {
    this(300);
  }

  CoreChecks(int randomSets) {
    this.randomSets = randomSets;
  }

  @Override
  public String call() {
    try {
      String fault = corpus();
      fault = fault != null ? fault : randomSets();
      fault = fault != null ? fault : notRead();
      fault = fault != null ? fault : scannerLimits();
      fault = fault != null ? fault : order();
      return fault != null ? fault : expectations();
    } catch (NotReadException e) {
      return "not read: " + e.getMessage();
    }
  }

  private static String corpus() throws NotReadException {
    for (Damage damage : Corpus.all()) {
      if (damage.verdict() == Damage.Verdict.REFUSED) {
        continue;
      }
      StockRules.Answer stock = StockRules.validate(seen(damage));
      Expectation expectation = Expectation.parse(damage.expectation());
      for (int i = 0; i < BLOCKS.length; i++) {
        // Every second size is fed and grouped at random as well.
        Random random = i % 2 == 0 ? null : new Random(i);
        String fault = corpus(damage, stock, expectation, CoreRun.blocks(BLOCKS[i]), random);
        if (fault != null) {
          return damage + ", blocks of " + BLOCKS[i] + ": " + fault;
        }
      }
    }
    return null;
  }

  private static String corpus(
      Damage damage,
      StockRules.Answer stock,
      Expectation expectation,
      CoreRun.Cuts cuts,
      Random random)
      throws NotReadException {
    List<Source> seen = seen(damage);
    boolean whole = damage.wholeDirectories();
    CoreRun.Outcome ours = new CoreRun(Rule.NUMBER, whole, null).check(seen, cuts, random);
    CoreRun.Outcome asStock = new CoreRun(Rule.STOCK, whole, null).check(seen, cuts, random);
    CoreRun.Outcome expecting =
        new CoreRun(Rule.NUMBER, whole, expectation).check(seen, cuts, random);
    if (ours.valid() != (damage.verdict().code() == 0)
        || expecting.valid() != (damage.verdict().expectingCode() == 0)) {
      return "verdict " + ours.valid() + " and " + expecting.valid() + ": " + expecting;
    }
    String fault = difference(stock, asStock);
    boolean byNumber = !damage.name().startsWith("numbers beyond");
    return fault == null && byNumber ? difference(stock, ours) : fault;
  }

  /** The files an input names. */
  static List<Source> seen(Damage damage) {
    boolean some = damage.input().equals("part-r-0000[12]");
    return damage.sources().stream()
        .filter(source -> !some || !source.path().equals("part-r-00000"))
        .toList();
  }

  private static String difference(StockRules.Answer stock, CoreRun.Outcome ours) {
    if (!stock.checksum().equals(ours.checksum()) || stock.records() != ours.records()) {
      return "sums differ: " + stock + ", ours " + ours;
    }
    boolean same = stock.errors().stream().sorted().toList().equals(sorted(ours.stock()));
    return same || !stock.answers() ? null : "errors differ: " + stock + ", ours " + ours;
  }

  private static List<String> sorted(List<String> texts) {
    return texts.stream().sorted().toList();
  }

  private String randomSets() throws NotReadException {
    for (int seed = 0; seed < randomSets; seed++) {
      Random random = new Random(seed);
      List<Source> sources = RandomSets.next(random);
      StockRules.Answer stock = StockRules.validate(sources);
      CoreRun core = new CoreRun(Rule.NUMBER, true, null);
      CoreRun.Outcome whole = core.check(sources, CoreRun.blocks(1 << 20), null);
      for (int round = 0; round < 3; round++) {
        CoreRun.Outcome ours = core.check(sources, CoreRun.random(random), random);
        String fault = difference(stock, ours);
        int bytes = sources.stream().mapToInt(source -> source.bytes().length).sum();
        if (fault == null && (ours.bytes() != bytes || ours.files() != sources.size())) {
          fault = "bytes or files: " + ours;
        }
        if (fault == null && !(sorted(whole.own()).equals(sorted(ours.own())))) {
          fault = "grouping matters: " + whole + ", " + ours;
        }
        if (fault == null && ours.own().isEmpty() == sources.stream().anyMatch(CoreChecks::torn)) {
          fault = "truncated file: " + ours;
        }
        if (fault != null) {
          return "random set " + seed + ": " + fault;
        }
      }
    }
    return null;
  }

  private static boolean torn(Source source) {
    return source.bytes().length % 100 != 0;
  }

  /** Two files of 250 bytes in ranges of 50: each range is left out, read twice, and moved. */
  private static String notRead() {
    List<InputFile> files = List.of(new InputFile("a", 250, 0, 0), new InputFile("b", 250, 0, 0));
    List<long[]> all = new ArrayList<>();
    for (int file = 0; file < 2; file++) {
      for (int at = 0; at < 250; at += 50) {
        all.add(new long[] {file, at, at + 50});
      }
    }
    if (!readAll(files, all)) {
      return "all was read, and it says no";
    }
    for (int i = 0; i < all.size(); i++) {
      List<long[]> without = new ArrayList<>(all);
      long[] range = without.remove(i);
      List<long[]> twice = new ArrayList<>(all);
      twice.add(i, range);
      List<long[]> longer = new ArrayList<>(all);
      longer.set(i, new long[] {range[0], range[1], range[2] + 1});
      List<long[]> shorter = new ArrayList<>(all);
      shorter.set(i, new long[] {range[0], range[1], range[2] - 1});
      if (readAll(files, without) || readAll(files, twice)) {
        return "range " + i + " is not there once, and nothing is said";
      }
      if (readAll(files, longer) || readAll(files, shorter)) {
        return "range " + i + " has a wrong length, and nothing is said";
      }
    }
    return readAll(files, List.of()) || readAll(files, all.subList(0, 5)) ? "nothing read" : null;
  }

  private static boolean readAll(List<InputFile> files, List<long[]> ranges) {
    DataSetChecker checker = new DataSetChecker(files.iterator(), v -> {}, p -> {});
    try {
      for (long[] range : ranges) {
        FragmentScanner scanner = new FragmentScanner(range[1], range[2], (o, a, b) -> {});
        scanner.update(new byte[51], 0, (int) (range[2] - range[1]));
        Fragment fragment = scanner.finish();
        checker.add((int) range[0], fragment);
      }
      checker.finish();
      return true;
    } catch (NotReadException e) {
      return false;
    }
  }

  /** A range takes exactly its bytes. */
  private static String scannerLimits() {
    FragmentScanner scanner = new FragmentScanner(150, 300, (o, a, b) -> {});
    scanner.update(new byte[149], 0, 149);
    try {
      scanner.update(new byte[2], 0, 2);
      return "a range takes more than it has";
    } catch (IllegalArgumentException expected) {
      // and goes on
    }
    try {
      scanner.finish();
      return "a range ends before its last byte";
    } catch (IllegalStateException expected) {
      scanner.update(new byte[1], 0, 1);
    }
    return scanner.finish().records() == 1 ? null : "a range of one and a half records";
  }

  /** The text forms, and the sums beyond 64 bits that no data set of a test reaches. */
  private static String expectations() {
    Sum128 most = Sum128.parse("ffffffffffffffff");
    String carried = most.plus(most).plus(2).toString();
    String twice = Sum128.parse(carried).plus(Sum128.parse(carried)).toString();
    if (!carried.equals("20000000000000000") || !twice.equals("40000000000000000")) {
      return "sums of large numbers are " + carried + " and " + twice;
    }
    // The sum beyond 64 bits, and one whose lower 64 bits are the same.
    Sum128 high = Sum128.parse("1ffffffffffffffff");
    String fault = compared("counter:-1", high, Sum128.parse("1fffffffffffffffe"));
    fault = fault != null ? fault : compared("1ffffffffffffffff", high, most);
    fault = fault != null ? fault : compared("FFFFFFFFFFFFFFFF", most, high);
    fault = fault != null ? fault : compared("ffffffffffffffff:7", most, high);
    boolean count = Expectation.parse("ff:3").compare(most, 4).size() == 2;
    return fault != null || count ? fault : "the number of records is not compared";
  }

  /** Whether it agrees with one sum only, also after it went through its text form. */
  private static String compared(String text, Sum128 same, Sum128 other) {
    Expectation parsed = Expectation.parse(text);
    for (Expectation expectation : List.of(parsed, Expectation.parse(parsed.toString()))) {
      List<Violation> found = expectation.compare(other, 7);
      String expected = text.startsWith("counter") ? "...ffffffffffffffff" : same.toString();
      String said = "checksum is " + other + ", expected " + expected;
      if (!expectation.compare(same, 7).isEmpty()
          || found.size() != 1
          || !found.get(0).text().equals(said)
          || expectation.compare(same, 6).isEmpty() == text.endsWith(":7")) {
        return text + " is not compared: " + found;
      }
    }
    return null;
  }

  /** Names in order and what is missing among them, in words. */
  private static String order() {
    String[][] cases = {
      {"x/a y/a", "duplicate partition: x/a and y/a"},
      {"a", ""},
      {"", ""},
      {"part-r-00000 part-r-00001", ""},
      {"part-r-00001", "missing partition 0"},
      {
        "part-r-00002 part-r-00003 part-r-00007",
        "missing partitions 0 to 1|missing partitions 4 to 6"
      },
      {"part-m-00000 part-m-00002 part-r-00001", ""},
      {
        "part-r-00001 part-r-1",
        "duplicate partition: part-r-00001 and part-r-1|missing partition 0"
      },
      {"part-r-99999 part-r-100000", "missing partitions 0 to 99998"},
    };
    for (String[] each : cases) {
      List<InputFile> sorted = new ArrayList<>();
      for (String path : each[0].isEmpty() ? new String[0] : each[0].split(" ")) {
        sorted.add(new InputFile(path, 0, 0, 0));
      }
      List<InputFile> reversed = new ArrayList<>(sorted);
      Collections.reverse(reversed);
      if (!PartitionOrder.sort(reversed, Rule.NUMBER).equals(sorted)
          || !PartitionOrder.sort(sorted, Rule.NUMBER).equals(sorted)) {
        return "not in order: " + PartitionOrder.sort(reversed, Rule.NUMBER);
      }
      List<Violation> gaps = new ArrayList<>();
      PartitionOrder.gaps(sorted, true, gaps::add);
      String texts = gaps.stream().map(Violation::text).collect(Collectors.joining("|"));
      if (!texts.equals(each[1])) {
        return each[0] + ": " + texts;
      }
    }
    InputFile fifth = new InputFile("part-r-00005", 0, 0, 0);
    List<Violation> none = new ArrayList<>();
    PartitionOrder.gaps(List.of(fifth), false, none::add);
    return none.isEmpty() ? null : "a named file's gap";
  }
}
