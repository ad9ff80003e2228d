package io.evenkeel.bench.mover;

import io.evenkeel.bench.jmh.JmhRun;
import io.evenkeel.bench.namenode.RegisteredNodes;
import io.evenkeel.bench.namenode.RegisteredNodes.DataNode;
import io.evenkeel.mover.core.plan.BlockPlanner;
import io.evenkeel.mover.core.plan.BlockView;
import io.evenkeel.mover.core.plan.Exclusions;
import io.evenkeel.mover.core.plan.Replica;
import io.evenkeel.mover.core.plan.WantedTypes;
import io.evenkeel.mover.hdfs.HdfsConnection;
import io.evenkeel.mover.hdfs.HdfsNamespace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Planning one block of three replicas whose file has the policy ONE_SSD, on 200 DataNodes of 10
 * racks, from what the NameNode says of the block to a move. At most one replica is to move, since
 * {@code hdfs mover} plans one replica of a block at a time and ours all of them.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class PlanBenchmark {
  static final String MOVE = "move";
  static final String NONE = "none";
  static final String INSIDE = "inside";
  static final String OTHER = "other";

  private static final int NODES = 200;
  private static final int RACKS = 10;
  private static final int PORT = 9866;
  private static final long BLOCK = 128L << 20;
  private static final short REPLICAS = 3;
  private static final Path FILE = new Path("/file");

  /** Whose planner. */
  @Param({JmhRun.STOCK, JmhRun.EVENKEEL})
  public String arm;

  /** Nothing to move, a move inside a DataNode, or one to a DataNode that has the SSD. */
  @Param({NONE, INSIDE, OTHER})
  public String move;

  private RegisteredNodes nodes;
  private LocatedBlock[] blocks;
  private String[][] holders;
  private int next;
  private List<StorageType> expected;
  private StockPlanner stock; // null for ours
  private HdfsConnection connection; // null for stock
  private BlockPlanner ours;
  private WantedTypes wantedTypes;

  /** Starts the NameNode and the planner. */
  @Setup
  public void start() throws Exception {
    List<DataNode> dataNodes = new ArrayList<>();
    for (int i = 0; i < NODES; i++) {
      List<StorageType> types =
          !move.equals(OTHER)
              ? List.of(StorageType.DISK, StorageType.SSD)
              : List.of(hasDisk(i) ? StorageType.DISK : StorageType.SSD);
      String address = "10.1." + (i >> 8) + "." + (i & 255);
      DatanodeID id = new DatanodeID(address, "host" + i, "dn-" + i, PORT, PORT + 1, 0, PORT + 2);
      dataNodes.add(new DataNode(id, "/r" + i % RACKS, types, 0));
    }
    nodes = RegisteredNodes.start(new HdfsConfiguration(), dataNodes);
    nodes.fs().create(FILE, REPLICAS).close();
    nodes.fs().setStoragePolicy(FILE, "ONE_SSD");
    expected = policy().chooseStorageTypes(REPLICAS);
    placeBlocks();
    if (arm.equals(JmhRun.STOCK)) {
      stock = new StockPlanner(nodes);
      return;
    }
    connection = HdfsConnection.open(nodes.conf(), nodes.uri());
    HdfsNamespace namespace = new HdfsNamespace(connection);
    wantedTypes = namespace.files(List.of(FILE.toUri().getPath())).get(0).wantedTypes();
    ours = new BlockPlanner(namespace.cluster(), namespace.movableRule(), new Random(1));
  }

  private BlockStoragePolicy policy() throws IOException {
    return (BlockStoragePolicy) nodes.fs().getStoragePolicy(FILE);
  }

  /** Where DataNodes have one type: the first, third, ... of each rack. */
  private static boolean hasDisk(int node) {
    return node / RACKS % 2 == 0;
  }

  /** Two replicas on one rack, one on another. */
  private void placeBlocks() {
    blocks = new LocatedBlock[StockPlanner.QUEUED];
    holders = new String[blocks.length][];
    for (int b = 0; b < blocks.length; b++) {
      int first = b % NODES;
      first -= hasDisk(first) ? 0 : RACKS;
      int[] at = {first, (first + 2 * RACKS) % NODES, (first + 1) % RACKS + first / RACKS * RACKS};
      DatanodeInfo[] infos = new DatanodeInfo[REPLICAS];
      String[] storages = new String[REPLICAS];
      StorageType[] types = new StorageType[REPLICAS];
      holders[b] = new String[REPLICAS];
      for (int r = 0; r < REPLICAS; r++) {
        DatanodeID id = nodes.nodes().get(at[r]).id();
        boolean ssd = r == 0 && move.equals(NONE);
        infos[r] =
            new DatanodeInfoBuilder()
                .setNodeID(id)
                .setNetworkLocation("/r" + at[r] % RACKS)
                .build();
        holders[b][r] = id.getDatanodeUuid();
        storages[r] = id.getDatanodeUuid() + (ssd ? "-1" : "-0");
        types[r] = ssd ? StorageType.SSD : StorageType.DISK;
      }
      ExtendedBlock block = new ExtendedBlock(nodes.pool(), (1L << 30) + b, BLOCK, 1000);
      blocks[b] = new LocatedBlock(block, infos, storages, types);
    }
  }

  /** Stops them. */
  @TearDown
  public void stop() throws Exception {
    if (stock != null) {
      stock.close();
    }
    if (connection != null) {
      connection.close();
    }
    nodes.close();
  }

  /** Plans one block; returns how many moves. */
  @Benchmark
  public int plan() {
    if (next == blocks.length) {
      next = 0;
      if (stock != null) {
        stock.forget();
      }
    }
    int block = next++;
    if (stock != null) {
      return stock.plan(expected, blocks[block]) ? 1 : 0;
    }
    return ours.plan(view(blocks[block], holders[block]), wantedTypes, Exclusions.NONE)
        .moves()
        .size();
  }

  /** As the mover makes it of the NameNode's answer. */
  private static BlockView view(LocatedBlock block, String[] holders) {
    ExtendedBlock id = block.getBlock();
    StorageType[] types = block.getStorageTypes();
    List<Replica> replicas = new ArrayList<>(holders.length);
    for (int i = 0; i < holders.length; i++) {
      replicas.add(new Replica(holders[i], types[i].name(), id.getBlockId(), block.getBlockSize()));
    }
    return new BlockView(
        id.getBlockId(),
        id.getGenerationStamp(),
        block.getBlockSize(),
        replicas,
        block.isCorrupt());
  }
}
