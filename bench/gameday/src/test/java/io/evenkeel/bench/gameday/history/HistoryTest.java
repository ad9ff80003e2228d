package io.evenkeel.bench.gameday.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.bench.gameday.history.Finding.Kind;
import io.evenkeel.bench.gameday.history.Operation.Append;
import io.evenkeel.bench.gameday.history.Operation.Close;
import io.evenkeel.bench.gameday.history.Operation.Concat;
import io.evenkeel.bench.gameday.history.Operation.Create;
import io.evenkeel.bench.gameday.history.Operation.Delete;
import io.evenkeel.bench.gameday.history.Operation.DeleteSnapshot;
import io.evenkeel.bench.gameday.history.Operation.Rename;
import io.evenkeel.bench.gameday.history.Operation.SetReplication;
import io.evenkeel.bench.gameday.history.Operation.SetStoragePolicy;
import io.evenkeel.bench.gameday.history.Operation.Snapshot;
import io.evenkeel.bench.gameday.history.Operation.Sync;
import io.evenkeel.bench.gameday.history.Operation.Truncate;
import io.evenkeel.bench.gameday.history.Operation.Write;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class HistoryTest {
  private static final String A = "/d/a";
  private static final String B = "/d/b";

  private final Timeline timeline = new Timeline(() -> 0, Runnable::run);
  private final History history = new History(timeline);

  private void done(Operation operation) {
    history.begin("w", operation).acknowledged();
  }

  private void doubt(Operation operation) {
    history.begin("w", operation).inDoubt();
  }

  private void written(String path, long bytes) {
    done(new Create(path, 3, "HOT", ""));
    done(new Write(path, bytes, Sync.HFLUSH));
    done(new Close(path));
  }

  private byte[] bytes(String path, int length) {
    byte[] bytes = new byte[length];
    history.content(path).fill(0, bytes, 0, length);
    return bytes;
  }

  private static Optional<Finding> whole(Reading reading, byte[] bytes) {
    reading.bytes(0, bytes, 0, bytes.length);
    return reading.whole(bytes.length);
  }

  private Optional<Finding> seen(String path, byte[] bytes) {
    return whole(history.settling(path), bytes);
  }

  private Optional<Finding> seenAbsent(String path) {
    return history.settling(path).absent();
  }

  private static void assertKind(Optional<Finding> finding, Kind kind) {
    assertThat(finding).map(Finding::kind).contains(kind);
  }

  @Test
  void acknowledgedBytes_cut_areLost() {
    written(A, 100);
    assertThat(seen(A, bytes(A, 100))).isEmpty();
    Optional<Finding> finding = seen(A, bytes(A, 60));
    assertKind(finding, Kind.LOST_BYTES);
    assertThat(finding.orElseThrow().reason())
        .isEqualTo("40 of 100 acknowledged bytes are missing");
    assertThat(history.findings()).containsExactly(finding.orElseThrow());
  }

  @Test
  void byte_changed_isNamedWithItsPosition() {
    written(A, 100);
    byte[] bytes = bytes(A, 100);
    bytes[37] ^= 1;
    Optional<Finding> finding = seen(A, bytes);
    assertKind(finding, Kind.WRONG_BYTE);
    assertThat(finding.orElseThrow().reason()).startsWith("byte 37 is 0x");
  }

  @Test
  void absence_ofAcknowledgedFile_isLoss() {
    written(A, 100);
    assertKind(seenAbsent(A), Kind.LOST_FILE);
  }

  @Test
  void presence_ofDeletedOrUnknownFile_isFound() {
    written(A, 10);
    byte[] bytes = bytes(A, 10);
    done(new Delete(A));
    assertThat(seenAbsent(A)).isEmpty();
    assertKind(seen(A, bytes), Kind.RESURRECTED_FILE);
    assertKind(seen(B, bytes), Kind.UNEXPECTED_FILE);
  }

  @Test
  void flushInDoubt_anyLengthFromAcknowledgedToAttempted_isFine() {
    done(new Create(A, 3, "HOT", ""));
    done(new Write(A, 100, Sync.HFLUSH));
    doubt(new Write(A, 50, Sync.HFLUSH));
    assertThat(whole(history.reading(A), bytes(A, 100))).isEmpty();
    assertThat(whole(history.reading(A), bytes(A, 130))).isEmpty();
    assertThat(whole(history.reading(A), bytes(A, 150))).isEmpty();
    assertKind(whole(history.reading(A), bytes(A, 99)), Kind.LOST_BYTES);
    assertKind(whole(history.reading(A), bytes(A, 151)), Kind.EXCESS_BYTES);
  }

  @Test
  void lengthInDoubt_settledByARead_isAcknowledgedFromThenOn() {
    done(new Create(A, 3, "HOT", ""));
    doubt(new Write(A, 50, Sync.HFLUSH));
    assertThat(history.doubtful()).containsExactly(A);
    assertThat(seen(A, bytes(A, 30))).isEmpty();
    assertThat(history.doubtful()).isEmpty();
    assertThat(history.acknowledged(A)).isEqualTo(30);
    assertKind(seen(A, bytes(A, 29)), Kind.LOST_BYTES);
    assertKind(seen(A, bytes(A, 31)), Kind.EXCESS_BYTES);
  }

  /** What a lease recovery cut off must not come back as what is appended in its place. */
  @Test
  void bytesCutByASettledRead_areStaleAfterAnAppend() {
    done(new Create(A, 3, "HOT", ""));
    doubt(new Write(A, 50, Sync.HFLUSH));
    byte[] stale = bytes(A, 50);
    assertThat(seen(A, bytes(A, 30))).isEmpty();
    done(new Append(A));
    done(new Write(A, 20, Sync.HFLUSH));
    assertThat(seen(A, bytes(A, 50))).isEmpty();
    Optional<Finding> finding = seen(A, stale);
    assertKind(finding, Kind.WRONG_BYTE);
    assertThat(finding.orElseThrow().reason()).startsWith("byte 3");
  }

  @Test
  void bytesBeforeATruncate_areStaleAfterAnAppend() {
    written(A, 100);
    byte[] stale = bytes(A, 100);
    done(new Truncate(A, 40));
    assertThat(seen(A, bytes(A, 40))).isEmpty();
    done(new Append(A));
    done(new Write(A, 60, Sync.HSYNC));
    assertKind(seen(A, stale), Kind.WRONG_BYTE);
    assertThat(seen(A, bytes(A, 100))).isEmpty();
  }

  @Test
  void truncateInDoubt_anyLengthFromTheNewToTheOld_isFine() {
    written(A, 100);
    byte[] before = bytes(A, 100);
    doubt(new Truncate(A, 40));
    assertThat(whole(history.reading(A), before)).isEmpty();
    assertThat(whole(history.reading(A), Arrays.copyOf(before, 70))).isEmpty();
    assertKind(whole(history.reading(A), Arrays.copyOf(before, 39)), Kind.LOST_BYTES);
    assertThat(seen(A, Arrays.copyOf(before, 40))).isEmpty();
    assertKind(seen(A, before), Kind.WRONG_BYTE);
  }

  @Test
  void renameInDoubt_absentHere_hasToBeThere() {
    written(A, 10);
    byte[] bytes = bytes(A, 10);
    doubt(new Rename(A, B));
    assertThat(history.reading(A).absent()).isEmpty();
    assertThat(whole(history.reading(A), bytes)).isEmpty();
    assertThat(seenAbsent(A)).isEmpty();
    assertKind(seenAbsent(B), Kind.LOST_FILE);
    assertThat(seen(B, bytes)).isEmpty();
  }

  @Test
  void renameInDoubt_presentHere_hasToBeAbsentThere() {
    written(A, 10);
    byte[] bytes = bytes(A, 10);
    doubt(new Rename(A, B));
    assertThat(seen(A, bytes)).isEmpty();
    assertKind(seen(B, bytes), Kind.RESURRECTED_FILE);
  }

  @Test
  void createInDoubt_absentOrEmpty_isFine() {
    doubt(new Create(A, 3, "HOT", ""));
    assertThat(history.reading(A).absent()).isEmpty();
    assertThat(whole(history.reading(A), new byte[0])).isEmpty();
    assertThat(seenAbsent(A)).isEmpty();
    assertThat(history.present()).isEmpty();
    assertKind(seen(A, new byte[0]), Kind.RESURRECTED_FILE);
  }

  @Test
  void concat_bytesOfAll_standBehindEachOther() {
    written(A, 10);
    written(B, 20);
    byte[] a = bytes(A, 10);
    byte[] b = bytes(B, 20);
    done(new SetStoragePolicy(B, "COLD"));
    done(new Concat(A, List.of(B)));
    assertThat(history.wanted(A).orElseThrow().policies()).containsExactly("HOT");
    assertThat(history.wanted(A).orElseThrow().everPolicies()).contains("COLD");
    byte[] both = Arrays.copyOf(a, 30);
    System.arraycopy(b, 0, both, 10, 20);
    assertThat(seen(A, both)).isEmpty();
    assertThat(seenAbsent(B)).isEmpty();
    done(new Append(A));
    done(new Write(A, 5, Sync.HFLUSH));
    assertThat(bytes(A, 35)).startsWith(both);
    assertThat(seen(A, bytes(A, 35))).isEmpty();
  }

  @Test
  void concatInDoubt_oneFileMovedAndOneLost_isFound() {
    written(A, 10);
    written(B, 20);
    byte[] a = bytes(A, 10);
    doubt(new Concat(A, List.of(B)));
    assertThat(seen(A, a)).isEmpty();
    assertKind(seenAbsent(B), Kind.LOST_FILE);
  }

  @Test
  void snapshot_keepsTheBytesThatTheFileHad() {
    written(A, 10);
    byte[] old = bytes(A, 10);
    done(new Snapshot("/d", "s"));
    done(new Truncate(A, 4));
    done(new Delete(A));
    assertThat(history.present()).containsExactly("/d/.snapshot/s/a");
    assertThat(seen("/d/.snapshot/s/a", old)).isEmpty();
    done(new DeleteSnapshot("/d", "s"));
    assertThat(history.present()).isEmpty();
    assertKind(seen("/d/.snapshot/s/a", old), Kind.RESURRECTED_FILE);
  }

  @Test
  void snapshotInDoubt_onePartThere_hasToBeWhole() {
    written(A, 10);
    written(B, 20);
    doubt(new Snapshot("/d", "s"));
    assertThat(seen("/d/.snapshot/s/a", bytes(A, 10))).isEmpty();
    assertKind(seenAbsent("/d/.snapshot/s/b"), Kind.LOST_FILE);
  }

  @Test
  void emptyDirectory_snapshotsOfIt_areFine() {
    done(new Snapshot("/d", "s"));
    done(new DeleteSnapshot("/d", "s"));
    assertThat(history.findings()).isEmpty();
  }

  @Test
  void success_inNoWorld_isFound() {
    done(new Rename(A, B));
    assertThat(history.findings())
        .extracting(Finding::kind)
        .containsExactly(Kind.IMPOSSIBLE_SUCCESS);
  }

  @Test
  void success_decidesWhatWasInDoubt() {
    written(A, 10);
    doubt(new Rename(A, B));
    done(new Rename(B, "/d/c"));
    assertKind(seen(A, new byte[10]), Kind.RESURRECTED_FILE);
    assertThat(history.present()).containsExactly("/d/c");
  }

  @Test
  void readBesideAWrite_seesItsBytesOrNot() {
    done(new Create(A, 3, "HOT", ""));
    done(new Write(A, 10, Sync.HFLUSH));
    Reading early = history.reading(A);
    Reading late = history.reading(A);
    Reading cut = history.reading(A);
    History.Pending write = history.begin("w", new Write(A, 10, Sync.HFLUSH));
    assertThat(whole(early, bytes(A, 10))).isEmpty();
    assertThat(whole(history.reading(A), bytes(A, 10))).isEmpty();
    assertThat(whole(history.reading(A), bytes(A, 20))).isEmpty();
    write.acknowledged();
    assertThat(whole(late, bytes(A, 10))).isEmpty();
    assertKind(whole(history.reading(A), bytes(A, 19)), Kind.LOST_BYTES);
    assertKind(whole(cut, bytes(A, 9)), Kind.LOST_BYTES);
  }

  @Test
  void readBesideATruncate_isNotJudged() {
    written(A, 10);
    Reading before = history.reading(A);
    History.Pending truncate = history.begin("w", new Truncate(A, 4));
    Reading during = history.reading(A);
    assertThat(whole(before, new byte[7])).isEmpty();
    truncate.acknowledged();
    assertThat(whole(during, new byte[7])).isEmpty();
    assertKind(whole(history.reading(A), new byte[7]), Kind.WRONG_BYTE);
  }

  @Test
  void partOfAFile_onlyItsBytesAreJudged() {
    written(A, 100);
    byte[] bytes = new byte[10];
    history.content(A).fill(50, bytes, 0, 10);
    Reading right = history.reading(A);
    right.bytes(50, bytes, 0, 10);
    assertThat(right.part()).isEmpty();
    Reading wrong = history.reading(A);
    wrong.bytes(51, bytes, 0, 10);
    assertKind(wrong.part(), Kind.WRONG_BYTE);
  }

  @Test
  void whatIsWanted_isTheLastAcknowledgedOrDoubtful() {
    written(A, 1);
    done(new SetReplication(A, 2));
    done(new SetStoragePolicy(A, "COLD"));
    doubt(new SetReplication(A, 4));
    doubt(new SetStoragePolicy(A, "ALL_SSD"));
    Wanted wanted = history.wanted(A).orElseThrow();
    assertThat(wanted.replications()).containsExactlyInAnyOrder(2, 4);
    assertThat(wanted.policies()).containsExactlyInAnyOrder("COLD", "ALL_SSD");
    assertThat(wanted.everPolicies()).containsExactlyInAnyOrder("HOT", "COLD", "ALL_SSD");
    done(new SetReplication(A, 3));
    assertThat(history.wanted(A).orElseThrow().replications()).containsExactly(3);
    assertThat(history.wanted(B)).isEmpty();
  }

  @Test
  void operationsAtTheSameTimeOnOnePath_areRefused() {
    written(A, 1);
    History.Pending pending = history.begin("w", new Rename(A, B));
    assertThatThrownBy(() -> history.begin("v", new Delete(B)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Rename");
    assertThatThrownBy(() -> history.settling(A)).isInstanceOf(IllegalStateException.class);
    pending.inDoubt();
  }

  @Test
  void endOfTheRound_whatIsInProgress_isInDoubt() {
    written(A, 10);
    byte[] bytes = bytes(A, 10);
    History.Pending delete = history.begin("w", new Delete(A));
    history.end();
    long total = timeline.total();
    delete.acknowledged(); // too late
    assertThat(timeline.total()).isEqualTo(total);
    assertThat(whole(history.reading(A), bytes)).isEmpty();
    assertThat(history.reading(A).absent()).isEmpty();
    assertThat(history.log(A)).hasSize(4).last().asString().endsWith("Delete[path=/d/a]: in doubt");
  }

  @Test
  void endOfTheRound_nothingMoreBegins() {
    history.end();
    assertThatThrownBy(() -> history.begin("w", new Create(A, 3, "HOT", "")))
        .isInstanceOf(IllegalStateException.class);
    assertThat(history.present()).isEmpty();
  }

  @Test
  void log_ofARenamedFile_hasItsOldName() {
    written(A, 10);
    written(B, 10);
    done(new Rename(A, "/d/c"));
    doubt(new Truncate("/d/c", 4));
    assertThat(history.log("/d/c")).hasSize(5);
    assertThat(history.log("/d/c").get(0))
        .isEqualTo(
            "1 w Create[path=/d/a, replication=3, policy=HOT, erasureCoding=]: acknowledged");
    assertThat(history.log("/d/c").get(4)).isEqualTo("8 w Truncate[path=/d/c, length=4]: in doubt");
  }

  @Test
  void bufferedWrite_isNoAcknowledgement_closeIs() {
    done(new Create(A, 3, "HOT", ""));
    done(new Write(A, 10, Sync.BUFFERED));
    assertThat(history.acknowledged(A)).isZero();
    assertThat(timeline.total(A)).isEqualTo(1);
    done(new Close(A));
    assertThat(history.acknowledged(A)).isEqualTo(10);
    assertThat(timeline.total(A)).isEqualTo(2);
  }

  @Test
  void finding_ofTheSameFileAgain_isKeptOnce() {
    written(A, 10);
    seenAbsent(A);
    seenAbsent(A);
    assertThat(history.findings()).hasSize(1);
  }

  @Test
  void operations_thatFollowEachOther_areToldAlsoUnderANewName() {
    written(A, 10);
    done(new SetReplication(A, 1));
    done(new Rename(A, B));
    assertThat(history.isFollowed(B, SetReplication.class, Append.class)).isFalse();
    done(new Append(B));
    assertThat(history.isFollowed(B, SetReplication.class, Append.class))
        .as("the rename is between them")
        .isFalse();
    done(new Close(B));
    done(new SetReplication(B, 2));
    doubt(new Append(B));
    assertThat(history.isFollowed(B, SetReplication.class, Append.class)).isTrue();
    assertThat(history.isFollowed(A, SetReplication.class, Append.class)).isFalse();
  }
}
