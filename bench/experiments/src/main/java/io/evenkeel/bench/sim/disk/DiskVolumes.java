package io.evenkeel.bench.sim.disk;

import io.evenkeel.bench.sim.StubVolume;
import io.evenkeel.volume.core.DeviceCounters;
import io.evenkeel.volume.core.Space;
import io.evenkeel.volume.core.VolumeSignals;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/** Simulated disks as volumes of a DataNode, and what a policy may know of them. */
final class DiskVolumes implements VolumeSignals<FsVolumeSpi> {
  private static final double MB = 1 << 20;

  /** A DataNode holds one reference to each volume itself. */
  private static final long IDLE = 1;

  private final Map<FsVolumeSpi, Disk> disks = new IdentityHashMap<>();
  private final List<FsVolumeSpi> volumes = new ArrayList<>();

  /** One volume per disk. */
  DiskVolumes(StorageType type, List<Disk> all) {
    for (Disk disk : all) {
      String name = String.format("/data/%03d", disk.index);
      volumes.add(StubVolume.volume(name, type, () -> available(disk)));
      disks.put(volumes.get(volumes.size() - 1), disk);
    }
  }

  List<FsVolumeSpi> list() {
    return volumes;
  }

  /** The disk below a volume. */
  Disk disk(FsVolumeSpi volume) {
    return disks.get(volume);
  }

  private static long available(Disk disk) {
    return (long) (disk.free() * MB);
  }

  @Override
  public long references(FsVolumeSpi volume) {
    return IDLE + disk(volume).open.size() + disk(volume).reads.size();
  }

  @Override
  public long unacknowledgedBytes(FsVolumeSpi volume) {
    return (long) (disk(volume).unacknowledged() * MB);
  }

  @Override
  public DeviceCounters device(FsVolumeSpi volume) {
    return disk(volume).counters();
  }

  @Override
  public Space space(FsVolumeSpi volume) {
    Disk disk = disk(volume);
    return new Space(available(disk), (long) (disk.spec.capacity() * MB));
  }

  @Override
  public String describe(FsVolumeSpi volume) {
    return "simulated";
  }
}
