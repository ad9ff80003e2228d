package io.evenkeel.bench.placement;

import io.evenkeel.bench.jmh.JmhRun;
import io.evenkeel.bench.sim.placement.Candidate;
import io.evenkeel.bench.sim.placement.PlacementScenario;
import io.evenkeel.bench.sim.placement.RealCluster;
import io.evenkeel.bench.sim.placement.Shape;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementStatus;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Choosing the DataNodes of a block of three replicas, and verifying those of one that is placed,
 * among 400 DataNodes: 20 racks of 4 hosts with 5 each. Every DataNode writes a block, in turn.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class PlacementBenchmark {
  static final String TOPOLOGY = "topology";
  static final String NODE_GROUPS = "node-groups";
  static final String RACKS = "racks";
  static final Shape SHAPE = Shape.of(20, 4, 5);

  /** Whose policy; stock's is the one with node groups, or the default one on plain racks. */
  @Param({JmhRun.STOCK, JmhRun.EVENKEEL})
  public String arm;

  /** Whether a host is a node group. */
  @Param({NODE_GROUPS, RACKS})
  public String topology;

  private RealCluster cluster;
  private DatanodeStorageInfo[][] inFlight;
  private DatanodeInfo[][] placed;
  private int writer;

  /** Places a block of each DataNode. */
  @Setup
  public void prepare() throws ClassNotFoundException {
    cluster = new RealCluster(candidate(), SHAPE.places(), "HOT");
    inFlight = new DatanodeStorageInfo[cluster.size()][];
    placed = new DatanodeInfo[cluster.size()][];
    for (int i = 0; i < placed.length; i++) {
      placed[i] = DatanodeStorageInfo.toDatanodeInfos(choose());
    }
  }

  private Candidate candidate() {
    boolean stock = arm.equals(JmhRun.STOCK);
    return topology.equals(NODE_GROUPS)
        ? stock ? Candidate.STOCK_NODE_GROUPS : Candidate.OURS_NODE_GROUPS
        : stock ? Candidate.STOCK_PLAIN : Candidate.OURS_PLAIN;
  }

  /** One choice. The writer's block before was received, and the NameNode counts the new one. */
  @Benchmark
  public DatanodeStorageInfo[] choose() {
    writer = (writer + 1) % inFlight.length;
    if (inFlight[writer] != null) {
      cluster.received(inFlight[writer]);
    }
    DatanodeStorageInfo[] chosen =
        cluster.choose(cluster.dataNode(writer), PlacementScenario.REPLICATION, null);
    cluster.scheduled(chosen);
    inFlight[writer] = chosen;
    return chosen;
  }

  /** One verification of a block that keeps the policy's rules. */
  @Benchmark
  public BlockPlacementStatus verify() {
    writer = (writer + 1) % placed.length;
    return cluster.policy().verifyBlockPlacement(placed[writer], PlacementScenario.REPLICATION);
  }
}
