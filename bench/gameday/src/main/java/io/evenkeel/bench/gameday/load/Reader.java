package io.evenkeel.bench.gameday.load;

import io.evenkeel.bench.gameday.history.History;
import io.evenkeel.bench.gameday.history.Reading;
import io.evenkeel.bench.gameday.history.Timeline;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * Reads files of the writers, also those that are open for writes, as a whole or parts of them,
 * until the load ends. Confined to its thread.
 *
 * <p>Apart from {@link Load}, which has several threads of it.
 */
final class Reader {
  private static final int READS_OF_A_LIST = 20;
  private static final int BUFFER_BYTES = 64 << 10;

  private final String name;
  private final DistributedFileSystem fs;
  private final History history;
  private final Timeline timeline;
  private final Random random;
  private final byte[] buffer = new byte[BUFFER_BYTES];

  Reader(String name, DistributedFileSystem fs, History history, Timeline timeline, Random random) {
    this.name = name;
    this.fs = fs;
    this.history = history;
    this.timeline = timeline;
    this.random = random;
  }

  void run(Load load) throws InterruptedException {
    while (load.working()) {
      List<String> paths = history.present();
      for (int i = 0; i < READS_OF_A_LIST && load.working() && !paths.isEmpty(); i++) {
        read(any(random.nextBoolean() ? paths : open(paths)));
        load.pause();
      }
      load.pause();
    }
  }

  private String any(List<String> paths) {
    return paths.get(random.nextInt(paths.size()));
  }

  /** The logs that are being written, as those read who follow them; all files when none is. */
  private static List<String> open(List<String> paths) {
    List<String> open = paths.stream().filter(LoadPlan::isOpenLog).toList();
    return open.isEmpty() ? paths : open;
  }

  private void read(String path) {
    Reading reading = history.reading(path);
    try {
      if (random.nextBoolean()) {
        Recorder.read(fs, path, reading, buffer);
      } else {
        readPart(path, reading, history.acknowledged(path));
      }
    } catch (FileNotFoundException e) {
      reading.absent();
    } catch (IOException e) {
      Recorder.refused(timeline, name, "Read", e);
    }
  }

  /**
   * Reads at a position.
   *
   * @param acknowledged so many bytes were acknowledged after the reading had begun
   */
  private void readPart(String path, Reading reading, long acknowledged) throws IOException {
    if (acknowledged == 0) {
      return;
    }
    long position = random.nextLong(acknowledged);
    int length = (int) Math.min(buffer.length, acknowledged - position);
    int read = 0;
    try (FSDataInputStream in = fs.open(new Path(path))) {
      while (read < length) {
        int done = read;
        int n = Recorder.answered(() -> in.read(position + done, buffer, done, length - done));
        if (n < 0) {
          reading.bytes(position, buffer, 0, read);
          reading.whole(position + read); // of all bytes, only these were compared
          return;
        }
        read += n;
      }
    }
    reading.bytes(position, buffer, 0, read);
    reading.part();
  }
}
