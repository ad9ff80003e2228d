package io.evenkeel.bench.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * Where replicas are: by the NameNode's account, and on the disks. Equal when storage, block,
 * generation stamp and length are.
 */
final class ReplicaPlaces {
  /** Length of a replica of which only the meta file is there. */
  private static final long NO_DATA = -1;

  private static final Pattern META = Pattern.compile("blk_(\\d+)_(\\d+)\\.meta");

  private ReplicaPlaces() {}

  /** One replica; {@code block} names the block with its pool. */
  record Place(String storage, String block, long generationStamp, long bytes) {
    private static Place of(String storage, ExtendedBlock block) {
      String name = block.getBlockPoolId() + " blk_" + block.getBlockId();
      return new Place(storage, name, block.getGenerationStamp(), block.getNumBytes());
    }
  }

  /** Of all files of one namespace, without replicas the NameNode takes for corrupt. */
  static Set<Place> known(DistributedFileSystem fs) throws IOException {
    DFSClient client = fs.getClient();
    Set<Place> known = new HashSet<>();
    var files = fs.listFiles(new org.apache.hadoop.fs.Path("/"), true);
    while (files.hasNext()) {
      String file = files.next().getPath().toUri().getPath();
      for (LocatedBlock block :
          client.getLocatedBlocks(file, 0, Long.MAX_VALUE).getLocatedBlocks()) {
        for (String storage : block.getStorageIDs()) {
          known.add(Place.of(storage, block.getBlock()));
        }
      }
    }
    return known;
  }

  /** Finalized replicas below the directories of volumes. */
  static Set<Place> onDisk(List<Path> volumes) throws IOException {
    Set<Place> found = new HashSet<>();
    for (Path volume : volumes) {
      Path current = volume.resolve("current");
      String storage = storage(current.resolve("VERSION"));
      try (Stream<Path> pools = Files.list(current)) {
        for (Path pool : pools.filter(f -> f.getFileName().toString().startsWith("BP-")).toList()) {
          add(found, storage, pool);
        }
      }
    }
    return found;
  }

  private static void add(Set<Place> found, String storage, Path pool) throws IOException {
    try (Stream<Path> files = Files.walk(pool.resolve("current/finalized"))) {
      for (Path file : files.toList()) {
        Matcher meta = META.matcher(file.getFileName().toString());
        if (meta.matches()) {
          long id = Long.parseLong(meta.group(1));
          String name = pool.getFileName().toString();
          Path data = file.resolveSibling("blk_" + id);
          long length = Files.exists(data) ? Files.size(data) : NO_DATA;
          long stamp = Long.parseLong(meta.group(2));
          found.add(Place.of(storage, new ExtendedBlock(name, id, length, stamp)));
        }
      }
    } catch (java.io.UncheckedIOException e) {
      throw new NoSuchFileException(pool.toString()); // it went while we looked
    }
  }

  private static String storage(Path version) throws IOException {
    Properties properties = new Properties();
    try (InputStream in = Files.newInputStream(version)) {
      properties.load(in);
    }
    return properties.getProperty("storageID");
  }
}
