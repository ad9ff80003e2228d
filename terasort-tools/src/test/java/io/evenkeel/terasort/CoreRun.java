package io.evenkeel.terasort;

import io.evenkeel.terasort.core.dataset.DataSetChecker;
import io.evenkeel.terasort.core.dataset.Expectation;
import io.evenkeel.terasort.core.dataset.InputFile;
import io.evenkeel.terasort.core.dataset.NotReadException;
import io.evenkeel.terasort.core.dataset.PartitionOrder;
import io.evenkeel.terasort.core.dataset.Violation;
import io.evenkeel.terasort.core.record.Fragment;
import io.evenkeel.terasort.core.record.FragmentScanner;
import io.evenkeel.terasort.core.record.Misorders;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** The validator's core over bytes in memory: any ranges in any grouping, and no job. */
final class CoreRun {
  private static final Set<Violation.Kind> STOCK =
      EnumSet.of(Violation.Kind.MISORDER, Violation.Kind.PARTITIONING);

  private final PartitionOrder.Rule rule;
  private final boolean wholeDirectories;
  private final Expectation expectation;

  /** How a file is cut: offsets from 0 to its length, not falling; equal ones are empty ranges. */
  interface Cuts {
    List<Integer> of(int length);
  }

  /** What the core says: stock's kinds of errors apart from our own, and its sums. */
  record Outcome(
      List<String> stock, List<String> own, String checksum, long records, long bytes, int files) {
    boolean valid() {
      return stock.isEmpty() && own.isEmpty();
    }
  }

  CoreRun(PartitionOrder.Rule rule, boolean wholeDirectories, Expectation expectation) {
    this.rule = rule;
    this.wholeDirectories = wholeDirectories;
    this.expectation = expectation;
  }

  /** Blocks of one size, as a file system cuts. */
  static Cuts blocks(int size) {
    return length -> {
      List<Integer> cuts = new ArrayList<>();
      for (long at = 0; at < length; at += size) {
        cuts.add((int) at);
      }
      cuts.add(length);
      return cuts;
    };
  }

  /** Random ranges, some of them empty. */
  static Cuts random(Random random) {
    return length -> {
      List<Integer> cuts = new ArrayList<>(List.of(0, length));
      int most = random.nextInt(3) == 0 ? length / 10 + 1 : 8;
      for (int more = random.nextInt(most + 1); more > 0; more--) {
        int at = random.nextInt(length + 1);
        cuts.add(random.nextBoolean() ? at : at / 100 * 100);
      }
      cuts.sort(null);
      return cuts;
    };
  }

  /** Checks all; {@code random} groups the ranges and cuts what is read, null does neither. */
  Outcome check(List<Source> sources, Cuts cuts, Random random) throws NotReadException {
    List<Source> visible = sources.stream().filter(source -> !source.hidden()).toList();
    List<InputFile> files =
        PartitionOrder.sort(
            visible.stream()
                .map(source -> new InputFile("mem:/" + source.path(), source.bytes().length, 0, 0))
                .toList(),
            rule);
    List<Violation> found = new ArrayList<>();
    DataSetChecker checker = new DataSetChecker(files.iterator(), found::add, partition -> {});
    for (int i = 0; i < files.size(); i++) {
      InputFile file = files.get(i);
      byte[] bytes =
          visible.stream()
              .filter(source -> file.path().equals("mem:/" + source.path()))
              .findFirst()
              .orElseThrow()
              .bytes();
      for (Fragment fragment : fragments(file, bytes, cuts.of(bytes.length), random, found)) {
        checker.add(i, fragment);
      }
    }
    checker.finish();
    PartitionOrder.gaps(files, wholeDirectories, found::add);
    if (expectation != null) {
      found.addAll(expectation.compare(checker.sum(), checker.records()));
    }
    return new Outcome(
        texts(found, true),
        texts(found, false),
        checker.sum().toString(),
        checker.records(),
        checker.bytes(),
        checker.files());
  }

  private static List<String> texts(List<Violation> found, boolean stock) {
    return found.stream()
        .filter(violation -> STOCK.contains(violation.kind()) == stock)
        .map(Violation::text)
        .toList();
  }

  private static List<Fragment> fragments(
      InputFile file, byte[] bytes, List<Integer> cuts, Random random, List<Violation> found) {
    List<Fragment> fragments = new ArrayList<>();
    for (int i = 1; i < cuts.size(); i++) {
      int from = cuts.get(i - 1);
      int to = cuts.get(i);
      fragments.add(feed(scanner(file, bytes, from, to, found), bytes, from, to, random));
    }
    int joins = random == null || fragments.isEmpty() ? 0 : random.nextInt(fragments.size());
    for (; joins > 0; joins--) {
      int at = random.nextInt(fragments.size() - 1);
      Fragment next = stored(fragments.remove(at + 1));
      fragments.set(at, fragments.get(at).join(next, misorders(file, bytes, found)));
    }
    return fragments;
  }

  /** As it comes back from storage. */
  private static Fragment stored(Fragment fragment) {
    return Fragment.of(
        fragment.start(),
        fragment.end(),
        fragment.head(),
        fragment.tail(),
        new Fragment.Run(
            fragment.records(), fragment.sum(), fragment.firstKey(), fragment.lastKey()));
  }

  /** Takes a misorder, and looks whether the two keys stand where it says. */
  private static Misorders misorders(InputFile file, byte[] bytes, List<Violation> found) {
    return (offset, previous, key) -> {
      int at = (int) offset;
      if (!Arrays.equals(bytes, at, at + 10, key, 0, 10)
          || !Arrays.equals(bytes, at - 100, at - 90, previous, 0, 10)) {
        throw new IllegalStateException("no such misorder at " + offset + " of " + file);
      }
      found.add(Violation.misorder(file, previous, key));
    };
  }

  private static FragmentScanner scanner(
      InputFile file, byte[] bytes, int from, int to, List<Violation> found) {
    return new FragmentScanner(from, to, misorders(file, bytes, found));
  }

  private static Fragment feed(
      FragmentScanner scanner, byte[] bytes, int from, int to, Random random) {
    int at = from;
    while (at < to) {
      int most = random == null ? to - at : 1 + random.nextInt(random.nextBoolean() ? 30 : 400);
      int length = Math.min(most, to - at);
      scanner.update(bytes, at, length);
      at += length;
    }
    return scanner.finish();
  }
}
