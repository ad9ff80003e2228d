package io.evenkeel.mover.core.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.mover.core.follow.MemoryStore.Disk;
import io.evenkeel.mover.core.follow.MemoryStore.Segment;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once") // says nothing about a Hadoop release
class JournalTest {
  private static final long NEVER = Long.MAX_VALUE;

  private final Disk disk = new Disk();
  private MemoryStore store;

  private List<String> followed = List.of();

  private Journal open() throws IOException {
    return open(NEVER);
  }

  private Journal open(long compactAt) throws IOException {
    store = new MemoryStore(disk);
    return Journal.open(store, compactAt, 0, followed);
  }

  /** By the order of lines; of the low one only where that is wanted. */
  private static QueuedRequest take(Journal journal, long now, boolean low) throws IOException {
    for (RequestKind.Line line : RequestKind.Line.values()) {
      QueuedRequest next = low || line != RequestKind.Line.LOW ? journal.take(now, line) : null;
      if (next != null) {
        return next;
      }
    }
    return null;
  }

  private static List<String> takeAll(Journal journal) throws IOException {
    List<String> texts = new ArrayList<>();
    for (QueuedRequest r = take(journal, 0, true); r != null; r = take(journal, 0, true)) {
      texts.add(r.text());
    }
    return texts;
  }

  private Segment only() {
    assertThat(disk.published).hasSize(1);
    return disk.published.values().iterator().next();
  }

  @Test
  void take_withoutTheLow_leavesScansInTheQueue() throws IOException {
    Journal journal = open();
    journal.add(RequestKind.SCAN, "/scan", 0, 0);
    journal.add(RequestKind.EVENT, "/event", 0, 0);
    assertThat(take(journal, 0, false).text()).isEqualTo("/event");
    assertThat(take(journal, 0, false)).isNull();
    assertThat(take(journal, 0, true).text()).isEqualTo("/scan");
  }

  @Test
  void closed_fileWaitsOrIsLookedAt_isAskedForAgain() throws IOException {
    Journal journal = open();
    journal.add(RequestKind.RETRY, "/d/f", 5, 1_000);
    assertThat(journal.closed("/d/other", 0)).isFalse();
    assertThat(take(journal, 0, true)).isNull();
    assertThat(journal.closed("/d/f", 0)).isTrue();
    QueuedRequest looked = take(journal, 0, true);
    assertThat(looked.attempts()).isZero();
    assertThat(journal.closed("/d/f", 0)).as("as it is looked at").isTrue();
    journal.done(looked);
    assertThat(take(journal, 0, true).text()).isEqualTo("/d/f");
    assertThat(journal.closed("/d/g", 0)).isFalse();
  }

  /** Another file may have that path by now. */
  @Test
  void add_pathOfAFileThatWaitsByItsInode_isAnotherRequest() throws IOException {
    Journal journal = open();
    journal.add(RequestKind.INODE, "17 /d/f", 1, 1_000);
    journal.add(RequestKind.INODE, "18 /d/f", 1, 1_000);
    assertThat(journal.add(RequestKind.INODE, "17 /d/f", 2, 1_000)).isFalse();
    assertThat(journal.add(RequestKind.EVENT, "/d/f", 0, 0)).isTrue();
    assertThat(take(journal, 0, true).path()).isEqualTo("/d/f");
    assertThat(take(journal, 0, true)).isNull();
    assertThat(take(journal, 1_000, true).path()).isEqualTo("/.reserved/.inodes/17");
    assertThat(take(journal, 1_000, true).path()).isEqualTo("/.reserved/.inodes/18");
  }

  @Test
  void take_notYetSynced_isSafeBeforeItIsHandedOut() throws IOException {
    Journal journal = open();
    journal.add(RequestKind.SATISFY, "/a", 0, 0);
    journal.add(RequestKind.SATISFY, "/b", 0, 0);
    int before = store.syncs;
    assertThat(only().synced).isLessThan(only().bytes.size());

    assertThat(take(journal, 0, true).text()).isEqualTo("/a");
    assertThat(only().synced).isEqualTo(only().bytes.size());
    assertThat(take(journal, 0, true).text()).isEqualTo("/b");
    assertThat(store.syncs).as("one sync for both").isEqualTo(before + 1);

    assertThat(takeAll(open())).as("after a crash").containsExactly("/a", "/b");
  }

