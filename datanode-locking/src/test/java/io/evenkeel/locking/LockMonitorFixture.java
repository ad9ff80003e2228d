package io.evenkeel.locking;

import io.evenkeel.locking.core.LockEvents;
import io.evenkeel.locking.core.Operation;
import io.evenkeel.locking.core.OperationKind;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/** Monitors over a dataset that has only volumes. */
final class LockMonitorFixture implements AutoCloseable {
  private final List<LockMonitor> monitors = new ArrayList<>();

  /** Listens, and is not started. */
  LockMonitor monitor(String... keysAndValues) {
    Map<String, String> conf = new HashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      conf.put("evenkeel.locking." + keysAndValues[i], keysAndValues[i + 1]);
    }
    LockMonitor monitor =
        new LockMonitor(
            LockingKeys.TABLE.readOrFail(conf.entrySet(), conf::get, warning -> {}),
            true,
            LockEvents.NONE);
    monitors.add(monitor);
    return monitor;
  }

  /** A dataset with volumes of these names, in directories below /data. */
  static FsDatasetSpi<?> dataset(String... names) {
    List<FsVolumeSpi> volumes = Arrays.stream(names).map(LockMonitorFixture::volume).toList();
    return answering(
        FsDatasetSpi.class,
        Map.of("getFsVolumeReferences", () -> new FsDatasetSpi.FsVolumeReferences(volumes)));
  }

  private static FsVolumeSpi volume(String name) {
    Map<String, Supplier<Object>> answers = new HashMap<>();
    FsVolumeSpi volume = answering(FsVolumeSpi.class, answers);
    FsVolumeReference reference =
        answering(FsVolumeReference.class, Map.of("getVolume", () -> volume, "close", () -> null));
    answers.put("getStorageID", () -> "DS-" + name);
    answers.put("getBaseURI", () -> URI.create("file:/data/" + name + "/"));
    answers.put("obtainReference", () -> reference);
    return volume;
  }

  private static <T> T answering(Class<T> type, Map<String, Supplier<Object>> answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> answers.get(method.getName()).get()));
  }

  /** Begins and locks; the caller closes. */
  static Operation hold(LockMonitor monitor, OperationKind kind, long block, String volume) {
    Operation operation = monitor.operations().begin(kind, "BP-1", block);
    operation.keepLock();
    operation.on("DS-" + volume);
    return operation;
  }

  @Override
  public void close() {
    monitors.forEach(LockMonitor::close);
  }
}
