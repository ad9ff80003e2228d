package io.evenkeel.mover.mixed;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** Files that use all room on SSD. Confined to one thread. */
final class Filler {
  private static final Path DIRECTORY = new Path("/fill");

  /** DataNodes differ in what is left, and the NameNode learns of it with the next heartbeat. */
  private static final int REFUSALS = 5;

  private final DistributedFileSystem fs;
  private int names;
  private boolean full;

  Filler(DistributedFileSystem fs) throws IOException {
    this.fs = fs;
    fs.mkdirs(DIRECTORY);
    fs.setStoragePolicy(DIRECTORY, "ALL_SSD");
  }

  boolean isFull() {
    return full;
  }

  /** Writes until new blocks, of a MiB and then as small as those of others, go elsewhere. */
  void fill() throws IOException {
    full = true;
    for (int block : new int[] {16 * MixedStand.BLOCK, MixedStand.BLOCK}) {
      int refused = 0;
      while (refused < REFUSALS) {
        Path file = new Path(DIRECTORY, "f" + names++);
        OutputStream out = fs.create(file, true, 4096, (short) 1, block);
        try {
          out.write(new byte[block]);
        } finally {
          out.close(); // throws the same exception again, which cannot suppress itself
        }
        if (!isOnSsd(file)) {
          fs.delete(file, false);
          refused++;
          Worker.pause(300);
        }
      }
    }
  }

  private boolean isOnSsd(Path file) throws IOException {
    for (LocatedFileStatus status : Listing.files(fs, file).values()) {
      StorageType[] types = status.getBlockLocations()[0].getStorageTypes();
      return Arrays.equals(types, new StorageType[] {StorageType.SSD});
    }
    return false;
  }

  /** Gives the room back. */
  void empty() throws IOException {
    fs.delete(DIRECTORY, true);
    fs.mkdirs(DIRECTORY);
    fs.setStoragePolicy(DIRECTORY, "ALL_SSD");
    full = false;
  }
}
