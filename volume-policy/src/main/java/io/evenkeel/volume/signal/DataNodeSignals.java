package io.evenkeel.volume.signal;

import io.evenkeel.volume.core.DeviceCounters;
import io.evenkeel.volume.core.Space;
import io.evenkeel.volume.core.VolumeSignals;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/**
 * The signals of a DataNode. Work in flight is read from the volume itself; write latency from the
 * block device, else from Hadoop's volume metrics, as far as the operator allows. A signal that is
 * missing or throws is passed over, with one line in the log for each volume; apart from {@link
 * #space} nothing here throws.
 *
 * <p>Thread-safe; {@code this} guards the records of volumes, which are held weakly, and of
 * devices. The lock is never taken by a choosing thread and never held while anything is asked.
 */
public final class DataNodeSignals implements VolumeSignals<FsVolumeSpi> {
  private static final Path BLOCK_DEVICES = Paths.get("/sys/dev/block");

  private final boolean useDevice;
  private final boolean useMetrics;
  private final Function<FsVolumeSpi, String> directory;
  private final Path blockDevices;
  private final List<VolumeSource> sources = new ArrayList<>();
  private final Map<String, DeviceSource> devices = new HashMap<>();
  private volatile VolumeCalls latest; // for any thread; null until the first call

  DataNodeSignals(String mode, Function<FsVolumeSpi, String> directory, Path blockDevices) {
    this.useDevice = "auto".equals(mode) || "device".equals(mode);
    this.useMetrics = "auto".equals(mode) || "metrics".equals(mode);
    this.directory = directory;
    this.blockDevices = blockDevices;
  }

  /**
   * Creates signals for a value of {@code evenkeel.volume.signals}.
   *
   * @param mode auto, device, metrics or in-flight
   * @param directory the data directory of a volume
   */
  public static DataNodeSignals create(String mode, Function<FsVolumeSpi, String> directory) {
    return new DataNodeSignals(mode, directory, BLOCK_DEVICES);
  }

  @Override
  public long references(FsVolumeSpi volume) {
    return calls(volume).references(volume);
  }

  @Override
  public long unacknowledgedBytes(FsVolumeSpi volume) {
    return calls(volume).unacknowledged(volume);
  }

  @Override
  public long blocks(FsVolumeSpi volume) {
    return calls(volume).blocks(volume);
  }

  /** As {@link VolumeCalls#of}, quicker: on a DataNode all volumes are of one class. */
  private VolumeCalls calls(FsVolumeSpi volume) {
    VolumeCalls calls = latest;
    if (calls == null || !calls.areOf(volume)) {
      calls = VolumeCalls.of(volume);
      latest = calls;
    }
    return calls;
  }

  /** Null until {@link #space} was first asked, which finds the device. */
  @Override
  public DeviceCounters device(FsVolumeSpi volume) {
    return source(volume).read(volume, references(volume) != UNKNOWN);
  }

  @Override
  public Space space(FsVolumeSpi volume) throws IOException {
    VolumeCalls calls = VolumeCalls.of(volume);
    VolumeSource source = source(volume);
    if (!source.searched()) {
      search(source, volume);
    }
    return new Space(calls.available(volume), calls.capacity(volume));
  }

  private void search(VolumeSource source, FsVolumeSpi volume) {
    DeviceSource found = null;
    String why = null;
    if (useDevice) {
      try {
        String number = DeviceSource.numberOf(path(volume));
        found = deviceSource(number);
        found.read();
      } catch (IOException | RuntimeException e) {
        why = (found == null ? "" : "device " + found.number() + ": ") + e;
        found = null;
      }
    }
    source.found(found, why);
  }

  private Path path(FsVolumeSpi volume) throws IOException {
    String dir = directory.apply(volume);
    // The path of a provided volume is one of another file system.
    if (!dir.startsWith("/") || "PROVIDED".equals(String.valueOf(volume.getStorageType()))) {
      throw new IOException(dir + " is not a local directory");
    }
    return Paths.get(dir);
  }

  private synchronized DeviceSource deviceSource(String number) {
    return devices.computeIfAbsent(number, n -> new DeviceSource(blockDevices, n));
  }

  private synchronized VolumeSource source(FsVolumeSpi volume) {
    for (VolumeSource source : sources) {
      if (source.get() == volume) {
        return source;
      }
    }
    sources.removeIf(s -> s.get() == null);
    MetricsSource metrics = useMetrics && MetricsSource.available() ? new MetricsSource() : null;
    VolumeSource source = new VolumeSource(volume, name(volume), metrics);
    sources.add(source);
    return source;
  }

  private String name(FsVolumeSpi volume) {
    try {
      return directory.apply(volume);
    } catch (RuntimeException e) {
      return volume.getClass().getName();
    }
  }

  @Override
  public String describe(FsVolumeSpi volume) {
    VolumeCalls calls = VolumeCalls.of(volume);
    List<String> inUse = new ArrayList<>();
    if (calls.references(volume) != UNKNOWN) {
      inUse.add("references");
    } else if (calls.unacknowledged(volume) != UNKNOWN) {
      inUse.add("unacknowledged bytes");
    }
    String latency = source(volume).inUse();
    if (!latency.isEmpty()) {
      inUse.add(latency);
    }
    return inUse.isEmpty() ? "none" : String.join(", ", inUse);
  }
}
