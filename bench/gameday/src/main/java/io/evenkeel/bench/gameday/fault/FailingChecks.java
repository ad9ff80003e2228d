package io.evenkeel.bench.gameday.fault;

import io.evenkeel.bench.gameday.fault.DiskOrder.Effect;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.checker.AsyncChecker;
import org.apache.hadoop.hdfs.server.datanode.checker.Checkable;
import org.apache.hadoop.hdfs.server.datanode.checker.DatasetVolumeChecker;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.util.DiskChecker.DiskErrorException;

/**
 * The DataNode's checks of its volumes, which look at directories past the hook: those of a volume
 * that fails find that it does. Thread-safe.
 *
 * <p>Apart from {@link FaultAgent} since it is another hook of Hadoop.
 */
final class FailingChecks implements InvocationHandler {
  private final FaultyDisks disks;
  private final Object stock;

  private FailingChecks(FaultyDisks disks, Object stock) {
    this.disks = disks;
    this.stock = stock;
  }

  /**
   * Puts itself between a DataNode and its checks.
   *
   * @throws IOException when this Hadoop release has no such place
   */
  static void putInto(DataNode dataNode, FaultyDisks disks) throws IOException {
    try {
      Field checker = DataNode.class.getDeclaredField("volumeChecker");
      checker.setAccessible(true);
      Field delegate = DatasetVolumeChecker.class.getDeclaredField("delegateChecker");
      delegate.setAccessible(true);
      Object owner = checker.get(dataNode);
      // A proxy: the interface is in terms of classes that Hadoop keeps to itself.
      delegate.set(
          owner,
          Proxy.newProxyInstance(
              FailingChecks.class.getClassLoader(),
              new Class<?>[] {AsyncChecker.class},
              new FailingChecks(disks, delegate.get(owner))));
    } catch (ReflectiveOperationException e) {
      throw new IOException("this Hadoop release has no place for checks of volumes", e);
    }
  }

  @Override
  public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
    Object[] given = arguments == null ? new Object[0] : arguments.clone();
    if (given.length > 0
        && given[0] instanceof FsVolumeSpi volume
        && disks.ordered(volume, Effect.FAIL)) {
      // A new one each time: stock does not repeat a check of the same at once.
      Checkable<?, ?> fails =
          context -> {
            throw new DiskErrorException(volume + ": Input/output error");
          };
      given[0] = fails;
    }
    try {
      return method.invoke(stock, given);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
