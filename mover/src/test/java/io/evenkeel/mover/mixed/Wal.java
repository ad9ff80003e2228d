package io.evenkeel.mover.mixed;

import java.io.IOException;
import org.apache.hadoop.fs.FSDataOutputStream;

/**
 * A log that is written record by record, each flushed to all of its DataNodes before it counts.
 * Confined to the thread of its store.
 */
final class Wal {
  private final Store store;
  private String path;
  private FSDataOutputStream out;
  private Content flushed = Content.EMPTY;

  Wal(Store store) {
    this.store = store;
  }

  boolean isOpen() {
    return out != null;
  }

  String path() {
    return path;
  }

  long length() {
    return flushed.length();
  }

  void open(String newPath) throws IOException {
    path = newPath;
    flushed = Content.EMPTY;
    try {
      out = store.open(path);
      store.tally().count("operations", "create");
    } catch (IOException e) {
      store.tally().error("create", e);
      store.settle(path, Content.EMPTY, Content.EMPTY);
    }
  }

  void record(long seed, int bytes) throws IOException {
    Content after = flushed.plus(seed, bytes);
    try {
      out.write(after.bytes(flushed.length(), bytes));
      out.hflush();
      flushed = after;
      store.tally().count("operations", "write and hflush");
    } catch (IOException e) {
      store.tally().error("hflush", e);
      abandon(after);
    }
  }

  /** Closes it; then it is a file like others. */
  void close() throws IOException {
    try {
      out.close();
      out = null;
      store.files().put(path, flushed);
      store.tally().count("operations", "close");
    } catch (IOException e) {
      store.tally().error("close", e);
      abandon(flushed);
    }
  }

  private void abandon(Content most) throws IOException {
    FSDataOutputStream broken = out;
    out = null;
    try {
      broken.close();
    } catch (IOException e) {
      store.tally().error("close after an error", e);
    }
    store.settle(path, flushed, most);
  }

  /** Gives it another name while it is written. */
  void rename(String to) throws IOException {
    store.files().put(path, flushed); // follows the rename as others do
    store.rename(path, to);
    if (store.files().remove(to) != null) {
      path = to;
    } else {
      store.files().remove(path);
    }
  }
}
