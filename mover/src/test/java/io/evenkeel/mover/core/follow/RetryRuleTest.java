package io.evenkeel.mover.core.follow;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.mover.core.follow.RetryRule.Judgement;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.FileReport;
import io.evenkeel.mover.request.MoveReport;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

@Tag("once") // says nothing about a Hadoop release
class RetryRuleTest {
  private final RetryRule rule = new RetryRule(3, 1_000, 60_000);

  private static QueuedRequest request(RequestKind kind, int attempts) {
    return new QueuedRequest(1, kind, attempts, "/d");
  }

  private static FileReport file(String path, FileOutcome outcome) {
    return FileReport.of(path, outcome, "why");
  }

  private Judgement judge(QueuedRequest request, FileReport... files) {
    MoveReport.Builder report = new MoveReport.Builder();
    for (FileReport file : files) {
      report.add(file);
    }
    return rule.judge(request, report.build(), Prefixes.parse("/d", "/d/own"));
  }

  @Test
  void wait_growsToTheLimit_spreadOverItsSecondHalf() {
    assertThat(rule.waitMs(0, 0)).isEqualTo(500);
    assertThat(rule.waitMs(0, 1)).isEqualTo(1_000);
    assertThat(rule.waitMs(3, 1)).isEqualTo(8_000);
    assertThat(rule.waitMs(100, 1)).isEqualTo(60_000);
  }

