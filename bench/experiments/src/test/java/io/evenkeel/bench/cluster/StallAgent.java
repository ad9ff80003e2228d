package io.evenkeel.bench.cluster;

import io.evenkeel.bench.demo.StalledDisk;
import io.evenkeel.bench.fileio.FileIoHook;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import javax.management.JMException;
import javax.management.ObjectName;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.io.nativeio.NativeIO;
import org.apache.hadoop.util.ServicePlugin;

/**
 * What a DataNode process gets besides Hadoop so that one of its disks can stall: as a Java agent
 * it allows a volume in memory without a right to lock pages, as a plugin of the DataNode it stalls
 * the first DISK volume while a file is there. The file is the agent's argument; what it met is in
 * JMX as {@link #BEAN}. Thread-safe.
 */
public final class StallAgent implements ServicePlugin {
  static final String BEAN = "io.evenkeel.bench:type=StalledDisk";

  private static final long PERIOD_MILLIS = 10;
  private static final List<Class<?>> CLASSES =
      List.of(
          StallAgent.class, StateMXBean.class, State.class, StalledDisk.class, FileIoHook.class);

  private static volatile Path command;

  private final CountDownLatch stopped = new CountDownLatch(1);
  private volatile StalledDisk disk;

  /** State of the disk in JMX. */
  public interface StateMXBean {
    /** Operations that had to wait for the end of a stall, since the process began. */
    int getBlocked();
  }

  private final class State implements StateMXBean {
    @Override
    public int getBlocked() {
      StalledDisk current = disk;
      return current == null ? 0 : current.blocked();
    }
  }

  /** Writes the jar for {@code -javaagent}; it is on the process's class path by that too. */
  static void pack(Path target) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Premain-Class", StallAgent.class.getName());
    try (OutputStream out = Files.newOutputStream(target);
        JarOutputStream jar = new JarOutputStream(out, manifest)) {
      for (Class<?> type : CLASSES) {
        String name = type.getName().replace('.', '/') + ".class";
        jar.putNextEntry(new JarEntry(name));
        try (InputStream in = type.getClassLoader().getResourceAsStream(name)) {
          in.transferTo(jar);
        }
        jar.closeEntry();
      }
    }
  }

  /** Called by the JVM before the DataNode's main method. */
  public static void premain(String file) {
    command = Path.of(file);
    NativeIO.POSIX.setCacheManipulator(new NativeIO.POSIX.NoMlockCacheManipulator());
  }

  @Override
  public void start(Object service) {
    try {
      ManagementFactory.getPlatformMBeanServer().registerMBean(new State(), new ObjectName(BEAN));
    } catch (JMException e) {
      throw new IllegalStateException(e);
    }
    Thread thread = new Thread(() -> watch((DataNode) service), "stall-agent");
    thread.setDaemon(true);
    thread.start();
  }

  private void watch(DataNode dataNode) {
    boolean stalled = false;
    try {
      while (!stopped.await(PERIOD_MILLIS, TimeUnit.MILLISECONDS)) {
        if (Files.exists(command) != stalled) {
          stalled = !stalled;
          turn(dataNode, stalled);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      throw new IllegalStateException(e); // into the log; the test sees that nothing stalls
    }
  }

  private void turn(DataNode dataNode, boolean stall) throws IOException {
    if (disk == null) {
      // Not earlier: a dataset may replace what its DataNode does I/O with.
      disk = StalledDisk.in(dataNode, StorageType.DISK);
    }
    if (stall) {
      disk.stall();
    } else {
      disk.recover();
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
