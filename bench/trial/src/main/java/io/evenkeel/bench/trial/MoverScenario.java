package io.evenkeel.bench.trial;

import io.evenkeel.mover.FileMover;
import io.evenkeel.mover.request.FileOutcome;
import io.evenkeel.mover.request.MoveReport;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * Four DataNodes, each with a DISK and an SSD. Apart from {@link Trial}, which loads one of them at
 * a time: this Hadoop may lack what another needs.
 */
final class MoverScenario {
  private static final int SIZE = 5 * Hdfs.BLOCK + 1;

  private final Hdfs hdfs;

  private MoverScenario(Path dir) throws IOException {
    hdfs = new Hdfs(dir, 4, i -> "/r" + i, "DISK", "SSD");
  }

  static Scenario in(Path dir) throws IOException {
    MoverScenario mover = new MoverScenario(dir);
    return new Scenario()
        .step("replicas move to the type that the policy asks for", mover::move)
        .step("they follow a rename", mover::rename)
        .step("a file that is being written stays whole", mover::moveOpenFile)
        .step("one DataNode being dead, the others move", mover::moveWithoutOne)
        .step("all is read after a restart", mover::restart)
        .atEnd(mover.hdfs::close);
  }

  private FileMover open() throws IOException {
    return FileMover.open(hdfs.conf(), hdfs.uri());
  }

  private MoveReport moved(String directory) throws Exception {
    try (FileMover mover = open()) {
      return mover.move(Hdfs.path(directory)).get(120, TimeUnit.SECONDS);
    }
  }

  private void move() throws Exception {
    hdfs.create();
    hdfs.write("/d/a", SIZE, 3);
    hdfs.write("/d/b", SIZE, 2);
    hdfs.awaitReplicas(60, 3, Arrays.asList("/d/a"));
    hdfs.awaitReplicas(60, 2, Arrays.asList("/d/b"));
    expect("/d/a", 3, StorageType.DISK);
    hdfs.fs().setStoragePolicy(Hdfs.path("/d"), "ALL_SSD");
    MoveReport report = moved("/d");
    Check.active("mover", FileMover.class.getName());
    Check.that(report.isSatisfied() && report.files(FileOutcome.MOVED) == 2, report.toString());
    expect("/d/a", 3, StorageType.SSD);
    expect("/d/b", 2, StorageType.SSD);
    hdfs.readAll();
  }

  private void expect(String name, int replicas, StorageType type) throws Exception {
    Await.until(
        60,
        name + " is not on " + replicas + " volumes of type " + type,
        () -> {
          List<LocatedBlock> blocks =
              hdfs.fs().getClient().getLocatedBlocks(name, 0, Long.MAX_VALUE).getLocatedBlocks();
          return blocks.size() == 6
              && blocks.stream()
                  .map(LocatedBlock::getStorageTypes)
                  .allMatch(
                      types ->
                          types.length == replicas && Arrays.stream(types).allMatch(type::equals));
        });
  }

  private void rename() throws Exception {
    hdfs.fs().mkdirs(Hdfs.path("/fast"));
    hdfs.fs().setStoragePolicy(Hdfs.path("/fast"), "ALL_SSD");
    hdfs.write("/a", SIZE, 3);
    hdfs.awaitReplicas(60, 3, Arrays.asList("/a"));
    try (FileMover mover = open()) {
      MoveReport report =
          mover.rename(Hdfs.path("/a"), Hdfs.path("/fast/a")).get(120, TimeUnit.SECONDS);
      Check.that(report.isSatisfied(), report.toString());
    }
    hdfs.renamed("/a", "/fast/a");
    Check.that(!hdfs.fs().exists(Hdfs.path("/a")), "/a is still there");
    expect("/fast/a", 3, StorageType.SSD);
    hdfs.readAll();
  }

  private void moveOpenFile() throws Exception {
    String name = "/d/open";
    byte[] content = hdfs.content(name, SIZE);
    hdfs.fs().setStoragePolicy(Hdfs.path("/d"), "HOT");
    try (OutputStream out = hdfs.fs().create(Hdfs.path(name), (short) 3)) {
      out.write(content, 0, SIZE / 2);
      moved("/d");
      out.write(content, SIZE / 2, SIZE - SIZE / 2);
    }
    hdfs.wrote(name, SIZE);
    expect("/d/a", 3, StorageType.DISK);
    hdfs.readAll();
  }

  private void moveWithoutOne() throws Exception {
    hdfs.stopDataNode(3);
    hdfs.fs().setStoragePolicy(Hdfs.path("/d"), "ALL_SSD");
    moved("/d");
    hdfs.readAll();
    hdfs.startDataNode(3);
    for (String name : new String[] {"/d/a", "/d/open"}) {
      hdfs.awaitReplicas(120, 3, Arrays.asList(name));
    }
    MoveReport report = moved("/d");
    Check.that(report.isSatisfied(), report.toString());
    expect("/d/a", 3, StorageType.SSD);
    hdfs.readAll();
  }

  private void restart() throws Exception {
    hdfs.stop();
    hdfs.start();
    hdfs.readAll();
    expect("/d/a", 3, StorageType.SSD);
  }
}