  @Test
  void take_onlyTheEndOfAnotherNotSynced_doesNotWaitForADisk() throws IOException {
    Journal journal = open();
    journal.add(RequestKind.EVENT, "/a", 0, 0);
    journal.add(RequestKind.EVENT, "/b", 0, 0);
    journal.sync();
    journal.done(take(journal, 0, true));
    int before = store.syncs;

    assertThat(take(journal, 0, true).text()).isEqualTo("/b");
    assertThat(store.syncs).isEqualTo(before);
  }

  @Test
  void open_nothingThere_isEmptyAndKnowsNoTransaction() throws IOException {
    Journal journal = open();
    assertThat(journal.lastTxid()).isEqualTo(-1);
    assertThat(journal.lastScan()).isEqualTo(-1);
    assertThat(take(journal, 0, true)).isNull();
  }

  @Test
  void restart_withoutClose_repeatsOnlyWhatHasNoEnd() throws IOException {
    Journal first = open();
    for (int i = 0; i < 5; i++) {
      first.add(RequestKind.EVENT, "/a/" + i, 0, 0);
    }
    first.advance(77);
    first.scanned(5);
    first.sync();
    first.done(take(first, 0, true));
    QueuedRequest handedOut = take(first, 0, true);
    assertThat(handedOut.text()).isEqualTo("/a/1");
    first.sync();

    Journal second = open();
    assertThat(takeAll(second)).containsExactly("/a/1", "/a/2", "/a/3", "/a/4");
    assertThat(second.lastTxid()).isEqualTo(77);
    assertThat(second.lastScan()).isEqualTo(5);
    assertThat(second.cutBytes()).isZero();
  }

  /** People name requests by their ids: a question asked before a failover must not hit another. */
  @Test
  void restart_idsGoOn_alsoWhereNoRequestIsLeft() throws IOException {
    Journal first = open();
    first.add(RequestKind.EVENT, "/a/0", 0, 0);
    first.add(RequestKind.EVENT, "/a/1", 0, 0);
    first.done(take(first, 0, true));
    first.done(take(first, 0, true));
    first.sync();

    assertThat(takeAll(open())).isEmpty();
    Journal third = open();
    third.add(RequestKind.EVENT, "/a/2", 0, 0);
    assertThat(take(third, 0, true).id()).isEqualTo(3);
    third.sync();
    assertThat(takeAll(open())).containsExactly("/a/2");
  }

  @Test
  void sync_nothingAdded_costsNothing() throws IOException {
    Journal journal = open();
    int before = store.syncs;
    journal.sync();
    assertThat(store.syncs).isEqualTo(before);
    journal.add(RequestKind.EVENT, "/a", 0, 0);
    journal.sync();
    journal.sync();
    assertThat(store.syncs).isEqualTo(before + 1);
  }

  @Test
  void torn_atEveryByte_keepsTheWholeRecordsBeforeAndNeverATransactionAlone() throws IOException {
    Journal writer = open();
    final int start = only().bytes.size();
    List<Integer> ends = new ArrayList<>(List.of(start));
    writer.add(RequestKind.EVENT, "/a/ä", 0, 0);
    ends.add(only().bytes.size());
    writer.add(RequestKind.SATISFY, "/.reserved/.inodes/1", 3, 0);
    ends.add(only().bytes.size());
    writer.advance(10);
    ends.add(only().bytes.size());
    writer.sync();
    writer.done(take(writer, 0, true));
    ends.add(only().bytes.size());
    writer.add(RequestKind.EVENT, "/b", 0, 0);
    ends.add(only().bytes.size());
    writer.advance(11);
    ends.add(only().bytes.size());
    byte[] content = only().bytes.toByteArray();
    List<List<String>> expected =
        List.of(
            List.of(),
            List.of("/a/ä"),
            List.of("/.reserved/.inodes/1", "/a/ä"),
            List.of("/.reserved/.inodes/1", "/a/ä"),
            List.of("/a/ä"),
            List.of("/a/ä", "/b"),
            List.of("/a/ä", "/b"));
    long[] txids = {-1, -1, -1, 10, 10, 10, 11};
    for (int length = 0; length <= content.length; length++) {
      disk.published.clear();
      disk.published.put("00000001", Segment.of(content, length));
      int whole = -1;
      for (int end : ends) {
        whole += end <= length ? 1 : 0;
      }
      Journal journal = open();
      assertThat(takeAll(journal))
          .as("cut at %d", length)
          .isEqualTo(whole < 0 ? List.of() : expected.get(whole));
      assertThat(journal.lastTxid()).isEqualTo(whole < 0 ? -1 : txids[whole]);
      int from = whole < 0 ? 0 : ends.get(whole);
      assertThat(journal.cutBytes()).isEqualTo(length - from);
    }
  }

