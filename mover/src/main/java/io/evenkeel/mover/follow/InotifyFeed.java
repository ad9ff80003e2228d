package io.evenkeel.mover.follow;

import io.evenkeel.mover.core.follow.FileEvent;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.DFSInotifyEventInputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.inotify.Event;
import org.apache.hadoop.hdfs.inotify.EventBatch;
import org.apache.hadoop.hdfs.inotify.MissingEventsException;

/** The NameNode's events from a transaction on. Not thread-safe. */
final class InotifyFeed {
  private static final int MOST_EVENTS = 10_000;

  private final DFSInotifyEventInputStream stream;

  InotifyFeed(DistributedFileSystem fs, long lastTxid) throws IOException {
    this.stream = fs.getInotifyEventStream(lastTxid);
  }

  /** What came since the last call, without waiting for more; one call to the NameNode or few. */
  Batch next() throws IOException {
    Batch batch = new Batch();
    try {
      EventBatch found = stream.poll();
      while (found != null) {
        for (Event event : found.getEvents()) {
          batch.add(event);
        }
        batch.lastTxid = found.getTxid();
        found = batch.seen < MOST_EVENTS ? stream.poll() : null;
      }
    } catch (MissingEventsException e) {
      batch.missed = true;
    }
    batch.behind = stream.getTxidsBehindEstimate();
    return batch;
  }

  /** Some events in their order. */
  static final class Batch {
    private final List<FileEvent> events = new ArrayList<>();
    private long lastTxid = -1;
    private long behind;
    private int seen;
    private int creates;
    private boolean missed;

    private void add(Event event) {
      seen++;
      if (event instanceof Event.RenameEvent) {
        Event.RenameEvent rename = (Event.RenameEvent) event;
        events.add(
            FileEvent.rename(rename.getSrcPath(), rename.getDstPath(), rename.getTimestamp()));
      } else if (event instanceof Event.CloseEvent) {
        Event.CloseEvent close = (Event.CloseEvent) event;
        events.add(FileEvent.close(close.getPath(), close.getTimestamp()));
      } else if (event instanceof Event.CreateEvent) {
        creates++;
      }
    }

    /** Renames and closes. */
    List<FileEvent> events() {
      return events;
    }

    /** The last transaction read; -1 when there was none. */
    long lastTxid() {
      return lastTxid;
    }

    /** Transactions the NameNode is ahead; -1 when unknown. */
    long behind() {
      return behind;
    }

    /** Events of all kinds. */
    int seen() {
      return seen;
    }

    /** Events of new files and directories; they are only counted. */
    int creates() {
      return creates;
    }

    /** Whether the NameNode has dropped events before they could be read. */
    boolean missed() {
      return missed;
    }
  }
}
