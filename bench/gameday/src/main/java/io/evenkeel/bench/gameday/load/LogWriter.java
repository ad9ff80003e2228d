package io.evenkeel.bench.gameday.load;

import io.evenkeel.bench.gameday.history.Content;
import io.evenkeel.bench.gameday.history.History;
import io.evenkeel.bench.gameday.history.Operation.Create;
import io.evenkeel.bench.gameday.history.Operation.Sync;
import io.evenkeel.bench.gameday.history.Timeline;
import io.evenkeel.bench.gameday.schedule.Mix;
import java.io.IOException;
import java.util.Random;
import org.apache.hadoop.fs.FSDataOutputStream;

/**
 * Writes logs as HBase does: small records, each flushed, a new log from time to time, the old one
 * renamed into an archive and the oldest of these deleted. Confined to its thread.
 *
 * <p>Apart from {@link Load}, which has several threads of it.
 */
final class LogWriter extends Writer {
  private static final long LONGEST_BYTES = 5L * LoadPlan.BLOCK_BYTES / 2;
  private static final int SYNC_ONE_IN = 10;
  private static final int ARCHIVED = 4;

  private final Mix mix;
  private final Directory current;
  private final String archive;
  private int logs;
  private String path = "";
  private Content content;

  /** Of the log that is being written; null when there is none. */
  private FSDataOutputStream out;

  /**
   * Takes its directories, which are its own.
   *
   * @param mix how long records and logs are
   * @param archive has the same storage policy as {@code current}
   */
  LogWriter(
      Recorder recorder,
      History history,
      Timeline timeline,
      Random random,
      Mix mix,
      Directory current,
      String archive) {
    super(recorder, history, timeline, random);
    this.mix = mix;
    this.current = current;
    this.archive = archive;
  }

  @Override
  void step() throws IOException {
    if (out == null) {
      archive();
      begin();
    } else if (out.getPos() > LONGEST_BYTES || random().nextInt(mix.logRecords()) == 0) {
      close();
    } else {
      append();
    }
  }

  private void begin() throws IOException {
    Create create = current.create(Integer.toString(logs++));
    out = recorder().create(create);
    path = create.path();
    content = content(path);
  }

  private void append() throws IOException {
    Sync sync = random().nextInt(SYNC_ONE_IN) == 0 ? Sync.HSYNC : Sync.HFLUSH;
    long bytes = 1 + random().nextInt(mix.recordBytes());
    FSDataOutputStream writing = out;
    out = null; // unless it succeeds
    recorder().write(path, writing, content, bytes, sync);
    out = writing;
  }

  @Override
  void close() throws IOException {
    if (out != null) {
      FSDataOutputStream closing = out;
      out = null;
      recorder().close(path, closing);
      files().add(path);
    }
  }

  /** Moves every closed log to the archive, also those that had to be recovered. */
  private void archive() throws IOException {
    for (String log : files().stream().filter(file -> !file.startsWith(archive)).toList()) {
      String target = archive + log.substring(log.lastIndexOf('/'));
      recorder().rename(log, target);
      files().remove(log);
      files().add(target);
    }
    while (files().size() > ARCHIVED) {
      recorder().delete(files().get(0));
      files().remove(0);
    }
  }
}