  @Test
  void recordOfAnotherVersion_isPassedOverAndItsSegmentSetAside() throws IOException {
    Journal writer = open();
    writer.add(RequestKind.EVENT, "/a", 0, 0);
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    content.write(only().bytes.toByteArray());
    content.write(Frame.number((byte) 99, 7));
    content.write(Frame.request(new QueuedRequest(77, RequestKind.EVENT, 0, "/b")));
    disk.published.clear();
    disk.published.put("00000001", Segment.of(content.toByteArray(), content.size()));

    followed = List.of("/hot", "/cold");
    assertThat(open().unreadBytes()).isEqualTo(Frame.number((byte) 99, 7).length);

    assertThat(disk.aside.get("00000001").bytes.toByteArray()).isEqualTo(content.toByteArray());
    Journal again = open(); // the first was killed before anything was taken
    assertThat(again.unreadBytes()).isZero();
    assertThat(takeAll(again)).containsExactly("/a", "/b", "/hot", "/cold");
  }

  @Test
  void damaged_atEveryByte_losesOneRecordAndIsSetAsideUnlessItIsTheLast() throws IOException {
    Journal writer = open();
    int last = 0;
    for (int i = 0; i < 4; i++) {
      writer.add(RequestKind.EVENT, "/path/" + i, 0, 0);
      last = only().bytes.size();
      writer.advance(i);
    }
    byte[] content = only().bytes.toByteArray();
    List<String> all = List.of("/path/0", "/path/1", "/path/2", "/path/3");
    for (int at = 0; at < content.length; at++) {
      byte[] damaged = content.clone();
      damaged[at] ^= 0x41;
      disk.published.clear();
      disk.aside.clear();
      disk.published.put("00000001", Segment.of(damaged, damaged.length));
      Journal journal = open();
      assertThat(takeAll(journal)).as("at %d", at).isSubsetOf(all).hasSizeGreaterThanOrEqualTo(3);
      assertThat(journal.lastTxid()).isEqualTo(at < last ? 3 : 2);
      assertThat(journal.unreadBytes() > 0).isEqualTo(at < last);
      assertThat(journal.cutBytes() > 0).isEqualTo(at >= last);
      assertThat(disk.aside).hasSize(at < last ? 1 : 0);
    }
  }

  /**
   * As a DataNode that is restarted while a segment is read, and there is no other to read from.
   */
  @Test
  void open_aReadEndsEarly_failsAndTakesNothingForDamage() throws IOException {
    Journal journal = open();
    for (String path : List.of("/a", "/b", "/c")) {
      journal.add(RequestKind.SPOOL, path, 0, 0);
    }
    journal.sync();
    int length = only().synced;
    for (int at = 0; at < length; at++) {
      int good = at;
      Disk copy = new Disk();
      copy.published.put("1", Segment.of(only().bytes.toByteArray(), length));
      MemoryStore failing =
          new MemoryStore(copy) {
            @Override
            public InputStream open(String name) {
              return breaksOnce(super.open(name), good);
            }
          };
      assertThatThrownBy(() -> Journal.open(failing, NEVER, 0, followed))
          .as("a read ends at " + at)
          .isInstanceOf(IOException.class);
      Journal again = Journal.open(new MemoryStore(copy), NEVER, 0, followed);
      assertThat(again.unreadBytes() + again.cutBytes()).isZero();
      assertThat(takeAll(again)).containsExactly("/a", "/b", "/c");
    }
  }

