package io.evenkeel.mover.follow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once") // says nothing about a Hadoop release
class HdfsSegmentStoreTest {
  /** Directories only, of which another daemon makes each epoch first. */
  private static final class TakenEpochs extends DistributedFileSystem {
    private final Set<String> made = new TreeSet<>();

    @Override
    public boolean mkdirs(Path path, FsPermission permission) {
      return made.add(path.getName());
    }

    @Override
    public FileStatus[] listStatus(Path path) {
      return new FileStatus[0];
    }

    @Override
    public void rename(Path from, Path to, Options.Rename... options) throws IOException {
      throw new FileAlreadyExistsException(to.toString());
    }

    @Override
    public boolean delete(Path path, boolean recursive) {
      return made.remove(path.getName());
    }
  }

  /** The one that was faster deletes it no more, perhaps for months. */
  @Test
  void fence_anotherDaemonMadeTheEpoch_failsAndLeavesNoDirectory() {
    TakenEpochs fs = new TakenEpochs();
    HdfsSegmentStore store = new HdfsSegmentStore(fs, new Path("/own/journal"), "1", () -> false);
    assertThatThrownBy(store::fence).isInstanceOf(FileAlreadyExistsException.class);
    assertThat(fs.made).containsExactly("journal");
  }
}
