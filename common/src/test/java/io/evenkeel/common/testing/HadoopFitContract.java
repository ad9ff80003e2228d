package io.evenkeel.common.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.plugin.Fit;
import io.evenkeel.common.plugin.PluginModule;
import io.evenkeel.common.proof.Audit;
import io.evenkeel.common.proof.Mutants;
import io.evenkeel.common.proof.Mutants.Kind;
import io.evenkeel.common.proof.Mutants.Mutant;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whether a module fits the Hadoop of this run ({@code -Dhadoop.version}), and a changed one. */
public abstract class HadoopFitContract {
  private static final int OF_EACH = 4;

  private final PluginModule module;
  private final String audited;
  private final String hadoopVersion;
  private final Set<Kind> none;

  @TempDir Path dir;

  /**
   * For a module.
   *
   * @param hadoopVersion what Hadoop says it is
   * @param none changes for which what the module relies on has no place
   */
  protected HadoopFitContract(
      PluginModule module, String shortName, String hadoopVersion, Kind... none) {
    this.module = module;
    this.audited = "/io/evenkeel/" + shortName + "/audited.txt";
    this.hadoopVersion = hadoopVersion;
    this.none = Set.of(none);
  }

  @Test
  void module_hadoopOfThisRun_fits() {
    Fit fit = module.fit(hadoopVersion);
    assertThat(fit.problems()).isEmpty();
    assertThat(fit.lookedAt()).matches("[1-9]\\d+ references, [1-9]\\d* over.*");
  }

  @Test
  void testClassPath_hadoopOfThisRun_isTheOneNamed() {
    assertThat(hadoopVersion).isEqualTo(System.getProperty("evenkeel.hadoop.version"));
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void module_hadoopIsChanged_theChangeIsNamed(Kind kind) throws IOException {
    Audit audit = Audit.of(getClass(), audited);
    Path classes = Path.of("target", "classes");
    Mutants mutants = new Mutants(classes, getClass().getClassLoader(), audit, dir, kind.ordinal());
    List<Mutant> drawn = mutants.draw(kind, OF_EACH);
    assertThat(drawn).hasSizeGreaterThanOrEqualTo(none.contains(kind) ? 0 : 1);
    for (Mutant mutant : drawn) {
      assertThat(mutants.problems(mutant)).anyMatch(each -> each.contains(mutant.named()));
    }
  }
}
