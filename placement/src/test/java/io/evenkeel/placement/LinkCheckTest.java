package io.evenkeel.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.LinkCheck;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.Test;

/** The module's classes on the Hadoop of this run ({@code -Dhadoop.version}). */
class LinkCheckTest {
  @Test
  void moduleClasses_onHadoopOfThisRun_link() throws IOException {
    LinkCheck.Report report = LinkCheck.onTestClassPath().check(Path.of("target", "classes"));
    assertThat(report.problems()).filteredOn(problem -> !isOfLaterReleases(problem)).isEmpty();
    assertThat(report.classes()).isPositive();
    assertThat(report.references()).isPositive();
  }

  /**
   * Two settings that a NameNode can change while it runs from Hadoop 3.4 on. The calls stand in
   * methods that override those of that name, which nobody calls where they do not exist.
   */
  private static boolean isOfLaterReleases(String problem) {
    return problem.matches(
        "org/apache/hadoop/hdfs/server/blockmanagement/EvenkeelPlacementBridge: method .*"
            + "[.](setExcludeSlowNodesEnabled[(]Z[)]V|setMinBlocksForWrite[(]I[)]V) is missing");
  }

  @Test
  void testClassPath_hadoopOfThisRun_isTheOneNamed() {
    assertThat(VersionInfo.getVersion()).isEqualTo(System.getProperty("evenkeel.hadoop.version"));
  }
}