  /** Throws what {@code DFSInputStream} throws then, and goes on when it is read again. */
  private static InputStream breaksOnce(InputStream whole, int at) {
    return new FilterInputStream(whole) {
      private int left = at;
      private boolean broke;

      @Override
      public int read(byte[] into, int offset, int length) throws IOException {
        if (left == 0 && !broke) {
          broke = true;
          throw new EOFException("Premature EOF from inputStream");
        }
        int part = super.read(into, offset, broke ? length : Math.min(left, length));
        left -= broke ? 0 : part;
        return part;
      }

      @Override
      public int available() {
        return 0; // else a buffer reads on at once
      }
    };
  }

  @Test
  void add_samePathQueued_isOneRequest_butNotOnceItRuns() throws IOException {
    Journal journal = open();
    assertThat(journal.add(RequestKind.EVENT, "/a", 0, 0)).isTrue();
    assertThat(journal.add(RequestKind.EVENT, "/a", 0, 0)).isFalse();
    assertThat(journal.add(RequestKind.RETRY, "/a", 1, 0)).isFalse();
    assertThat(journal.add(RequestKind.SCAN, "/a", 0, 0)).isTrue();
    QueuedRequest running = take(journal, 0, true);
    assertThat(running.kind()).isEqualTo(RequestKind.EVENT);
    assertThat(journal.add(RequestKind.EVENT, "/a", 0, 0)).isTrue();
    assertThat(take(journal, 0, true).kind())
        .as("the second waits for the first; the scan is of another kind")
        .isEqualTo(RequestKind.SCAN);
    assertThat(take(journal, 0, true)).isNull();
    journal.done(running);
    assertThat(take(journal, 1000, true).text()).isEqualTo("/a");
    assertThat(journal.size()).isEqualTo(2);
  }

  @Test
  void take_scanIsAdded_comesAfterEverythingElse() throws IOException {
    Journal journal = open();
    journal.add(RequestKind.SCAN, "/", 0, 0);
    journal.add(RequestKind.EVENT, "/a", 0, 0);
    journal.add(RequestKind.EVENT, "/b", 0, 0);
    assertThat(takeAll(journal)).containsExactly("/a", "/b", "/");
  }

  @Test
  void retry_isDueLater_comesThenWithItsAttempts() throws IOException {
    Journal journal = open();
    journal.add(RequestKind.EVENT, "/a", 0, 0);
    journal.add(RequestKind.EVENT, "/b", 0, 0);
    journal.retry(take(journal, 0, true), 1, 500);
    journal.retry(take(journal, 0, true), 1, 300);
    assertThat(take(journal, 299, true)).isNull();
    assertThat(take(journal, 300, true).text()).isEqualTo("/b");
    QueuedRequest again = take(journal, 500, true);
    assertThat(again.text()).isEqualTo("/a");
    assertThat(again.attempts()).isEqualTo(1);
  }

  @Test
  void add_sameWaitsForItsRetry_isTakenAtOnceAsNew() throws IOException {
    Journal journal = open();
    journal.add(RequestKind.RETRY, "/a", 4, 10_000);
    assertThat(take(journal, 0, true)).isNull();
    assertThat(journal.add(RequestKind.RETRY, "/a", 4, 20_000)).isFalse();
    assertThat(journal.add(RequestKind.EVENT, "/a", 0, 0)).isFalse();
    QueuedRequest request = take(journal, 0, true);
    assertThat(request.attempts()).isZero();
    journal.done(request);
    assertThat(take(journal, 10_000, true)).as("its old time is forgotten").isNull();
    assertThat(journal.size()).isZero();
  }