  @ParameterizedTest
  @EnumSource(names = {"SATISFIED", "MOVED", "DELETED", "MISSING"})
  void judge_nothingLeft_isDone(FileOutcome outcome) {
    Judgement judgement = judge(request(RequestKind.EVENT, 0), file("/d/a", outcome));
    assertThat(judgement.wholeAgain()).isFalse();
    assertThat(judgement.again()).isEmpty();
    assertThat(judgement.failed()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(
      names = {"PARTIAL", "PENDING_REPLICATION", "NO_TARGET", "DENIED", "FAILED", "CANCELLED"})
  void judge_mayChange_isTriedAgainUntilTheLimit(FileOutcome outcome) {
    FileReport file = file("/d/a", outcome);
    assertThat(judge(request(RequestKind.EVENT, 2), file).again()).containsExactly(file);
    Judgement last = judge(request(RequestKind.EVENT, 3), file);
    assertThat(last.again()).isEmpty();
    assertThat(last.failed()).containsExactly(file);
  }

  @ParameterizedTest
  @EnumSource(names = {"SATISFIED", "MOVED"})
  void judge_rightButLacksReplicas_isLookedAtAgainAndNeverFails(FileOutcome outcome) {
    FileReport file =
        new FileReport("/d/a", 17, outcome, "2 of 3 replicas", List.of()).whileLacking();
    Judgement first = judge(request(RequestKind.EVENT, 0), file);
    assertThat(first.lacking()).containsExactly(file);
    assertThat(first.again()).isEmpty();
    assertThat(first.wholeAgain()).isFalse();
    Judgement last = judge(request(RequestKind.EVENT, 3), file);
    assertThat(last.lacking()).isEmpty();
    assertThat(last.failed()).isEmpty();
    for (RequestKind asked : List.of(RequestKind.SPOOL, RequestKind.SATISFY)) {
      assertThat(judge(request(asked, 0), file).wholeAgain()).isFalse();
      assertThat(judge(request(asked, 0), file).lacking()).as("it was answered").isEmpty();
    }
    for (String path : List.of("/elsewhere/a", "/d/own/a")) {
      FileReport other = new FileReport(path, 17, outcome, "", List.of()).whileLacking();
      assertThat(judge(request(RequestKind.EVENT, 0), other).lacking()).as(path).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(
      mode = Mode.INCLUDE,
      names = {"PINNED", "UNSUPPORTED_EC_POLICY"})
  void judge_willNotChange_failsAtOnce(FileOutcome outcome) {
    Judgement judgement = judge(request(RequestKind.EVENT, 0), file("/d/a", outcome));
    assertThat(judgement.again()).isEmpty();
    assertThat(judgement.failed()).hasSize(1);
  }

  @Test
  void judge_fileIsThereAndABlockIsNot_isTriedAgain() {
    FileReport block =
        new FileReport("/d/a", 17, FileOutcome.MISSING, "no live replica", List.of());
    assertThat(judge(request(RequestKind.EVENT, 0), block).again()).containsExactly(block);
    assertThat(judge(request(RequestKind.EVENT, 3), block).failed()).containsExactly(block);
  }

  @Test
  void judge_requestCouldNotBeRead_isTriedAgainAsAWhole() {
    FileReport request = file("", FileOutcome.FAILED);
    Judgement judgement =
        judge(request(RequestKind.SCAN, 0), file("/d/a", FileOutcome.NO_TARGET), request);
    assertThat(judgement.wholeAgain()).isTrue();
    assertThat(judge(request(RequestKind.SCAN, 3), request).wholeAgain()).isFalse();
  }

  @Test
  void judge_moreFilesThanTheReportLists_theRestWaitsForAScanUntilTheLimit() {
    FileReport[] gone = new FileReport[MoveReport.LISTED_FILES + 1];
    Arrays.setAll(gone, i -> file("/d/" + i, FileOutcome.MISSING));
    gone[gone.length - 1] = file("/d/last", FileOutcome.NO_TARGET);
    Judgement judgement = judge(request(RequestKind.EVENT, 2), gone);
    assertThat(judgement.wholeAgain()).isFalse();
    assertThat(judgement.scanAgain()).isTrue();
    Judgement last = judge(request(RequestKind.SCAN, 3), gone);
    assertThat(last.wholeAgain()).isFalse();
    assertThat(last.scanAgain()).isFalse();
    assertThat(last.failed())
        .singleElement()
        .hasToString("/d: failed (1 more files are not satisfied)");
    Judgement asked = judge(request(RequestKind.SATISFY, 2), gone);
    assertThat(asked.wholeAgain()).as("somebody waits for its end").isTrue();
    assertThat(asked.scanAgain()).isFalse();
  }

  @Test
  void mayFinishAgain_someTimesMoreThanToMove() {
    assertThat(rule.mayRetry(3)).isFalse();
    assertThat(rule.mayFinishAgain(3)).isTrue();
    assertThat(rule.mayFinishAgain(13)).isFalse();
  }

  @Test
  void judge_open_waitsForItsCloseOnlyWhereThatIsSeen() {
    FileReport seen = file("/d/a", FileOutcome.PENDING_OPEN);
    FileReport unseen = file("/x/a", FileOutcome.PENDING_OPEN);
    for (int attempts : new int[] {0, 3}) {
      Judgement judgement = judge(request(RequestKind.SATISFY, attempts), seen, unseen);
      assertThat(judgement.open()).as("without an end").containsExactly(seen);
      assertThat(attempts == 0 ? judgement.again() : judgement.failed()).containsExactly(unseen);
    }
    assertThat(RetryRule.attemptsOfOpen(request(RequestKind.SCAN, 2))).isZero();
    assertThat(RetryRule.attemptsOfOpen(new QueuedRequest(1, RequestKind.INODE, 2, "17 /d")))
        .as("its close may have come before")
        .isZero();
    assertThat(RetryRule.attemptsOfOpen(request(RequestKind.RETRY, 20)))
        .as("waits longer each time, whatever the limit")
        .isEqualTo(21);
    assertThat(rule.waitMs(Byte.MAX_VALUE, 1)).isEqualTo(60_000);
  }

  /** Its close may come after all attempts. */
  @Test
  void judge_openWithAnotherBlockThatHasNoTarget_waitsForItsClose() {
    FileReport open = file("/d/a", FileOutcome.NO_TARGET).whileOpen();
    for (int attempts : new int[] {0, 3}) {
      Judgement judgement = judge(request(RequestKind.EVENT, attempts), open);
      assertThat(judgement.open()).containsExactly(open);
      assertThat(judgement.again()).isEmpty();
      assertThat(judgement.failed()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"PENDING_OPEN", "NO_TARGET", "PINNED"})
  void judge_ourOwnFiles_areNeitherTriedAgainNorFailed(FileOutcome outcome) {
    FileReport lease = file("/d/own/lease", outcome);
    FileReport other = file("/d/owner", FileOutcome.NO_TARGET);
    assertThat(judge(request(RequestKind.SCAN, 0), lease, other).again()).containsExactly(other);
    for (int attempts : new int[] {0, 3}) {
      Judgement judgement = judge(request(RequestKind.SCAN, attempts), lease);
      assertThat(judgement.wholeAgain()).isFalse();
      assertThat(judgement.again()).isEmpty();
      assertThat(judgement.failed()).isEmpty();
    }
  }

  @Test
  void judge_filesOfATree_areTriedAgainAlone() {
    FileReport one = file("/d/a", FileOutcome.NO_TARGET);
    FileReport good = file("/d/b", FileOutcome.MOVED);
    assertThat(judge(request(RequestKind.EVENT, 0), one, good).wholeAgain()).isFalse();
    assertThat(judge(request(RequestKind.SATISFY, 0), one, good).wholeAgain()).isTrue();
    assertThat(judge(request(RequestKind.EVENT, 0), file("/d", FileOutcome.FAILED)).wholeAgain())
        .isTrue();
    FileReport[] many = new FileReport[1_000];
    Arrays.setAll(many, i -> file("/d/" + i, FileOutcome.NO_TARGET));
    Judgement judgement = judge(request(RequestKind.EVENT, 0), many);
    assertThat(judgement.wholeAgain()).as("the tree is not read again for them").isFalse();
    assertThat(judgement.again()).hasSize(many.length);
    assertThat(judgement.scanAgain()).isFalse();
  }

  @Test
  void judge_fileTriedAgain_isAskedForByItsInodeAndToldByItsPath() {
    FileReport found = new FileReport("/d/a b", 17, FileOutcome.NO_TARGET, "full", List.of());
    QueuedRequest retry = new QueuedRequest(1, RequestKind.INODE, 1, QueuedRequest.textOf(found));
    assertThat(retry.path()).isEqualTo("/.reserved/.inodes/17");
    assertThat(retry.shown()).isEqualTo("/d/a b");
    FileReport asked = new FileReport(retry.path(), 17, FileOutcome.NO_TARGET, "full", List.of());
    assertThat(judge(retry, asked).wholeAgain()).isTrue();
    QueuedRequest last = new QueuedRequest(1, RequestKind.INODE, 3, retry.text());
    assertThat(judge(last, asked).failed()).singleElement().hasToString("/d/a b: no target (full)");
    FileReport open = new FileReport(retry.path(), 17, FileOutcome.PENDING_OPEN, "", List.of());
    Judgement judgement = judge(retry, open);
    assertThat(judgement.wholeAgain()).as("its close will be seen").isFalse();
    assertThat(judgement.open()).singleElement().hasToString("/d/a b: pending, open for writing");
    assertThat(judgement.failed()).isEmpty();
  }

  @Test
  void path_retryOfAnOlderVersion_isItsText() {
    QueuedRequest retry = new QueuedRequest(1, RequestKind.RETRY, 1, "/d/a");
    assertThat(retry.path()).isEqualTo("/d/a");
    assertThat(retry.shown()).isEqualTo("/d/a");
  }
}
