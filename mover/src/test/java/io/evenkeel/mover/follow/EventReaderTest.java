package io.evenkeel.mover.follow;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import io.evenkeel.common.testing.LogLines;
import io.evenkeel.mover.core.follow.Journal;
import io.evenkeel.mover.core.follow.MemoryStore;
import io.evenkeel.mover.core.follow.PollPace;
import io.evenkeel.mover.core.follow.Prefixes;
import io.evenkeel.mover.core.follow.QueuedRequest;
import io.evenkeel.mover.core.follow.RequestKind;
import io.evenkeel.mover.core.follow.RequestState;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.util.Time;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once") // says nothing about a Hadoop release
class EventReaderTest {
  private static final int ROOM = 10;

  private final List<String> roots = new ArrayList<>();
  private Journal journal;

  /** With a queue that is full of files of /p0. */
  private EventReader readerOfFullQueue() throws IOException {
    journal =
        Journal.open(
            new MemoryStore(new MemoryStore.Disk()), 1 << 20, Time.monotonicNow(), List.of());
    ActiveDaemon daemon = new ActiveDaemon(journal, new FollowCounters("a"), ROOM);
    Prefixes prefixes = Prefixes.parse(String.join(",", roots), "/own");
    EventReader reader = new EventReader(daemon, null, prefixes, new PollPace(100));
    for (int i = 0; i < ROOM; i++) {
      reader.add("/p0/f" + i);
    }
    return reader;
  }

  /** As where the NameNode cannot read its edits, perhaps for hours. */
  @Test
  void eventsCannotBeRead_isSaidOnceInOneLine() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    InvocationHandler down =
        (proxy, method, args) -> {
          calls.incrementAndGet();
          throw new RemoteException("java.io.IOException", "no JournalNodes\n\tat x");
        };
    Class<?>[] protocol = {ClientProtocol.class};
    ClientProtocol nameNode =
        (ClientProtocol) Proxy.newProxyInstance(getClass().getClassLoader(), protocol, down);
    DFSClient client = new DFSClient(null, nameNode, new Configuration(), null);
    DistributedFileSystem fs =
        new DistributedFileSystem() {
          @Override
          public DFSClient getClient() {
            return client;
          }
        };
    Journal empty = Journal.open(new MemoryStore(new MemoryStore.Disk()), 0, 0, List.of());
    FollowCounters counters = new FollowCounters("a");
    ActiveDaemon daemon = new ActiveDaemon(empty, counters, ROOM);
    PollPace pace = new PollPace(100);
    try (LogLines lines = LogLines.of(EventReader.class)) {
      daemon.start("events", new EventReader(daemon, fs, Prefixes.parse("/p", "/own"), pace));
      Await.until("it was tried again", () -> calls.get() > 2);
      daemon.stop();
      assertThat(lines.at("WARN")).hasSize(1);
      assertThat(lines.at("WARN").get(0)).contains("no JournalNodes").doesNotContain("\n");
      assertThat(counters.getLastError()).startsWith("events: ").doesNotContain("\n");
    }
  }

  private List<RequestState> scans() {
    List<RequestState> scans = new ArrayList<>(journal.first(1_000, Time.monotonicNow()));
    scans.removeIf(state -> state.request().kind() != RequestKind.RESCAN);
    return scans;
  }

  /** Each prefix waits for its own scans alone. */
  @Test
  void queueIsFullForAMoment_noPrefixWaitsForTheScansOfOthers() throws IOException {
    for (int i = 0; i < 24; i++) {
      roots.add("/p" + i);
    }
    EventReader work = readerOfFullQueue();
    for (String root : roots) {
      work.add(root + "/more");
    }

    assertThat(scans()).hasSize(roots.size());
    assertThat(scans())
        .allMatch(state -> state.waitMs() <= TimeUnit.MINUTES.toMillis(1), "at most a minute");
  }

  /** What fills it may wait for days, and each scan reads all of the prefix. */
  @Test
  void queueStaysFull_firstScanIsDueAtOnceAndTheNextIsNot() throws IOException {
    roots.add("/p0");
    EventReader work = readerOfFullQueue();
    work.add("/p0/more");
    work.add("/p0/still-more");
    assertThat(scans()).hasSize(1);
    QueuedRequest scan = journal.take(Time.monotonicNow(), RequestKind.Line.LOW);
    assertThat(scan.text()).isEqualTo("/p0");
    journal.done(scan);

    work.add("/p0/again");

    assertThat(scans()).hasSize(1);
    assertThat(journal.take(Time.monotonicNow(), RequestKind.Line.LOW)).isNull();
  }
}