  @Test
  void add_emptyOrTooLong_isRefusedAndHarmless() throws IOException {
    Journal journal = open();
    assertThatThrownBy(() -> journal.add(RequestKind.EVENT, "", 0, 0))
        .isInstanceOf(IllegalArgumentException.class);
    String longest = "a".repeat(Journal.MAX_TEXT);
    assertThatThrownBy(() -> journal.add(RequestKind.EVENT, longest + "a", 0, 0))
        .isInstanceOf(IllegalArgumentException.class);
    journal.add(RequestKind.SPOOL, longest, 0, 0);
    journal.sync();
    assertThat(takeAll(open())).containsExactly(longest);
  }

  @Test
  void twoOwners_theFormerCannotWriteAnyMore() throws IOException {
    Journal former = open();
    former.add(RequestKind.EVENT, "/a", 0, 0);
    former.sync();
    Journal now = open();
    assertThatThrownBy(() -> former.add(RequestKind.EVENT, "/b", 0, 0))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(former::sync).isInstanceOf(IOException.class);
    assertThat(takeAll(now)).containsExactly("/a");
  }

  /** Else what other threads write behind it is behind half a record. */
  @Test
  void add_noMemoryInTheMiddleOfARecord_nothingIsWrittenBehindIt() throws IOException {
    AtomicBoolean full = new AtomicBoolean();
    MemoryStore failing =
        new MemoryStore(disk) {
          @Override
          public Output create() throws IOException {
            Output out = super.create();
            return new Output() {
              @Override
              public void write(byte[] bytes) throws IOException {
                if (full.getAndSet(false)) {
                  out.write(Arrays.copyOf(bytes, bytes.length / 2));
                  throw new OutOfMemoryError("of this test");
                }
                out.write(bytes);
              }

              @Override
              public void sync() throws IOException {
                out.sync();
              }

              @Override
              public void publish(boolean keepFenced) throws IOException {
                out.publish(keepFenced);
              }
            };
          }
        };
    Journal journal = Journal.open(failing, NEVER, 0, followed);
    journal.add(RequestKind.EVENT, "/a", 0, 0);
    journal.sync();
    full.set(true);
    assertThatThrownBy(() -> journal.add(RequestKind.EVENT, "/b", 0, 0))
        .isInstanceOf(OutOfMemoryError.class);
    assertThatThrownBy(() -> journal.add(RequestKind.EVENT, "/c", 0, 0))
        .isInstanceOf(IOException.class);
    assertThat(takeAll(open())).containsExactly("/a");
  }

  @Test
  void compaction_manyDone_keepsTheRestAndOneSmallSegment() throws IOException {
    Journal journal = open(10_000);
    Set<String> left = new TreeSet<>();
    Random random = new Random(6);
    int largest = 0;
    for (int i = 0; i < 5_000; i++) {
      journal.add(RequestKind.EVENT, "/dir/file-" + i, 0, 0);
      left.add("/dir/file-" + i);
      journal.advance(i);
      journal.sync();
      while (left.size() > 20 - random.nextInt(10)) {
        QueuedRequest request = take(journal, 0, true);
        left.remove(request.text());
        journal.done(request);
      }
      largest = Math.max(largest, only().bytes.size());
    }
    journal.sync();
    assertThat(largest).isLessThan(20_000);
    Journal second = open();
    assertThat(new TreeSet<>(takeAll(second))).isEqualTo(left);
    assertThat(second.lastTxid()).isEqualTo(4_999);
  }

  @Test
  void crash_betweenPublishAndDelete_theNewSegmentCountsAlone() throws IOException {
    Journal first = open();
    first.add(RequestKind.EVENT, "/done", 0, 0);
    first.add(RequestKind.EVENT, "/left", 0, 0);
    first.sync();
    final String name = disk.published.keySet().iterator().next();
    final Segment old = only();
    first.done(take(first, 0, true));
    first.sync();
    open();
    disk.published.put(name, Segment.of(old.bytes.toByteArray(), old.bytes.size()));
    assertThat(disk.published).hasSize(2);
    assertThat(takeAll(open())).containsExactly("/left");
  }

  @Test
  void random_operationsAndCrashes_nothingSyncedIsLostAndNothingDoneTwiceInTheEnd()
      throws IOException {
    for (int seed = 0; seed < 30; seed++) {
      disk.published.clear();
      runRandomly(new Random(seed));
    }
  }

