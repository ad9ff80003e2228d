package io.evenkeel.bench.gameday.fault;

import io.evenkeel.bench.fileio.FileIoHook;
import io.evenkeel.bench.gameday.fault.DiskOrder.Effect;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import javax.management.JMException;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsVolumeImpl;
import org.apache.hadoop.io.nativeio.NativeIO;
import org.apache.hadoop.util.ServicePlugin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a DataNode process gets besides Hadoop so that its disks can fail: as a Java agent it allows
 * a volume in memory without a right to lock pages, as a plugin of the DataNode it follows a {@link
 * ControlFile}, whose path is the agent's argument, relative to the process's directory. What is in
 * force is in JMX, see {@link DataNodeBeans}.
 *
 * <p>Two threads: the one that reads the file must never wait for a lock that a hanging operation
 * holds, or no order could ever end. Thread-safe.
 *
 * <p>Apart from the cluster: it runs in the DataNodes' processes.
 */
public final class FaultAgent implements ServicePlugin {
  private static final Logger LOG = LoggerFactory.getLogger(FaultAgent.class);
  private static final long POLL_MILLIS = 20;
  private static final long UPKEEP_MILLIS = 250;
  private static final List<Class<?>> CLASSES =
      List.of(
          FaultAgent.class,
          FaultyDisks.class,
          FailingChecks.class,
          DataNodeBeans.class,
          VolumeState.class,
          ReplicaLine.class,
          ControlFile.class,
          DiskOrder.class,
          FileIoHook.class,
          SlowVolumeChoice.class);

  private static volatile Path control;

  private final CountDownLatch stopped = new CountDownLatch(1);
  private final FaultyDisks disks = new FaultyDisks();
  private DataNode dataNode;
  private DataNodeBeans beans;
  private FileIoProvider hooked; // only the thread that follows the file uses it
  private boolean started; // likewise
  private volatile ControlFile wanted = ControlFile.parse("");

  /** Writes the jar for {@code -javaagent}; it is on the process's class path by that too. */
  public static void pack(Path target) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Premain-Class", FaultAgent.class.getName());
    try (OutputStream out = Files.newOutputStream(target);
        JarOutputStream jar = new JarOutputStream(out, manifest)) {
      for (Class<?> type : CLASSES) {
        pack(type, jar);
      }
    }
  }

  private static void pack(Class<?> type, JarOutputStream jar) throws IOException {
    String name = type.getName().replace('.', '/') + ".class";
    jar.putNextEntry(new JarEntry(name));
    try (InputStream in = type.getClassLoader().getResourceAsStream(name)) {
      in.transferTo(jar);
    }
    jar.closeEntry();
    for (Class<?> nested : type.getDeclaredClasses()) {
      pack(nested, jar);
    }
  }

  /** Called by the JVM before the DataNode's main method. */
  public static void premain(String file) {
    control = Path.of(file).toAbsolutePath();
    NativeIO.POSIX.setCacheManipulator(new NativeIO.POSIX.NoMlockCacheManipulator());
  }

  @Override
  public void start(Object service) {
    dataNode = (DataNode) service;
    beans = new DataNodeBeans(dataNode, disks);
    try {
      beans.register();
      FailingChecks.putInto(dataNode, disks);
    } catch (JMException | IOException e) {
      throw new IllegalStateException(e);
    }
    every("fault-control", POLL_MILLIS, this::follow);
    every("fault-upkeep", UPKEEP_MILLIS, new Upkeep()::run);
  }

  private void every(String name, long millis, Runnable action) {
    Runnable loop =
        () -> {
          try {
            while (!stopped.await(millis, TimeUnit.MILLISECONDS)) {
              action.run();
            }
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        };
    Thread thread = new Thread(loop, name);
    thread.setDaemon(true);
    thread.start();
  }

  private void follow() {
    ControlFile before = wanted;
    try {
      ControlFile now = ControlFile.parse(text());
      // Again and again: a dataset may replace what its DataNode does I/O with.
      FileIoProvider io = dataNode.getFileIoProvider();
      if (io != hooked) {
        FileIoHook.set(dataNode, disks);
        hooked = io;
      }
      // Not earlier: a disk that hangs while a DataNode starts keeps it from ever registering.
      started = started || dataNode.isDatanodeFullyStarted();
      if (started && !now.equals(before)) {
        disks.use(now.orders());
        wanted = now;
        LOG.info("Disks: {}", now);
      }
      beans.inForce(started ? now.version() : -1, "");
    } catch (IOException | RuntimeException e) {
      beans.inForce(-1, e.toString());
    }
  }

  private static String text() throws IOException {
    try {
      return Files.readString(control);
    } catch (NoSuchFileException e) {
      return "";
    }
  }

  /** What may have to wait for a lock: full volumes that say so, and lists of replicas. */
  private final class Upkeep {
    private final Set<FsVolumeImpl> full = new HashSet<>();
    private final Set<FsVolumeImpl> leaked = new HashSet<>();
    private String dumped = "";

    void run() {
      try {
        List<FsVolumeImpl> volumes = beans.volumes();
        full.retainAll(volumes);
        volumes.forEach(this::adjust);
        for (FsVolumeImpl volume : volumes) {
          if (disks.ordered(volume, Effect.LEAK) && leaked.add(volume)) {
            volume.obtainReference();
          }
        }
        ControlFile now = wanted;
        if (!now.dump().isEmpty() && !now.dump().equals(dumped) && !volumes.isEmpty()) {
          dump(Path.of(now.dump()));
          dumped = now.dump();
        }
      } catch (IOException | RuntimeException e) {
        LOG.warn("Upkeep of disks", e);
      }
    }

    /** A volume without free space has a capacity of what it holds. */
    private void adjust(FsVolumeImpl volume) {
      if (disks.ordered(volume, Effect.FULL)) {
        full.add(volume);
        try {
          volume.setCapacityForTesting(volume.getDfsUsed());
        } catch (IOException e) {
          LOG.warn("Capacity of {}", volume, e);
        }
      } else if (full.remove(volume)) {
        volume.setCapacityForTesting(-1); // as before: that of its file system
      }
    }

    private void dump(Path target) throws IOException {
      List<String> lines = beans.replicas().stream().map(ReplicaLine::toLine).sorted().toList();
      Path next = target.resolveSibling(target.getFileName() + ".new");
      Files.write(next, lines);
      Files.move(next, target, StandardCopyOption.ATOMIC_MOVE);
    }
  }

  @Override
  public void stop() {
    stopped.countDown();
  }

  @Override
  public void close() {
    stop();
  }
}
