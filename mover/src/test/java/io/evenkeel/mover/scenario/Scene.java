package io.evenkeel.mover.scenario;

import io.evenkeel.mover.FileMover;
import io.evenkeel.mover.MoverTool;
import io.evenkeel.mover.core.plan.BlockView;
import io.evenkeel.mover.core.plan.Replica;
import io.evenkeel.mover.hdfs.HdfsConnection;
import io.evenkeel.mover.hdfs.HdfsNamespace;
import io.evenkeel.mover.hdfs.MoverCluster;
import io.evenkeel.mover.request.MoveReport;
import io.evenkeel.mover.request.MoveRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.util.ToolRunner;

/** A cluster with files, what a mover makes of them, and where the NameNode says they are. */
final class Scene implements AutoCloseable {
  static final int B = MoverCluster.BLOCK;

  private final MoverCluster cluster;

  Scene(MoverCluster cluster) {
    this.cluster = cluster;
  }

  /** DataNodes with one volume each, of these types. */
  static Scene of(Configuration conf, StorageType... types) throws IOException {
    StorageType[][] each = new StorageType[types.length][];
    for (int i = 0; i < types.length; i++) {
      each[i] = new StorageType[] {types[i]};
    }
    MiniDFSCluster mini =
        new MiniDFSCluster.Builder(conf)
            .numDataNodes(types.length)
            .storagesPerDatanode(1)
            .storageTypes(each)
            .build();
    mini.waitActive();
    return new Scene(MoverCluster.of(mini));
  }

  /** DataNodes with a volume of each of these types. */
  static Scene each(Configuration conf, int dataNodes, StorageType... types) throws IOException {
    MiniDFSCluster mini =
        new MiniDFSCluster.Builder(conf)
            .numDataNodes(dataNodes)
            .storagesPerDatanode(types.length)
            .storageTypes(types)
            .build();
    mini.waitActive();
    return new Scene(MoverCluster.of(mini));
  }

  MoverCluster cluster() {
    return cluster;
  }

  DistributedFileSystem fs() throws IOException {
    return cluster.fs();
  }

  void policy(String path, String policy) throws IOException {
    fs().mkdirs(new Path(path));
    fs().setStoragePolicy(new Path(path), policy);
  }

  /** What the command prints, its exit code before it. */
  static String command(Configuration conf, String... args) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = System.out;
    PrintStream err = System.err;
    try (PrintStream here = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
      System.setOut(here);
      System.setErr(here);
      int code = ToolRunner.run(conf, new MoverTool(), args);
      return code + " " + bytes.toString(StandardCharsets.UTF_8);
    } finally {
      System.setOut(out);
      System.setErr(err);
    }
  }

  MoveReport move(String... paths) throws Exception {
    return move(MoveRequest.of(paths));
  }

  MoveReport move(MoveRequest.Builder request) throws Exception {
    Configuration conf = cluster.conf();
    conf.set("evenkeel.mover.retry-after", "500ms");
    try (FileMover mover = FileMover.open(conf)) {
      return mover.move(request.build()).get(120, TimeUnit.SECONDS);
    }
  }

  List<BlockView> blocks(String path) throws IOException {
    try (HdfsConnection connection = cluster.connect()) {
      return MoverCluster.file(new HdfsNamespace(connection), path).blocks();
    }
  }

  /** The types of each block's replicas in order of their names, without repetition of blocks. */
  List<List<String>> types(String path) throws IOException {
    List<List<String>> types = new ArrayList<>();
    for (BlockView block : blocks(path)) {
      List<String> one = new ArrayList<>(block.replicas().stream().map(Replica::type).toList());
      one.sort(null);
      if (!types.contains(one)) {
        types.add(one);
      }
    }
    return types;
  }

  @Override
  public void close() {
    cluster.close();
  }
}
