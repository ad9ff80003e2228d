package io.evenkeel.locking;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.common.FileRegion;
import org.apache.hadoop.hdfs.server.common.blockaliasmap.BlockAliasMap;

/**
 * Blocks that are regions of one file, which is in the directory of the PROVIDED volume. The last
 * of them says that it is in a file which is not there. Immutable but for what Hadoop sets.
 */
public final class ProvidedRegions extends BlockAliasMap<FileRegion> implements Configurable {
  static final int BLOCKS = 100;
  static final int LENGTH = 1024;
  static final long STAMP = 1000;

  /** Where the file is when the DataNode starts without a PROVIDED volume. */
  static final String DIRECTORY = "test.provided.directory";

  private static final long FIRST = 5_000_000;

  private Configuration conf;

  /** Made by the volume. */
  public ProvidedRegions() {}

  static Block block(int number) {
    return new Block(FIRST + number, LENGTH, STAMP);
  }

  /** What the file has, before it and after the last block a little more. */
  static byte[] content() {
    byte[] bytes = new byte[(BLOCKS + 2) * LENGTH];
    new Random(1).nextBytes(bytes);
    return bytes;
  }

  /** The bytes of a block. */
  static byte[] content(Block block) {
    int offset = (int) offset(block.getBlockId());
    return Arrays.copyOfRange(content(), offset, offset + LENGTH);
  }

  private static long offset(long id) {
    return 7 + (id - FIRST) * LENGTH;
  }

  static FileRegion region(Configuration conf, Block block) {
    boolean missing = block.getBlockId() == FIRST + BLOCKS - 1;
    Path path = missing ? new Path(file(conf).getParent(), "not-there") : file(conf);
    long id = block.getBlockId();
    return new FileRegion(id, path, offset(id), LENGTH, STAMP);
  }

  /** Where the bytes have to be. */
  static Path file(Configuration conf) {
    String known = conf.get(DIRECTORY);
    return new Path(known == null ? provided(conf) : known, "regions");
  }

  private static String provided(Configuration conf) {
    String type = "[PROVIDED]";
    return Arrays.stream(conf.getTrimmedStrings(OneDataNode.DIRS))
        .filter(each -> each.startsWith(type))
        .map(each -> each.substring(type.length()))
        .findAny()
        .orElseThrow();
  }

  @Override
  public void setConf(Configuration given) {
    conf = given;
  }

  @Override
  public Configuration getConf() {
    return conf;
  }

  @Override
  public Reader<FileRegion> getReader(Reader.Options options, String pool) {
    List<FileRegion> regions = new ArrayList<>();
    for (int i = 0; i < BLOCKS; i++) {
      regions.add(region(conf, block(i)));
    }
    return new Regions(regions);
  }

  @Override
  public Writer<FileRegion> getWriter(Writer.Options options, String pool) {
    throw new UnsupportedOperationException("nothing is added");
  }

  @Override
  public void refresh() {}

  @Override
  public void close() {}

  private static final class Regions extends Reader<FileRegion> {
    private final List<FileRegion> regions;

    Regions(List<FileRegion> regions) {
      this.regions = regions;
    }

    @Override
    public Optional<FileRegion> resolve(Block wanted) {
      return regions.stream().filter(r -> r.getBlock().equals(wanted)).findAny();
    }

    @Override
    public Iterator<FileRegion> iterator() {
      return regions.iterator();
    }

    @Override
    public void close() {}
  }
}
