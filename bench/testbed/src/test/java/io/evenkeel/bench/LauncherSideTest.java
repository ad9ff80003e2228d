package io.evenkeel.bench;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * The launcher's JVM has no Hadoop on its class path: what it runs itself must not need one. A test
 * with Hadoop on its own class path cannot see that in any other way.
 */
class LauncherSideTest {
  private final JavaClasses classes =
      new ClassFileImporter().importPath(Path.of("target", "classes"));

  private static ArchRule needsNoHadoop(String... packages) {
    return noClasses()
        .that()
        .resideInAnyPackage(packages)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.apache.hadoop..", "io.evenkeel.bench.net..");
  }

  @Test
  void clusterAndRuntime_needNoHadoop() {
    needsNoHadoop("io.evenkeel.bench.cluster..", "io.evenkeel.bench.runtime..").check(classes);
  }

  @Test
  void rule_onAPackageThatNeedsHadoop_fails() {
    assertThatThrownBy(() -> needsNoHadoop("io.evenkeel.bench.embedded..").check(classes))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("org.apache.hadoop");
  }
}
