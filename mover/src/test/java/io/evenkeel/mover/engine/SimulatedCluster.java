package io.evenkeel.mover.engine;

import io.evenkeel.common.testing.Await;
import io.evenkeel.mover.core.plan.BlockView;
import io.evenkeel.mover.core.plan.ClusterView;
import io.evenkeel.mover.core.plan.FileView;
import io.evenkeel.mover.core.plan.MovableRule;
import io.evenkeel.mover.core.plan.NodeView;
import io.evenkeel.mover.core.plan.Replica;
import io.evenkeel.mover.core.plan.ReplicaMove;
import io.evenkeel.mover.core.plan.WantedTypes;
import io.evenkeel.mover.core.task.MoveResult;
import io.evenkeel.mover.core.task.NameNodeState;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * A cluster in memory: DataNodes answer late or refuse at random, the NameNode hears of moves later
 * than the mover, and every rule a mover could break is checked on the way.
 */
final class SimulatedCluster implements Namespace, ReplicaMover, AutoCloseable {
  static final int REPLICATION = 3;
  private static final int PAGE = 50;

  /** One file; its replicas are the NameNode's view. */
  static final class File {
    final long inode;
    String path;
    List<String> types;
    boolean open;
    long stamp = 1;
    long rightSeen = Long.MIN_VALUE;
    final List<List<Replica>> blocks = new ArrayList<>();

    File(long inode, String path, List<String> types) {
      this.inode = inode;
      this.path = path;
      this.types = types;
    }
  }

  final List<String> violations = Collections.synchronizedList(new ArrayList<>());
  final AtomicInteger listings = new AtomicInteger();
  final AtomicInteger fileCalls = new AtomicInteger();
  final AtomicInteger clusterCalls = new AtomicInteger();
  final AtomicInteger moves = new AtomicInteger();
  final AtomicInteger busy = new AtomicInteger();
  final TreeMap<String, File> files = new TreeMap<>();
  final Map<Long, File> byInode = new HashMap<>();
  final Random random;
  double unreachable;
  double noSpace;
  double exists;
  int quota = Integer.MAX_VALUE;
  long moveMillis;
  long hearMillis = 5;
  boolean pinned;
  volatile boolean safeMode;
  volatile boolean maintenance;

  /** Why nothing may be moved; each move is then answered so. */
  volatile String refusal;

  private final Map<String, NodeView> nodes = new LinkedHashMap<>();
  private final Map<String, Integer> inFlight = new HashMap<>();
  private final Map<Long, Set<String>> excess = new HashMap<>();

  /** Replicas that came over the network, which their DataNode knows before the NameNode. */
  private final Set<String> arrived = new HashSet<>();

  private final Map<Long, Integer> remoteOf = new HashMap<>();
  private final ScheduledExecutorService later = Executors.newScheduledThreadPool(1);
  private static final AtomicInteger CLUSTERS = new AtomicInteger();
  private final String name = "simulated-" + CLUSTERS.incrementAndGet();
  private long nextId = 1000;

  SimulatedCluster(long seed) {
    random = new Random(seed);
  }

