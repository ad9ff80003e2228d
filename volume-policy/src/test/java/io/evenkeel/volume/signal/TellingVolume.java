package io.evenkeel.volume.signal;

import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/**
 * A volume whose answers are set by name, an exception among them. A proxy, because the methods of
 * FsVolumeSpi differ by release; of a package-private interface, because the class of such a proxy
 * can be looked into as that of a DataNode's volume can.
 */
final class TellingVolume {
  /** What the DataNode's own class has beyond FsVolumeSpi. */
  interface Counters {
    int getReferenceCount();

    long getReservedForReplicas();

    long getCapacity();
  }

  /** The same in Hadoop 2.7, as far as it has another name. */
  interface OldCounters {
    long getReservedForRbw();
  }

  final FsVolumeSpi spi;
  final Map<String, Object> answers = new ConcurrentHashMap<>();

  private TellingVolume(Path directory, Class<?> counters) {
    answers.put("getAvailable", 1000L);
    answers.put("directory", directory.toString());
    spi =
        (FsVolumeSpi)
            Proxy.newProxyInstance(
                Counters.class.getClassLoader(),
                new Class<?>[] {FsVolumeSpi.class, counters},
                (proxy, method, args) -> {
                  Object answer = answers.get(method.getName());
                  if (answer instanceof Throwable failure) {
                    throw failure;
                  }
                  return switch (method.getName()) {
                    case "hashCode" -> System.identityHashCode(proxy);
                    case "equals" -> proxy == args[0];
                    case "toString" -> "volume " + directory;
                    default -> answer;
                  };
                });
  }

  static TellingVolume of(Path directory) {
    TellingVolume volume = new TellingVolume(directory, Counters.class);
    volume.answers.put("getReferenceCount", 3);
    volume.answers.put("getReservedForReplicas", 70L);
    volume.answers.put("getCapacity", 5000L);
    return volume;
  }

  static TellingVolume old(Path directory) {
    TellingVolume volume = new TellingVolume(directory, OldCounters.class);
    volume.answers.put("getReservedForRbw", 80L);
    return volume;
  }

  static TellingVolume silent(Path directory) {
    return new TellingVolume(directory, Runnable.class);
  }
}