  private void runRandomly(Random random) throws IOException {
    Set<String> safe = new HashSet<>();
    Set<String> unsafe = new HashSet<>();
    Set<String> done = new HashSet<>();
    Set<String> known = new HashSet<>();
    Journal journal = open(2_000);
    for (int step = 0; step < 400; step++) {
      int what = random.nextInt(20);
      if (what < 10) {
        String path = "/p" + step;
        journal.add(RequestKind.EVENT, path, 0, 0);
        unsafe.add(path);
        known.add(path);
      } else if (what < 16) {
        QueuedRequest request = take(journal, 0, true);
        if (request != null) {
          assertThat(known).contains(request.text());
          journal.done(request);
          done.add(request.text());
        }
      } else if (what < 19) {
        journal.sync();
        safe.addAll(unsafe);
        unsafe.clear();
      } else {
        Segment last = only();
        byte[] bytes = last.bytes.toByteArray();
        int length = last.synced + random.nextInt(bytes.length - last.synced + 1);
        disk.published.put(disk.published.keySet().iterator().next(), Segment.of(bytes, length));
        unsafe.clear();
        journal = open(2_000);
      }
    }
    journal.sync();
    Set<String> expected = new HashSet<>(safe);
    expected.removeAll(done);
    assertThat(takeAll(open())).containsAll(expected).doesNotHaveDuplicates();
  }

  @Test
  void manyRequests_comeInOrder() throws IOException {
    Journal journal = open();
    for (int i = 0; i < 100_000; i++) {
      journal.add(RequestKind.EVENT, "/d/" + i, 0, 0);
    }
    journal.sync();
    for (int i = 0; i < 100_000; i++) {
      QueuedRequest request = take(journal, 0, true);
      assertThat(request.text()).isEqualTo("/d/" + i);
      journal.done(request);
    }
    assertThat(journal.size()).isZero();
  }

  /** What waits does the work of both; the same any number of times would fill the queue. */
  @Test
  void retriedWhileTheSameWaits_onlyThatStays() throws IOException {
    Journal journal = open();
    journal.add(RequestKind.RETRY, "/f", 0, 0);
    for (int i = 0; i < 10; i++) {
      QueuedRequest taken = take(journal, 0, false);
      journal.add(RequestKind.EVENT, "/f", 0, 0);
      journal.retry(taken, 1, 1_000_000);
      assertThat(journal.size()).isEqualTo(1);
    }
    QueuedRequest last = take(journal, 0, false);
    journal.retry(last, 1, 1_000_000);
    assertThat(take(journal, 0, false)).isNull();
    assertThat(journal.closed("/f", 0)).isTrue();
    assertThat(take(journal, 0, false).text()).isEqualTo("/f");
    assertThat(open().size()).as("after a crash").isEqualTo(1);
  }

  /** A directory may be renamed to where a prefix is, while its scan waits for all else. */
  @Test
  void readUpTo_afterARestartAndACompaction_isKnown_butNotOnceTheSameIsAskedForAgain()
      throws IOException {
    Journal journal = open(200);
    journal.add(RequestKind.RESCAN, "/d", 0, 0);
    journal.sync();
    QueuedRequest scan = take(journal, 0, true);
    assertThat(scan.readUpTo()).isNull();
    journal.readUpTo(scan, "/d/a/5");
    journal.readUpTo(scan, "/d/b/");
    journal.sync();
    open(200); // written anew
    assertThat(only().bytes.size()).isLessThan(200);
    journal = open(200);
    assertThat(take(journal, 0, true).readUpTo()).isEqualTo("/d/b/");

    journal = open(200);
    assertThat(journal.add(RequestKind.RESCAN, "/d", 0, 0)).isFalse();
    journal.sync();
    assertThat(take(journal, 0, true).readUpTo()).as("events were lost once more").isNull();
    assertThat(take(open(), 0, true).readUpTo()).as("after a crash as well").isNull();
  }

