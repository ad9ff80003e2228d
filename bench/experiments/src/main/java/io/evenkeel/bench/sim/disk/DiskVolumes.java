package io.evenkeel.bench.sim.disk;

import io.evenkeel.volume.core.DeviceCounters;
import io.evenkeel.volume.core.Space;
import io.evenkeel.volume.core.VolumeSignals;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/** Simulated disks as volumes of a DataNode, and what a policy may know of them. Stateless. */
final class DiskVolumes implements VolumeSignals<FsVolumeSpi> {
  private static final double MB = 1 << 20;

  /** A DataNode holds one reference to each volume itself. */
  private static final long IDLE = 1;

  /** One volume per disk. */
  static List<FsVolumeSpi> of(StorageType type, List<Disk> disks) {
    List<FsVolumeSpi> volumes = new ArrayList<>();
    for (Disk disk : disks) {
      volumes.add(
          (FsVolumeSpi)
              Proxy.newProxyInstance(
                  FsVolumeSpi.class.getClassLoader(),
                  new Class<?>[] {FsVolumeSpi.class},
                  new Handler(disk, type)));
    }
    return List.copyOf(volumes);
  }

  /** The disk below a volume. */
  static Disk disk(FsVolumeSpi volume) {
    return ((Handler) Proxy.getInvocationHandler(volume)).disk;
  }

  private record Handler(Disk disk, StorageType type) implements InvocationHandler {
    @Override
    public Object invoke(Object proxy, Method method, Object[] args) {
      return switch (method.getName()) {
        case "getAvailable" -> available(disk);
        case "getStorageType" -> type;
        case "toString", "getStorageID", "getBasePath" -> name();
        case "getBaseURI" -> URI.create("file:" + name());
        case "hashCode" -> System.identityHashCode(proxy);
        case "equals" -> proxy == args[0];
        default -> throw new UnsupportedOperationException(method.toString());
      };
    }

    private String name() {
      return String.format("/data/%03d", disk.index);
    }
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