  /**
   * This cluster under a name of its own, as a process sees it with which others of this JVM share
   * nothing; its client fails while {@code breaks}.
   */
  Namespace named(String other, BooleanSupplier breaks) {
    return (Namespace)
        Proxy.newProxyInstance(
            Namespace.class.getClassLoader(),
            new Class<?>[] {Namespace.class},
            (proxy, method, args) -> {
              if (method.getName().equals("name")) {
                return other;
              }
              if (breaks.getAsBoolean()) {
                throw new IllegalStateException("a fault of the client");
              }
              try {
                return method.invoke(this, args);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  void node(String uuid, String... types) {
    Map<String, List<Long>> space = new HashMap<>();
    for (String type : types) {
      space.put(type, List.of(1L << 40));
    }
    nodes.put(uuid, new NodeView(uuid, "/rack", uuid, NodeView.Use.TARGET, space));
  }

  /** A file whose replicas lie on random nodes, all of one type. */
  synchronized File file(String path, int blocks, String from, String... wanted) {
    File file = new File(nextId++, path, List.of(wanted));
    List<String> holders = new ArrayList<>();
    for (NodeView node : nodes.values()) {
      if (node.remaining().containsKey(from)) {
        holders.add(node.uuid());
      }
    }
    for (int b = 0; b < blocks; b++) {
      Collections.shuffle(holders, random);
      long id = nextId++;
      List<Replica> replicas = new ArrayList<>();
      for (int r = 0; r < REPLICATION; r++) {
        replicas.add(new Replica(holders.get(r), from, id, 100));
      }
      file.blocks.add(replicas);
    }
    files.put(path, file);
    byInode.put(file.inode, file);
    return file;
  }

  /** The file as it was: with the same inode id, its blocks and another one that it has not now. */
  synchronized File snapshot(String path, String as, String from) {
    File now = files.get(path);
    File then = new File(now.inode, as, now.types);
    List<Replica> cut = new ArrayList<>();
    long id = nextId++;
    now.blocks.get(0).forEach(r -> cut.add(new Replica(r.node(), from, id, 100)));
    then.blocks.addAll(now.blocks);
    then.blocks.add(cut);
    files.put(as, then);
    return then;
  }

  synchronized void delete(String path) {
    byInode.remove(files.remove(path).inode);
  }

  synchronized void rename(String from, String to) {
    File file = files.remove(from);
    file.path = to;
    files.put(to, file);
  }

  /** The last block gets another generation stamp and the file another block on those nodes. */
  synchronized void append(String path, String type) {
    File file = files.get(path);
    file.stamp++;
    long id = nextId++;
    List<Replica> replicas = new ArrayList<>();
    for (Replica replica : file.blocks.get(0)) {
      if (replicas.size() < REPLICATION) {
        replicas.add(new Replica(replica.node(), type, id, 100));
      }
    }
    file.blocks.add(replicas);
  }

  synchronized void policy(String path, String... types) {
    files.get(path).types = List.of(types);
  }

  synchronized boolean isRight(File file) {
    for (List<Replica> replicas : file.blocks) {
      List<String> types = new ArrayList<>();
      replicas.forEach(r -> types.add(r.type()));
      Collections.sort(types);
      List<String> wanted = new ArrayList<>(file.types);
      Collections.sort(wanted);
      if (!types.equals(wanted)) {
        return false;
      }
    }
    return true;
  }

  /** Files whose replicas are not as wanted, with these. */
  synchronized List<String> wrong() {
    List<String> wrong = new ArrayList<>();
    for (File file : files.values()) {
      if (!isRight(file)) {
        wrong.add(file.path + " wants " + file.types + " has " + file.blocks);
      }
    }
    return wrong;
  }

  @Override
  public String pathOf(String given) {
    if (!given.startsWith("/")) {
      throw new IllegalArgumentException(given + " is not absolute");
    }
    return given;
  }

  @Override
  public synchronized Page list(String path, String startAfter) {
    listings.incrementAndGet();
    File one = find(path);
    if (one != null) {
      return new Page(List.of(view(one, path)), Map.of(), null);
    }
    String prefix = path.equals("/") ? "/" : path + "/";
    List<FileView> page = new ArrayList<>();
    Map<String, Long> directories = new LinkedHashMap<>();
    String last = prefix + (startAfter == null ? "" : startAfter);
    boolean any = false;
    for (Map.Entry<String, File> e : files.tailMap(last, false).entrySet()) {
      if (!e.getKey().startsWith(prefix)) {
        break;
      }
      any = true;
      String rest = e.getKey().substring(prefix.length());
      int slash = rest.indexOf('/');
      if (slash >= 0) {
        directories.put(prefix + rest.substring(0, slash), 0L);
      } else if (page.size() == PAGE) {
        String name = page.get(page.size() - 1).path().substring(prefix.length());
        return new Page(page, directories, name);
      } else {
        page.add(view(e.getValue(), e.getKey()));
      }
    }
    return any || startAfter != null ? new Page(page, directories, null) : null;
  }

  private File find(String path) {
    String inodes = "/.reserved/.inodes/";
    return path.startsWith(inodes)
        ? byInode.get(Long.valueOf(path.substring(inodes.length())))
        : files.get(path);
  }

  private FileView view(File file, String path) {
    if (isRight(file)) {
      file.rightSeen = System.nanoTime();
    }
    List<BlockView> blocks = new ArrayList<>();
    for (List<Replica> replicas : file.blocks) {
      blocks.add(
          new BlockView(
              replicas.get(0).blockId(), file.stamp, 100, new ArrayList<>(replicas), false));
    }
    List<String> types = file.types;
    WantedTypes wantedTypes = new WantedTypes("P", REPLICATION, false, true, n -> types);
    return new FileView(path, file.inode, wantedTypes, blocks, file.open);
  }

  @Override
  public synchronized List<FileView> files(List<String> paths) {
    fileCalls.incrementAndGet();
    List<FileView> views = new ArrayList<>();
    for (String path : paths) {
      File file = find(path);
      views.add(file == null ? null : view(file, path));
    }
    return views;
  }

  @Override
  public synchronized boolean exists(String path) {
    return find(path) != null
        || files.keySet().stream().anyMatch(each -> each.startsWith(path + "/"));
  }

  @Override
  public int filesOfOneCall() {
    return FILES_AT_ONCE;
  }

  @Override
  public synchronized ClusterView cluster() {
    clusterCalls.incrementAndGet();
    return new ClusterView(nodes.values(), false, false, 0);
  }

  @Override
  public MovableRule movableRule() {
    return (striped, replicas, source, target) -> true;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public NameNodeState nameNode() {
    return new NameNodeState(safeMode, maintenance);
  }

  @Override
  public String refusal() {
    return refusal;
  }

  @Override
  public Namespace withPolicy(String policy) throws IOException {
    throw new IOException("no policy " + policy);
  }

  @Override
  public synchronized List<String> glob(String pattern) {
    String prefix = pattern.replace("*", "");
    List<String> out = new ArrayList<>();
    files.keySet().stream().filter(p -> p.startsWith(prefix)).forEach(out::add);
    return out;
  }

  @Override
  public List<String> snapshotRoots(String directory) {
    return List.of();
  }

  @Override
  public MoveResult move(ReplicaMove move, Consumer<String> alive) throws InterruptedException {
    if (refusal != null) {
      return MoveResult.of(MoveResult.Kind.HELD, refusal);
    }
    moves.incrementAndGet();
    synchronized (this) {
      if (inFlight.getOrDefault(move.target(), 0) >= quota) {
        busy.incrementAndGet();
        return MoveResult.of(MoveResult.Kind.BUSY, "threads quota");
      }
      inFlight.merge(move.target(), 1, Integer::sum);
      int remote = move.isLocal() ? 0 : remoteOf.merge(move.replica().blockId(), 1, Integer::sum);
      if (remote > 1) {
        violations.add("two remote moves of one block: " + move);
      }
    }
    try {
      if (moveMillis > 0) {
        Await.pause(moveMillis);
      }
      return carryOut(move);
    } finally {
      synchronized (this) {
        inFlight.merge(move.target(), -1, Integer::sum);
        if (!move.isLocal()) {
          remoteOf.merge(move.replica().blockId(), -1, Integer::sum);
        }
      }
    }
  }

  private synchronized MoveResult carryOut(ReplicaMove move) {
    if (random.nextDouble() < unreachable) {
      return MoveResult.of(MoveResult.Kind.UNREACHABLE, "reset");
    }
    if (random.nextDouble() < noSpace) {
      return MoveResult.of(MoveResult.Kind.NO_SPACE, "full");
    }
    if (random.nextDouble() < exists) {
      return MoveResult.of(MoveResult.Kind.EXISTS, "there");
    }
    if (pinned && !move.isLocal()) {
      return MoveResult.of(MoveResult.Kind.PINNED, "");
    }
    if (blockOf(move) == null) {
      return MoveResult.of(MoveResult.Kind.CHANGED, "deleted or appended");
    }
    if (!move.isLocal() && !arrived.add(key(move.replica().blockId(), move.target()))) {
      return MoveResult.of(MoveResult.Kind.EXISTS, "the NameNode has not heard of it yet");
    }
    long hear = hearMillis == 0 ? 0 : random.nextInt((int) hearMillis * 2);
    var unused = later.schedule(() -> heard(move), hear, TimeUnit.MILLISECONDS);
    return MoveResult.of(MoveResult.Kind.DONE, "");
  }

  private static String key(long block, String node) {
    return block + " on " + node;
  }

  /** Null when there is no such block of that generation stamp. */
  private List<Replica> blockOf(ReplicaMove move) {
    for (File file : files.values()) {
      for (List<Replica> replicas : file.blocks) {
        if (replicas.get(0).blockId() == move.replica().blockId()) {
          return file.stamp == move.generationStamp() ? replicas : null;
        }
      }
    }
    return null;
  }

  private synchronized void heard(ReplicaMove move) {
    List<Replica> replicas = blockOf(move);
    if (replicas == null) {
      return;
    }
    Replica moved = new Replica(move.target(), move.targetType(), move.replica().blockId(), 100);
    if (move.isLocal()) {
      replicas.removeIf(r -> r.node().equals(move.target()));
    } else if (replicas.stream().anyMatch(r -> r.node().equals(move.target()))) {
      violations.add("two replicas on one node: " + move);
    }
    replicas.add(moved);
    if (!safeMode) {
      chooseExcess(replicas, move.replica().node());
    }
  }

  /** As the NameNode does: at once, the hinted one first, and never below replication. */
  private void chooseExcess(List<Replica> replicas, String hint) {
    long block = replicas.get(0).blockId();
    Set<String> chosen = excess.computeIfAbsent(block, id -> new HashSet<>());
    List<String> staying = new ArrayList<>();
    replicas.forEach(r -> staying.add(r.node()));
    staying.removeAll(chosen);
    if (staying.size() > REPLICATION) {
      String node = staying.contains(hint) ? hint : staying.get(0);
      chosen.add(node);
      var unused =
          later.schedule(() -> deleteExcess(block, node), hearMillis, TimeUnit.MILLISECONDS);
    }
  }

  private synchronized void deleteExcess(long block, String node) {
    excess.get(block).remove(node);
    arrived.remove(key(block, node));
    for (File file : files.values()) {
      for (List<Replica> replicas : file.blocks) {
        if (replicas.get(0).blockId() == block) {
          replicas.removeIf(r -> r.node().equals(node));
          if (replicas.size() < REPLICATION) {
            violations.add("below replication: block " + block + " without " + node);
          }
        }
      }
    }
  }

  @Override
  public void close() {
    later.shutdownNow();
  }
}
