package io.evenkeel.locking.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IdempotentDirectoriesTest {
  @TempDir private Path dir;

  /** Another thread makes it between the look and the making. */
  private File madeByAnother() {
    return new File(dir.resolve("subdir").toString()) {
      private static final long serialVersionUID = 1L;

      @Override
      public boolean mkdirs() {
        new File(getPath()).mkdirs();
        return super.mkdirs();
      }
    };
  }

  @Test
  void directoryIsMadeByAnotherThread_isGood() {
    FileIoProvider ours = new IdempotentDirectories(new Configuration(), null);
    assertThatCode(() -> ours.mkdirsWithExistsCheck(null, madeByAnother()))
        .doesNotThrowAnyException();
  }

  @Test
  void directoryIsMadeByAnotherThread_stockFails() {
    FileIoProvider stock = new FileIoProvider(new Configuration(), null);
    assertThatThrownBy(() -> stock.mkdirsWithExistsCheck(null, madeByAnother()))
        .isInstanceOf(IOException.class);
  }

  @Test
  void aFileIsInTheWay_fails() throws IOException {
    File file = dir.resolve("file").toFile();
    assertThat(file.createNewFile()).isTrue();
    FileIoProvider ours = new IdempotentDirectories(new Configuration(), null);
    assertThatThrownBy(() -> ours.mkdirsWithExistsCheck(null, file))
        .isInstanceOf(IOException.class);
  }
}
