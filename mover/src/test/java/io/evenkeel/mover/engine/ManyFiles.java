package io.evenkeel.mover.engine;

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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.IntPredicate;

/**
 * Millions of files of one block with three replicas on 200 DataNodes, of which every other one has
 * SSDs, in directories of a thousand. All but where their replicas came to follows from their
 * number. DataNodes answer at once. Thread-safe.
 */
public final class ManyFiles implements Namespace, ReplicaMover {
  private static final int NODES = 200;
  private static final int REPLICATION = 3;
  private static final int IN_DIRECTORY = 1_000;

  /** What a located listing gives at once: dfs.ls.limit counts locations. */
  private static final int PAGE = 334;

  private static final int FIRST_INODE = 16_386;
  private static final String INODES = "/.reserved/.inodes/";
  private static final String ROOT = "/hot";

  private static final WantedTypes ON_SSD = wantedTypes("ALL_SSD", "SSD");
  private static final WantedTypes ON_DISK = wantedTypes("HOT", "DISK");

  private final int count;
  private final IntPredicate wantsSsd;

  /** The DataNode on whose SSD a replica is, and 1; 0 while it is on its first one's disk. */
  private final short[] onSsd;

  private final Map<String, NodeView> withRoom = new TreeMap<>();
  private final Map<String, NodeView> full = new TreeMap<>();
  private volatile boolean room = true;

  private final AtomicLong listings = new AtomicLong();
  private final AtomicLong calls = new AtomicLong();
  private final AtomicLong moved = new AtomicLong();

  /**
   * Creates them, all on DISK.
   *
   * @param wantsSsd the numbers of those whose policy asks for SSD
   */
  public ManyFiles(int count, IntPredicate wantsSsd) {
    this.count = count;
    this.wantsSsd = wantsSsd;
    this.onSsd = new short[count * REPLICATION];
    for (int i = 0; i < NODES; i++) {
      withRoom.put(node(i), node(i, 1L << 40));
      full.put(node(i), node(i, 0));
    }
  }

  private static WantedTypes wantedTypes(String policy, String type) {
    List<String> types = List.of(type, type, type);
    return new WantedTypes(policy, REPLICATION, false, true, n -> types);
  }

  private static NodeView node(int i, long ssd) {
    Map<String, List<Long>> space =
        i % 2 == 0
            ? Map.of("DISK", List.of(1L << 40), "SSD", List.of(ssd))
            : Map.of("DISK", List.of(1L << 40));
    return new NodeView(node(i), "/rack" + i / 20, node(i), NodeView.Use.TARGET, space);
  }

  private static String node(int i) {
    return String.format("n%03d", i);
  }

  /** The path of a file. */
  public String path(int file) {
    return String.format("%s/%05d/%03d", ROOT, file / IN_DIRECTORY, file % IN_DIRECTORY);
  }

  /** Whether there is room on SSDs. */
  public void hasRoom(boolean value) {
    room = value;
  }

  /** Listings of directories, each a call. */
  public long listings() {
    return listings.get();
  }

  /** All calls. */
  public long calls() {
    return calls.get();
  }

  /** Replicas that came to an SSD. */
  public long moved() {
    return moved.get();
  }

  private int numberOf(String path) {
    int number;
    if (path.startsWith(INODES)) {
      number = Integer.parseInt(path.substring(INODES.length())) - FIRST_INODE;
    } else {
      String[] names = path.split("/");
      number =
          names.length == 4
              ? Integer.parseInt(names[2]) * IN_DIRECTORY + Integer.parseInt(names[3])
              : -1;
    }
    return number < count ? number : -1;
  }

  private FileView view(int file, String path) {
    List<Replica> replicas = new ArrayList<>(REPLICATION);
    synchronized (onSsd) {
      for (int r = 0; r < REPLICATION; r++) {
        int at = onSsd[file * REPLICATION + r];
        int node = at == 0 ? (file * 7 + r * 67) % NODES : at - 1;
        replicas.add(new Replica(node(node), at == 0 ? "DISK" : "SSD", blockOf(file), 1 << 20));
      }
    }
    BlockView block = new BlockView(blockOf(file), 1, 1 << 20, replicas, false);
    WantedTypes wantedTypes = wantsSsd.test(file) ? ON_SSD : ON_DISK;
    return new FileView(path, file + FIRST_INODE, wantedTypes, List.of(block), false);
  }

