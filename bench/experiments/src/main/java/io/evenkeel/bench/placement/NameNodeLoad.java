package io.evenkeel.bench.placement;

import com.sun.management.OperatingSystemMXBean;
import io.evenkeel.bench.namenode.RegisteredNodes;
import io.evenkeel.bench.namenode.RegisteredNodes.DataNode;
import io.evenkeel.bench.sim.placement.Candidate;
import io.evenkeel.bench.sim.placement.Shape.Place;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.crypto.CryptoProtocolVersion;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.protocol.BlockType;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.StoragePolicy;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.hdfs.server.namenode.NotReplicatedYetException;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocols;
import org.apache.hadoop.io.EnumSetWritable;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RpcConstants;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.net.StaticMapping;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * A whole NameNode with one policy, DataNodes that only report, and clients that create files and
 * add blocks. A client's thread is what a handler's is in a NameNode: it calls the NameNode's own
 * methods, and the client's address stands in the call. Loads run one after the other. Apart from
 * {@link NameNodeExperiment}, which says which loads and compares them.
 */
final class NameNodeLoad implements AutoCloseable {
  private static final int BLOCKS_PER_FILE = 10;

  /** A client writes these in turn, so that what it reports is processed before it needs it. */
  private static final int FILES_AT_ONCE = 5;

  private static final short REPLICAS = 3;
  private static final long BLOCK = 128L << 20;
  private static final String OUTSIDE = "192.168.0.1";
  private static final String EDGE = "/edge";
  private static final int UPGRADE_DOMAINS = 40;
  private static final FsPermission PERMISSION = new FsPermission((short) 0644);
  private static final EnumSetWritable<CreateFlag> CREATE =
      new EnumSetWritable<>(EnumSet.of(CreateFlag.CREATE));
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private final RegisteredNodes nodes;
  private final NamenodeProtocols nameNode;
  private final UserGroupInformation user = UserGroupInformation.getCurrentUser();
  private final AtomicInteger files = new AtomicInteger();
  private final List<String> writers = new ArrayList<>(); // addresses

  /** Clients that write at the same time, each file on some DataNode or from outside. */
  record Clients(int threads, boolean inside) {
    String label() {
      return threads + " thread(s)" + (inside ? "" : " outside");
    }
  }

  /**
   * How fast they were.
   *
   * @param blocks a second, by all of them: files created, blocks added, reported and completed
   * @param processor time of the whole JVM for a block, microseconds; a machine that does other
   *     work disturbs it less than the former
   * @param addBlock processor time of one call in the client's thread, microseconds
   */
  record Pace(double blocks, double processor, double addBlock) {}

  private NameNodeLoad(RegisteredNodes nodes, long seed) throws IOException {
    this.nodes = nodes;
    this.nameNode = nodes.nameNode();
    nodes.nodes().forEach(node -> writers.add(node.id().getIpAddr()));
    Collections.shuffle(writers, new Random(seed));
  }

  /** Starts the NameNode; its DataNodes have so many disks each and are 20 to 80 % full. */
  static NameNodeLoad start(Candidate candidate, List<Place> places, int disks, long seed)
      throws IOException {
    List<StorageType> types = Collections.nCopies(disks, StorageType.DISK);
    Random random = new Random(seed);
    List<DataNode> dataNodes = new ArrayList<>();
    for (Place place : places) {
      double used = 0.2 + 0.6 * random.nextDouble();
      dataNodes.add(new DataNode(candidate.id(place), candidate.location(place), types, used));
    }
    NameNodeLoad load = new NameNodeLoad(RegisteredNodes.start(candidate.conf(), dataNodes), seed);
    StaticMapping.addNodeToRack(OUTSIDE, candidate.nodeGroups() ? EDGE + EDGE : EDGE);
    for (Place place : places) {
      load.dataNodes()
          .getDatanode(candidate.id(place).getDatanodeUuid())
          .setUpgradeDomain("domain" + place.index() % UPGRADE_DOMAINS);
    }
    load.nodes.keepBeating();
    return load;
  }

  private DatanodeManager dataNodes() {
    return nodes.namesystem().getBlockManager().getDatanodeManager();
  }

  /**
   * Clients write files until there are so many more blocks.
   *
   * @param blocks rounded up to the files that one client writes in turn
   * @throws IllegalStateException when a block did not get its replicas
   */
  Pace write(Clients clients, int blocks) throws Exception {
    int atOnce = FILES_AT_ONCE * BLOCKS_PER_FILE;
    int count = (blocks + atOnce - 1) / atOnce * atOnce;
    int last = files.get() + count / BLOCKS_PER_FILE;
    ExecutorService pool = Executors.newFixedThreadPool(clients.threads);
    try {
      Callable<Long> client = () -> write(last, clients.inside);
      long before = SYSTEM.getProcessCpuTime();
      long start = System.nanoTime();
      long inAddBlock = 0;
      for (Future<Long> done : pool.invokeAll(Collections.nCopies(clients.threads, client))) {
        inAddBlock += done.get();
      }
      double seconds = (System.nanoTime() - start) / 1e9;
      long used = SYSTEM.getProcessCpuTime() - before;
      files.set(last);
      return new Pace(count / seconds, used / 1e3 / count, inAddBlock / 1e3 / count);
    } finally {
      pool.shutdownNow();
    }
  }

