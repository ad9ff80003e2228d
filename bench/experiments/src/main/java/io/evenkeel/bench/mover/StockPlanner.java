package io.evenkeel.bench.mover;

import io.evenkeel.bench.namenode.RegisteredNodes;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.balancer.NameNodeConnector;
import org.apache.hadoop.hdfs.server.mover.Mover;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/**
 * The part of {@code hdfs mover} that decides what to do with one block: compare types, then choose
 * and queue one move. The threads that would make the move drop it. Its classes are not public, so
 * it is called by method handles, which the JVM treats as plain calls; apart from {@link
 * PlanBenchmark}, which has enough to do with both planners' input. Confined to one thread.
 */
final class StockPlanner implements AutoCloseable {
  /** How many moves may be queued before {@link #forget}. */
  static final int QUEUED = 1024;

  private static final String MOVER = Mover.class.getName();
  private static final int IDLE_ROUNDS = 5;
  private static final MethodHandle DIFFERENCE;
  private static final MethodHandle REMOVE_OVERLAP;
  private static final MethodHandle SCHEDULE;

  static {
    try {
      Class<?> difference = Class.forName(MOVER + "$StorageTypeDiff");
      Class<?> processor = Class.forName(MOVER + "$Processor");
      Constructor<?> create = difference.getDeclaredConstructor(List.class, StorageType[].class);
      Method overlap = difference.getDeclaredMethod("removeOverlap", boolean.class);
      Method schedule =
          processor.getDeclaredMethod(
              "scheduleMoves4Block", difference, LocatedBlock.class, ErasureCodingPolicy.class);
      create.setAccessible(true);
      overlap.setAccessible(true);
      schedule.setAccessible(true);
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      DIFFERENCE =
          lookup
              .unreflectConstructor(create)
              .asType(MethodType.methodType(Object.class, List.class, StorageType[].class));
      REMOVE_OVERLAP =
          lookup
              .unreflect(overlap)
              .asType(MethodType.methodType(boolean.class, Object.class, boolean.class));
      SCHEDULE =
          lookup
              .unreflect(schedule)
              .asType(
                  MethodType.methodType(
                      boolean.class,
                      Object.class,
                      Object.class,
                      LocatedBlock.class,
                      ErasureCodingPolicy.class));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final NameNodeConnector connector;
  private final Object processor;
  private final List<Collection<?>> queues = new ArrayList<>();
  private final List<Map<?, ?>> moved = new ArrayList<>();

  /** Connects, and asks the NameNode for its DataNodes. */
  StockPlanner(RegisteredNodes nodes) throws IOException, ReflectiveOperationException {
    DefaultMetricsSystem.setMiniClusterMode(true);
    Configuration conf = nodes.conf();
    conf.setInt("dfs.datanode.balance.max.concurrent.moves", 2 * QUEUED);
    NameNodeConnector.setWrite2IdFile(false);
    connector =
        new NameNodeConnector(
            "Mover", nodes.uri(), new Path("/system/mover.id"), List.of(), conf, IDLE_ROUNDS);
    Constructor<Mover> constructor =
        Mover.class.getDeclaredConstructor(
            NameNodeConnector.class, Configuration.class, AtomicInteger.class, Map.class);
    constructor.setAccessible(true);
    Mover mover = constructor.newInstance(connector, conf, new AtomicInteger(), Map.of());
    Method init = Mover.class.getDeclaredMethod("init");
    init.setAccessible(true);
    init.invoke(mover);
    Constructor<?> processing =
        Class.forName(MOVER + "$Processor").getDeclaredConstructor(Mover.class);
    processing.setAccessible(true);
    processor = processing.newInstance(mover);
    Object windows = value(value(value(mover, "dispatcher"), "movedBlocks"), "movedBlocks");
    ((List<?>) windows).forEach(window -> moved.add((Map<?, ?>) window));
    Object sources = value(value(value(mover, "storages"), "sources"), "map");
    for (Object source : ((Map<?, ?>) sources).values()) {
      drop(value(source, "this$0"));
    }
  }

  /** Makes a DataNode's queue one whose moves nobody makes. */
  private void drop(Object dataNode) throws ReflectiveOperationException {
    field(dataNode.getClass(), "moveExecutor").set(dataNode, new Dropping());
    queues.add((Collection<?>) value(dataNode, "pendings"));
  }

  private static Object value(Object owner, String name) throws ReflectiveOperationException {
    return field(owner.getClass(), name).get(owner);
  }

  /** The outermost one of that name: a subclass may have an owner of its own. */
  private static Field field(Class<?> type, String name) throws NoSuchFieldException {
    Field found = null;
    for (Class<?> each = type; each != null; each = each.getSuperclass()) {
      for (Field field : each.getDeclaredFields()) {
        found = field.getName().equals(name) ? field : found;
      }
    }
    if (found == null) {
      throw new NoSuchFieldException(type + "." + name);
    }
    found.setAccessible(true);
    return found;
  }

  /**
   * Plans one block as the mover plans each block of a file.
   *
   * @param expected storage types the file's policy asks for
   * @return whether a move was queued
   */
  boolean plan(List<StorageType> expected, LocatedBlock block) {
    try {
      Object difference = (Object) DIFFERENCE.invokeExact(expected, block.getStorageTypes());
      return !(boolean) REMOVE_OVERLAP.invokeExact(difference, true)
          && (boolean)
              SCHEDULE.invokeExact(processor, difference, block, (ErasureCodingPolicy) null);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /** Forgets all moves, so that the same blocks can be planned again. */
  void forget() {
    queues.forEach(Collection::clear);
    moved.forEach(Map::clear);
  }

  @Override
  public void close() {
    connector.close();
  }

  /** Runs nothing. */
  private static final class Dropping extends AbstractExecutorService {
    @Override
    public void execute(Runnable task) {}

    @Override
    public void shutdown() {}

    @Override
    public List<Runnable> shutdownNow() {
      return List.of();
    }

    @Override
    public boolean isShutdown() {
      return false;
    }

    @Override
    public boolean isTerminated() {
      return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
      return true;
    }
  }
}