  private static long blockOf(int file) {
    return (1L << 30) + file;
  }

  @Override
  public String name() {
    return "many files";
  }

  @Override
  public String pathOf(String given) {
    return given;
  }

  @Override
  public Page list(String path, String startAfter) {
    calls.incrementAndGet();
    int one = path.equals(ROOT) ? -1 : numberOf(path);
    if (one >= 0) {
      return new Page(List.of(view(one, path)), Map.of(), null);
    }
    listings.incrementAndGet();
    if (path.equals(ROOT)) {
      int from = startAfter == null ? 0 : Integer.parseInt(startAfter) + 1;
      int end = (count + IN_DIRECTORY - 1) / IN_DIRECTORY;
      int to = Math.min(end, from + 1_000);
      Map<String, Long> directories = new LinkedHashMap<>();
      for (int i = from; i < to; i++) {
        directories.put(String.format("%s/%05d", ROOT, i), 0L);
      }
      return new Page(List.of(), directories, to < end ? String.format("%05d", to - 1) : null);
    }
    int first = Integer.parseInt(path.substring(ROOT.length() + 1)) * IN_DIRECTORY;
    int from = startAfter == null ? 0 : Integer.parseInt(startAfter) + 1;
    int end = Math.min(IN_DIRECTORY, count - first);
    int to = Math.min(end, from + PAGE);
    List<FileView> files = new ArrayList<>();
    for (int i = from; i < to; i++) {
      files.add(view(first + i, path(first + i)));
    }
    return new Page(files, Map.of(), to < end ? String.format("%03d", to - 1) : null);
  }

  @Override
  public List<FileView> files(List<String> paths) {
    calls.incrementAndGet();
    List<FileView> views = new ArrayList<>();
    for (String path : paths) {
      int number = numberOf(path);
      views.add(number < 0 ? null : view(number, path));
    }
    return views;
  }

  @Override
  public boolean exists(String path) {
    calls.incrementAndGet();
    return numberOf(path) >= 0 || path.length() <= path(0).length() - "/000".length();
  }

  @Override
  public int filesOfOneCall() {
    return FILES_AT_ONCE;
  }

  @Override
  public ClusterView cluster() {
    calls.incrementAndGet();
    return new ClusterView((room ? withRoom : full).values(), false, false, 0);
  }

  @Override
  public MovableRule movableRule() {
    return (striped, replicas, source, target) -> true;
  }

  @Override
  public String refusal() {
    return null;
  }

  @Override
  public Namespace withPolicy(String policy) {
    throw new UnsupportedOperationException();
  }

  @Override
  public NameNodeState nameNode() {
    calls.incrementAndGet();
    return NameNodeState.USUAL;
  }

  @Override
  public List<String> glob(String pattern) {
    return List.of();
  }

  @Override
  public List<String> snapshotRoots(String directory) {
    return List.of();
  }

  @Override
  public MoveResult move(ReplicaMove move, Consumer<String> alive) {
    if (!room) {
      return MoveResult.of(MoveResult.Kind.NO_SPACE, "full");
    }
    int file = (int) (move.replica().blockId() - (1L << 30));
    int target = Integer.parseInt(move.target().substring(1));
    synchronized (onSsd) {
      for (Replica replica : view(file, "").blocks().get(0).replicas()) {
        boolean other = !replica.node().equals(move.replica().node());
        if (other && replica.node().equals(move.target())) {
          throw new AssertionError("two replicas on one DataNode: " + move);
        }
      }
      for (int r = 0; r < REPLICATION; r++) {
        int at = file * REPLICATION + r;
        boolean there =
            onSsd[at] == 0 && node((file * 7 + r * 67) % NODES).equals(move.replica().node());
        if (there) {
          onSsd[at] = (short) (target + 1);
          moved.incrementAndGet();
          return MoveResult.of(MoveResult.Kind.DONE, "");
        }
      }
    }
    return MoveResult.of(MoveResult.Kind.CHANGED, "it is not there");
  }
}
