package io.evenkeel.terasort;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.terasort.core.dataset.Expectation;
import io.evenkeel.terasort.core.dataset.PartitionOrder;
import io.evenkeel.terasort.core.dataset.Violation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Damaged data sets through the real job, beside stock's real validator. */
class CorpusTest {
  private static final long[] BLOCKS = {1, 37, 99, 100, 101, 256, 1000, 1 << 20};

  @TempDir private Path dir;

  /**
   * What a run of every build gives to a job: each kind of damage, and what only looks like one.
   */
  private static final List<String> TELLING =
      List.of(
          "nothing wrong",
          "empty files before and between",
          "hidden files with rubbish",
          "records 2 and 3 swapped",
          "records 17 and 29 swapped",
          "top bit of key 2 flipped",
          "a byte lost and one too many later",
          "last and first record of neighbours swapped",
          "files in falling order, an empty one between",
          "keys rise as unsigned bytes",
          "keys rise as signed bytes only",
          "44 bytes cut from the last file",
          "one byte lost inside",
          "many partitions missing",
          "one number as map's and as reduce's",
          "numbers beyond 99999",
          "numbers beyond 99999 in stock's order",
          "one name in two directories",
          "some files of a directory",
          "record 2 lost",
          "a record twice",
          "value byte 256 flipped",
          "two values exchanged",
          "a compressed name",
          "no file at all");

  static List<Damage> corpus() {
    return Corpus.all();
  }

  static List<Damage> telling() {
    return corpus().stream().filter(damage -> TELLING.contains(damage.name())).toList();
  }

  @Test
  void corpus_kinds_manyAndEachOnce() {
    List<String> names = corpus().stream().map(Damage::name).toList();
    assertThat(names).doesNotHaveDuplicates();
    assertThat(corpus().stream().filter(damage -> damage.verdict().expectingCode() == 2).count())
        .isGreaterThan(50);
  }

  /** Each kind of violation, and each verdict, is among what every build gives to a job. */
  @Test
  void telling_kinds_areAllOfThem() throws Exception {
    assertThat(telling()).hasSameSizeAs(TELLING);
    assertThat(telling()).extracting(Damage::verdict).contains(Damage.Verdict.values());
    List<String> found = new ArrayList<>();
    for (Damage damage : telling()) {
      if (damage.verdict() != Damage.Verdict.REFUSED) {
        Expectation expectation = Expectation.parse(damage.expectation());
        CoreRun.Outcome outcome =
            new CoreRun(PartitionOrder.Rule.NUMBER, damage.wholeDirectories(), expectation)
                .check(CoreChecks.seen(damage), CoreRun.blocks(256), null);
        found.addAll(outcome.stock());
        found.addAll(outcome.own());
      }
    }
    for (Violation.Kind kind : Violation.Kind.values()) {
      assertThat(found).as(kind.meaning()).anyMatch(text -> text.contains(word(kind)));
    }
  }

  private static String word(Violation.Kind kind) {
    return switch (kind) {
      case MISORDER -> "misorder in ";
      case PARTITIONING -> "bad key partitioning";
      case TRUNCATED -> "truncated record";
      case MISSING_PARTITION -> "missing partition";
      case DUPLICATE_PARTITION -> "duplicate partition";
      case CHECKSUM -> "checksum is ";
      case COUNT -> " records, expected ";
    };
  }

  /** The run that could go wrong: no expectation helps to find what must be found without. */
  @Tag("once") // the records decide, and stock's validator is of one release everywhere
  @ParameterizedTest
  @MethodSource("telling")
  void validate_fewBlockSizes_asStockAndRight(Damage damage) throws Exception {
    LocalRuns runs = new LocalRuns(dir);
    LocalRuns.Outcome stock = write(damage) ? stock(runs, damage) : null;
    Damage.Verdict verdict = damage.verdict();
    if (verdict != Damage.Verdict.VALID) {
      long block = damage.name().length() % 2 == 0 ? 37 : 256;
      check(damage, stock, run(runs, damage, block), verdict.code());
    }
    if (verdict.code() == 0) {
      LocalRuns.Outcome expecting = run(runs, damage, 37, "--expect", damage.expectation());
      check(damage, stock, expecting, verdict.expectingCode());
    }
  }

  @Tag("slow")
  @ParameterizedTest
  @MethodSource("corpus")
  void validate_allBlockSizes_asStockAndRight(Damage damage) throws Exception {
    LocalRuns runs = new LocalRuns(dir);
    LocalRuns.Outcome stock = write(damage) ? stock(runs, damage) : null;
    for (long block : BLOCKS) {
      check(damage, stock, run(runs, damage, block), damage.verdict().code());
      LocalRuns.Outcome expecting =
          run(runs, damage, block, "--expect", damage.expectation(), "--stock-order");
      boolean byNumber = damage.name().startsWith("numbers beyond");
      check(
          damage,
          stock,
          expecting,
          byNumber ? 2 - damage.verdict().code() : damage.verdict().expectingCode());
    }
  }

  /** Writes the files; false where stock's answer is of no interest. */
  private boolean write(Damage damage) throws IOException {
    Files.createDirectories(dir.resolve("in"));
    for (Source source : damage.sources()) {
      Path file = dir.resolve("in").resolve(source.path());
      Files.createDirectories(file.getParent());
      Files.write(file, source.bytes());
    }
    return damage.verdict() != Damage.Verdict.REFUSED;
  }

  private String input(Damage damage) {
    return dir.resolve("in") + "/" + damage.input();
  }

  private LocalRuns.Outcome stock(LocalRuns runs, Damage damage) throws Exception {
    List<Object> args = new ArrayList<>(damage.options());
    args.add(input(damage));
    return runs.stock(args.toArray());
  }

  private LocalRuns.Outcome run(LocalRuns runs, Damage damage, long block, String... options)
      throws Exception {
    List<String> args = new ArrayList<>(damage.options());
    args.addAll(List.of(options));
    args.add(input(damage));
    return runs.ours(runs.conf(block), args.toArray(new String[0]));
  }

  private static void check(
      Damage damage, LocalRuns.Outcome stock, LocalRuns.Outcome ours, int code) {
    assertThat(ours.code()).as("%s%s", ours.out(), ours.err()).isEqualTo(code);
    if (code == 1) {
      assertThat(ours.err()).startsWith("teravalidate: ");
      assertThat(ours.directory()).doesNotExist();
      return;
    }
    assertThat(ours.err()).isEmpty();
    assertThat(ours.out()).startsWith(code == 0 ? "valid: " : "INVALID: ");
    assertThat(ours.errors().isEmpty()).isEqualTo(code == 0);
    StockRules.Answer rules = StockRules.validate(CoreChecks.seen(damage));
    if (rules.answers()) {
      assertThat(stock.code()).isZero();
      // The restatement of stock's rules is right ...
      assertThat(stock.errors()).containsExactlyInAnyOrderElementsOf(rules.errors());
      assertThat(stock.checksum()).isEqualTo(rules.records() == 0 ? null : rules.checksum());
    }
    boolean byNumber = damage.name().startsWith("numbers beyond");
    if (rules.answers() && !byNumber) {
      // ... and so are we.
      assertThat(ours.stockErrors()).containsExactlyInAnyOrderElementsOf(stock.errors());
    }
    assertThat(ours.checksum()).isEqualTo(rules.records() == 0 ? null : rules.checksum());
  }
}
