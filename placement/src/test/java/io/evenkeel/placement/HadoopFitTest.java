package io.evenkeel.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.plugin.Fit;
import io.evenkeel.common.proof.Audit;
import io.evenkeel.common.proof.Mutants;
import io.evenkeel.common.proof.Mutants.Kind;
import io.evenkeel.common.proof.Mutants.Mutant;
import io.evenkeel.placement.config.PlacementKeys;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whether the module fits the Hadoop of this run ({@code -Dhadoop.version}), and a changed one. */
class HadoopFitTest {
  private static final int OF_EACH = 4;

  @TempDir Path dir;

  @Test
  void module_hadoopOfThisRun_fits() {
    Fit fit = PlacementKeys.MODULE.fit(VersionInfo.getVersion());
    assertThat(fit.problems()).isEmpty();
    assertThat(fit.lookedAt()).matches("[1-9]\\d+ references, [1-9]\\d* over.*");
  }

  @Test
  void testClassPath_hadoopOfThisRun_isTheOneNamed() {
    assertThat(VersionInfo.getVersion()).isEqualTo(System.getProperty("evenkeel.hadoop.version"));
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void module_hadoopIsChanged_theChangeIsNamed(Kind kind) throws IOException {
    ClassLoader hadoop = getClass().getClassLoader();
    Audit audit = Audit.of(getClass(), "/io/evenkeel/placement/audited.txt");
    Path classes = Path.of("target", "classes");
    Mutants mutants = new Mutants(classes, hadoop, audit, dir, kind.ordinal());
    for (Mutant mutant : mutants.draw(kind, OF_EACH)) {
      assertThat(mutants.problems(mutant)).anyMatch(each -> each.contains(mutant.named()));
    }
  }
}