  @Test
  void readUpTo_sameIsAskedForWhileItRuns_neitherIsReadOnAfterACrash() throws IOException {
    Journal journal = open();
    journal.add(RequestKind.RESCAN, "/d", 0, 0);
    QueuedRequest scan = take(journal, 0, true);
    journal.readUpTo(scan, "/d/b/");
    assertThat(journal.add(RequestKind.RESCAN, "/d", 0, 0)).isTrue();
    journal.sync();

    Journal again = open();
    assertThat(take(again, 0, true).readUpTo()).isNull();
    assertThat(take(again, 0, true)).isNull();
    assertThat(take(open(), 0, true).readUpTo()).isNull();
  }

  @Test
  void readUpTo_stoppedInBetween_isReadOnByTheSameDaemon() throws IOException {
    Journal journal = open();
    journal.add(RequestKind.SCAN, "/d", 0, 0);
    QueuedRequest scan = take(journal, 0, true);
    journal.readUpTo(scan, "/d/b/");
    journal.retry(scan, scan.attempts(), 10);
    assertThat(take(journal, 10, true).readUpTo()).isEqualTo("/d/b/");
  }

  @Test
  void renameOfAPrefixWhileItsScanWaits_doesNotWaitWithIt() throws IOException {
    Journal journal = open();
    journal.add(RequestKind.RESCAN, "/hot", 0, 0);
    journal.add(RequestKind.EVENT, "/hot", 0, 0);
    assertThat(take(journal, 0, false).kind()).isEqualTo(RequestKind.EVENT);
  }

  /** Else files that wait for their next attempt would never come while others are found. */
  @Test
  void found_afterAnotherOfItsLineWasDue_comesBehindIt() throws IOException {
    Journal journal = open();
    journal.add(RequestKind.EVENT, "/d/new", 0, 0);
    journal.add(RequestKind.INODE, "17 /d/again", 1, 10);
    journal.found(journal.take(0, RequestKind.Line.TO_LOOK_AT), RequestKind.Line.TO_MOVE, 20);
    assertThat(journal.take(20, RequestKind.Line.TO_MOVE).shown()).isEqualTo("/d/again");
    assertThat(journal.take(20, RequestKind.Line.TO_MOVE).shown()).isEqualTo("/d/new");
  }

  @Test
  void add_sameWaitsForALaterTime_isDueAtTheEarlierAndLosesNoAttempt() throws IOException {
    Journal journal = open();
    journal.add(RequestKind.INODE, "17 /d/f", 2, 1_000);
    assertThat(journal.add(RequestKind.INODE, "17 /d/f", 5, 500)).isFalse();
    assertThat(journal.add(RequestKind.INODE, "17 /d/f", 0, 2_000)).isFalse();
    assertThat(journal.take(499, RequestKind.Line.TO_MOVE)).isNull();
    assertThat(journal.take(500, RequestKind.Line.TO_MOVE).attempts()).isEqualTo(2);
  }

  /** Its directory was renamed in between; a second one would be of the same file at once. */
  @Test
  void add_sameInodeUnderAnotherPath_isTheSameRequest() throws IOException {
    Journal journal = open();
    assertThat(journal.add(RequestKind.INODE, "17 /d/a/f", 1, 0)).isTrue();
    assertThat(journal.add(RequestKind.INODE, "17 /d/b/f", 1, 0)).isFalse();
    assertThat(journal.add(RequestKind.INODE, "170 /d/a/f", 1, 0)).isTrue();
    assertThat(takeAll(journal)).containsExactly("17 /d/a/f", "170 /d/a/f");
  }

  /** The requests for what a scan had left behind may be among what is lost. */
  @Test
  void readUpTo_someOfTheJournalIsDamaged_theScanBeginsAnew() throws IOException {
    Journal writer = open();
    writer.add(RequestKind.RESCAN, "/d", 0, 0);
    writer.readUpTo(take(writer, 0, true), "/d/b/");
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    content.write(only().bytes.toByteArray());
    content.write(Frame.number((byte) 99, 7));
    disk.published.clear();
    disk.published.put("00000001", Segment.of(content.toByteArray(), content.size()));
    followed = List.of("/d");
    assertThat(take(open(), 0, true).readUpTo()).isNull();
    assertThat(take(open(), 0, true).readUpTo()).isNull();
  }
}
