package io.evenkeel.terasort;

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
    assertThat(report.problems()).isEmpty();
    assertThat(report.classes()).isPositive();
    assertThat(report.references()).isPositive();
  }

  @Test
  void testClassPath_hadoopOfThisRun_isTheOneNamed() {
    assertThat(VersionInfo.getVersion()).isEqualTo(System.getProperty("evenkeel.hadoop.version"));
  }
}