  /** One client; returns the processor time in addBlock, nanoseconds. */
  private long write(int last, boolean inside) throws Exception {
    long nanos = 0;
    for (int first = files.getAndAdd(FILES_AT_ONCE);
        first < last;
        first = files.getAndAdd(FILES_AT_ONCE)) {
      List<OpenFile> open = new ArrayList<>();
      for (int file = first; file < first + FILES_AT_ONCE; file++) {
        open.add(new OpenFile(file, inside ? writer(file) : OUTSIDE));
      }
      for (int block = 0; block < BLOCKS_PER_FILE; block++) {
        for (OpenFile file : open) {
          nanos += file.addBlock();
        }
      }
      for (OpenFile file : open) {
        file.complete();
      }
    }
    return nanos;
  }

  /** The address of the DataNode that writes this file; each has its turn, in no order. */
  private String writer(int file) {
    return writers.get(file % writers.size());
  }

  /** A file that is being written. */
  private final class OpenFile {
    private final String path;
    private final String client;
    private final long id;
    private ExtendedBlock last; // null for none

    OpenFile(int number, String address) throws IOException {
      path = "/file" + number;
      client = "client" + number;
      Server.getCurCall().set(new ClientCall(InetAddress.getByName(address)));
      id =
          nameNode
              .create(
                  path,
                  PERMISSION,
                  client,
                  CREATE,
                  true,
                  REPLICAS,
                  BLOCK,
                  CryptoProtocolVersion.supported(),
                  null,
                  null)
              .getFileId();
    }

    /** Adds one and has it reported; returns the processor time of the call that did. */
    long addBlock() throws Exception {
      while (true) {
        long before = THREADS.getCurrentThreadCpuTime();
        LocatedBlock added;
        try {
          added = nameNode.addBlock(path, client, last, null, id, null, null);
        } catch (NotReplicatedYetException e) {
          Thread.sleep(1); // the reports of the one before the last are in the NameNode's queue
          continue;
        }
        long nanos = THREADS.getCurrentThreadCpuTime() - before;
        if (added.getLocations().length != REPLICAS) {
          throw new IllegalStateException(path + " got " + added);
        }
        last = added.getBlock();
        last.setNumBytes(BLOCK);
        nodes.received(added);
        return nanos;
      }
    }

    void complete() throws Exception {
      while (!nameNode.complete(path, client, last, id)) {
        Thread.sleep(1);
      }
    }
  }

  /** Processor time of choosing DataNodes alone, for clients inside, microseconds. */
  double choose(int times) throws IOException {
    BlockManager manager = nodes.namesystem().getBlockManager();
    List<Node> writers = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      writers.add(dataNodes().getDatanodeByHost(writer(i)));
    }
    long before = THREADS.getCurrentThreadCpuTime();
    for (Node writer : writers) {
      manager.chooseTarget4NewBlock(
          "/file",
          REPLICAS,
          writer,
          new HashSet<>(),
          BLOCK,
          List.of(),
          StoragePolicy.HOT.value(),
          BlockType.CONTIGUOUS,
          null,
          EnumSet.noneOf(AddBlockFlag.class));
    }
    return (THREADS.getCurrentThreadCpuTime() - before) / 1e3 / times;
  }

  /** Blocks and replicas that a NameNode knows of. */
  record Stored(long blocks, long replicas) {}

  /** What it knows of now; reports that are still in its queue do not count. */
  Stored stored() {
    long replicas = 0;
    for (DataNode node : nodes.nodes()) {
      replicas += dataNodes().getDatanode(node.id().getDatanodeUuid()).numBlocks();
    }
    return new Stored(nodes.namesystem().getBlockManager().getTotalBlocks(), replicas);
  }

  @Override
  public void close() throws IOException {
    nodes.close();
  }

  /** What an RPC handler has of its client. */
  private final class ClientCall extends Server.Call {
    private final InetAddress address;

    ClientCall(InetAddress address) {
      super(
          RpcConstants.INVALID_CALL_ID,
          RpcConstants.INVALID_RETRY_COUNT,
          null,
          null,
          RPC.RpcKind.RPC_PROTOCOL_BUFFER,
          RpcConstants.DUMMY_CLIENT_ID);
      this.address = address;
    }

    @Override
    public UserGroupInformation getRemoteUser() {
      return user;
    }

    @Override
    public InetAddress getHostInetAddress() {
      return address;
    }
  }
}
