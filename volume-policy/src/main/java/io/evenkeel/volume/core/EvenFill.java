package io.evenkeel.volume.core;

import java.util.concurrent.TimeUnit;

/**
 * Whether one volume that nobody uses may get a block out of turn, for its free space. It may while
 * its device is at rest and, where blocks are read, while it has had no more than {@link #MOST}
 * times its share of the blocks of about ten minutes.
 *
 * <p><b>At rest.</b> A block whose writer has gone may still be in the page cache, and then its
 * device has it to write. Blocks out of turn for such a volume would end in a full page cache, and
 * their writers at the pace of one device while others have nothing to do. So the bytes that
 * clients brought are counted, and those the device wrote; what it owes at a sample, and what came
 * since, less what it can write in that time, must be next to nothing. So is what it read, or wrote
 * though nobody brought it, while it was busy for the greater part: it may go on with that. A
 * device that was not busy owes at most the latest block: pages nobody writes back are in nobody's
 * way yet. Where the device does not tell, it is taken for one that writes 100 MB/s. Blocks count
 * as long as they were announced; what was too much is forgotten as soon as the device has time.
 *
 * <p><b>Read.</b> Readers like the newest blocks, and a disk that had nearly all of them would have
 * nearly all of the readers (HDFS-16966). A volume with readers has users, so no block comes out of
 * turn while they are there; but they may come later. Hence the bound for a volume whose device has
 * read more than a quarter of what it wrote in about ten minutes, or does not tell.
 *
 * <p>Not thread-safe: guarded by the {@link VolumeGroup}.
 */
final class EvenFill {
  /** Where blocks are read, this many times a fair share of the new ones is the most. */
  static final double MOST = 2;

  /** A device that reads less than this part of what it writes counts as not read. */
  private static final double HARDLY = 0.25;

  private static final double PERIOD = TimeUnit.MINUTES.toNanos(10);

  /** A device that has less to do than this is at rest. */
  private static final double REST = TimeUnit.MILLISECONDS.toNanos(50);

  private static final double MILLI = TimeUnit.MILLISECONDS.toNanos(1);

  /** A device that was busy for less of the time had nothing to do for a moment. */
  private static final double NO_GAP = 0.98;

  /** Bytes per nanosecond of a device whose own pace is not known. */
  private static final double USUAL_PACE = 0.1;

  private double pace = USUAL_PACE;
  private double owed; // at the latest sample
  private double promised; // since then
  private long unacknowledged; // at the latest sample
  private double unused; // bytes the device had time for and nothing to do, since then
  private DeviceCounters last;
  private long sampledAt;
  private boolean sampled;
  private boolean tells;
  private double latest; // bytes of the latest block, and when it was promised
  private long latestAt;
  private double blocks;
  private double read;
  private double written;

  /** A block of that many bytes will come. */
  void promise(long bytes, long now) {
    latest = Math.max(0, bytes);
    latestAt = now;
    promised += latest;
    blocks++;
  }

  /** Blocks of about ten minutes, fading. */
  double blocks() {
    return blocks;
  }

  /**
   * Takes a sample.
   *
   * @param device null when there are no counters
   * @param bytes announced and not yet acknowledged; negative when not known
   */
  void observe(DeviceCounters device, long bytes, long now) {
    double elapsed = sampled ? Math.max(0, now - sampledAt) : 0;
    double arrived = arrived(bytes);
    fade(Math.exp(-elapsed / PERIOD));
    tells = told(device) && told(last) && device.bytesWritten() >= last.bytesWritten();
    if (tells) {
      double wrote = device.bytesWritten() - last.bytesWritten();
      double had = Math.max(0, device.bytesRead() - last.bytesRead());
      double busy = MILLI * (device.busyMillis() - last.busyMillis());
      written += wrote;
      read += had;
      if (busy > 0 && busy >= elapsed / 2) {
        pace = wrote + had > 0 ? (wrote + had) / busy : pace;
        double beyond = had + Math.max(0, wrote - arrived - owed);
        owed += arrived - wrote;
        // A device with a gap had nothing to do then, so the rest came since; half, because blocks
        // that are given up or shorter than announced would be owed for ever.
        if (busy < NO_GAP * elapsed) {
          owed = Math.min(owed, arrived) / 2;
        }
        owed = Math.max(owed, beyond);
      } else {
        owed = Math.max(0, Math.min(latest, arrived) - pace * (now - latestAt));
      }
    } else {
      owed = Math.max(0, owed + arrived - pace * elapsed);
    }
    promised = 0;
    unused = 0;
    unacknowledged = Math.max(0, bytes);
    last = device;
    sampledAt = now;
    sampled = true;
  }

  private void fade(double keep) {
    blocks *= keep;
    read *= keep;
    written *= keep;
  }

  private static boolean told(DeviceCounters device) {
    return device != null && device.busyMillis() >= 0 && device.bytesWritten() >= 0;
  }

  /** Bytes clients have brought since the latest sample. */
  private double arrived(long bytes) {
    return promised + unacknowledged - Math.max(0, bytes);
  }

  /**
   * Whether a block may come out of turn; asked while nobody uses the volume.
   *
   * @param bytes announced and not yet acknowledged; negative when not known
   * @param most blocks of about ten minutes a volume that is read may have had
   */
  boolean allows(long bytes, double most, long now) {
    double since = sampled ? now - sampledAt : 0;
    double owes = owed + arrived(bytes) - (pace * since - unused);
    if (owes < 0) {
      unused -= owes;
    }
    boolean isRead = !tells || read > HARDLY * written;
    return owes <= pace * REST && !(isRead && blocks > most);
  }
}
