package io.evenkeel.mover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.plugin.Fit;
import java.net.URI;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is decided before a NameNode is asked. */
class FileMoverTest {
  private static final Fit CHANGED = new Fit("9.9.9", List.of("method x.Y.z is missing"), "");

  private static final URI NO_NAMENODE = URI.create("file:///"); // refused after the release

  private final Configuration conf = new Configuration(false);

  @ParameterizedTest
  @CsvSource({"1, 1", "2, 1", "3, 1", "10, 5", "100, 50"})
  void movesPerDataNode_manyWanted_areHalfOfTheQuotaAndOneAtLeast(int quota, int most) {
    assertThat(FileMover.movesPerDataNode(1000, quota)).isEqualTo(most);
  }

  @Test
  void movesPerDataNode_fewerWantedThanHalf_areAsWanted() {
    assertThat(FileMover.movesPerDataNode(8, 100)).isEqualTo(8);
  }

  @Test
  void open_otherHadoop_isRefusedNamingTheKey() {
    assertThatThrownBy(() -> FileMover.open(conf, NO_NAMENODE, CHANGED))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("9.9.9")
        .hasMessageEndingWith("; the last resort is to set evenkeel.mover.allow-untested=true")
        .extracting(e -> ((CommandException) e).exitCode())
        .isEqualTo(ExitCode.COULD_NOT_RUN);
  }

  @Test
  void open_otherHadoopThatIsAllowed_goesOnToTheNameNode() {
    conf.set("evenkeel.mover.allow-untested", "true");
    assertThatThrownBy(() -> FileMover.open(conf, NO_NAMENODE, CHANGED))
        .hasMessageContaining("file:///: not an HDFS NameNode");
  }
}
