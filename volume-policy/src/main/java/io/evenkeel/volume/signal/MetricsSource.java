package io.evenkeel.volume.signal;

import io.evenkeel.volume.core.DeviceCounters;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.metrics2.lib.MutableStat;
import org.apache.hadoop.metrics2.util.SampleStat;

/**
 * Writes of one volume from Hadoop's own volume metrics, which are filled while the DataNode
 * profiles its file I/O: how long writes of the DataNode took, the page cache included, in whole
 * milliseconds. They know nothing of requests in flight.
 *
 * <p>It reads private fields, for nothing public tells on any release what was written since the
 * latest sample and how long that took:
 *
 * <ul>
 *   <li>The getters of a volume have the number and the mean of one interval without saying which.
 *       A snapshot begins a new one, at moments this class does not choose, and two readings of
 *       different intervals would pass for a measurement. Before Hadoop 3.3 the getters for writes
 *       answer for syncs.
 *   <li>A snapshot that this class took itself ({@code getMetrics} of the metrics2 source) would
 *       end the interval for everybody: what the operator sees would be means of a second or less.
 *   <li>JMX has the number of all writes, but with the mean of the latest interval, and of a
 *       snapshot that it keeps for a period of the metrics system, by default 10 s. Three samples
 *       in a row would last half a minute, and with a period of a minute an estimate would be
 *       forgotten before the next one.
 * </ul>
 *
 * <p>The statistic behind them has the sum of the current interval, that of the one before, and the
 * number of all samples that tells them apart.
 *
 * <p>Not thread-safe: confined to the sampling thread.
 */
final class MetricsSource {
  private static final Access ACCESS = Access.find();

  private MutableStat read;
  private long earlier;
  private long count;
  private double total;
  private long writes;
  private double millis;

  /** Whether this release has such metrics. */
  static boolean available() {
    return ACCESS != null;
  }

  /**
   * What was measured so far; null before anything was. Samples of an interval that began and ended
   * between two readings may be missing.
   *
   * @throws ReflectiveOperationException when the volume cannot tell
   */
  DeviceCounters read(FsVolumeSpi volume) throws ReflectiveOperationException {
    Object metrics = ACCESS == null ? null : ACCESS.getMetrics.invoke(volume);
    Object stat = metrics == null ? null : ACCESS.writeIoRate.get(metrics);
    return stat == null ? null : read((MutableStat) stat);
  }

  DeviceCounters read(MutableStat stat) throws ReflectiveOperationException {
    if (stat != read) {
      read = stat;
      earlier = 0;
      count = 0;
      total = 0;
    }
    synchronized (stat) { // it is filled and snapshot under its own lock
      SampleStat now = (SampleStat) ACCESS.interval.get(stat);
      long ended = ACCESS.ended.getLong(stat);
      if (ended != earlier) {
        // What came to the interval after it was last read; intervals before it are not kept.
        SampleStat before = (SampleStat) ACCESS.previous.get(stat);
        boolean known = ended - earlier == before.numSamples();
        add(before.numSamples() - (known ? count : 0), sum(before) - (known ? total : 0));
        count = 0;
        total = 0;
        earlier = ended;
      }
      add(now.numSamples() - count, sum(now) - total);
      count = now.numSamples();
      total = sum(now);
    }
    return writes == 0 ? null : new DeviceCounters(writes, writes, millis, 0);
  }

  private void add(long moreWrites, double moreMillis) {
    writes += Math.max(0, moreWrites);
    millis += Math.max(0, moreMillis);
  }

  private static double sum(SampleStat stat) {
    return stat.numSamples() * stat.mean();
  }

  /** The ways in, by name: neither the class nor the fields are API. Immutable. */
  private static final class Access {
    private final Method getMetrics;
    private final Field writeIoRate;
    private final Field ended;
    private final Field interval;
    private final Field previous;

    private Access() throws ReflectiveOperationException {
      getMetrics = FsVolumeSpi.class.getMethod("getMetrics");
      writeIoRate = open(getMetrics.getReturnType(), "writeIoRate", MutableStat.class);
      ended = open(MutableStat.class, "numSamples", long.class);
      interval = open(MutableStat.class, "intervalStat", SampleStat.class);
      previous = open(MutableStat.class, "prevStat", SampleStat.class);
    }

    private static Field open(Class<?> owner, String name, Class<?> type)
        throws ReflectiveOperationException {
      Field field = owner.getDeclaredField(name);
      if (!type.isAssignableFrom(field.getType())) {
        throw new NoSuchFieldException(name + " of type " + type);
      }
      field.setAccessible(true);
      return field;
    }

    static Access find() {
      try {
        return new Access();
      } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
        return null; // Hadoop 2.7 has none
      }
    }
  }
}
