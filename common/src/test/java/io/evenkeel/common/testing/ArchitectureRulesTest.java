package io.evenkeel.common.testing;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.EvaluationResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sees each rule fail on planted classes and pass on a clean one. */
@Tag("once")
class ArchitectureRulesTest {
  private static final String FIXTURES = "io.evenkeel.common.testing.fixtures";
  private static final JavaClasses BAD =
      ArchitectureRules.importer().importPackages(FIXTURES + ".bad");
  private static final JavaClasses GOOD =
      ArchitectureRules.importer().importPackages(FIXTURES + ".good");

  @TempDir Path temp;

  private static String failures(ArchRule rule, JavaClasses classes) {
    EvaluationResult result = rule.evaluate(classes);
    return String.join("\n", result.getFailureReport().getDetails());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "currentTime()",
        "nanoTimeReference()",
        "unseeded()",
        "threadLocal()",
        "mathRandom()",
        "sleep()"
      })
  void coreIsGivenTimeAndRandomness_eachPlantedUse_isReported(String method) {
    assertThat(failures(ArchitectureRules.coreIsGivenTimeAndRandomness(), BAD)).contains(method);
  }

  @ParameterizedTest
  @ValueSource(strings = {"org.apache.hadoop.conf.Configuration", "org.slf4j.Logger"})
  void coreIsPure_hadoopOrLoggingInCore_isReported(String foreign) throws IOException {
    String simple = foreign.substring(foreign.lastIndexOf('.') + 1);
    String inPackage = foreign.substring(0, foreign.lastIndexOf('.'));
    Path compiled =
        Compiled.into(
            temp,
            temp,
            Map.of(
                foreign,
                "package " + inPackage + "; public class " + simple + " {}",
                "x.core.Chooser",
                "package x.core; class Chooser { " + foreign + " field; }"));
    JavaClasses classes = ArchitectureRules.importer().importPath(compiled);
    assertThat(failures(ArchitectureRules.coreIsPure(), classes)).contains("x.core.Chooser.field");
  }

  @Test
  void hadoopPackagesOnlyHold_classNotOnTheList_isReported() throws IOException {
    Path compiled =
        Compiled.into(
            temp,
            temp,
            Map.of(
                "org.apache.hadoop.hdfs.Listed",
                "package org.apache.hadoop.hdfs; class Listed { class Inner {} }",
                "org.apache.hadoop.hdfs.Smuggled",
                "package org.apache.hadoop.hdfs; class Smuggled {}"));
    JavaClasses classes = ArchitectureRules.importer().importPath(compiled);
    ArchRule rule = ArchitectureRules.hadoopPackagesOnlyHold("org.apache.hadoop.hdfs.Listed");
    assertThat(failures(rule, classes)).contains("Smuggled").doesNotContain("Listed.class");
    assertThat(rule.evaluate(classes).getFailureReport().getDetails()).hasSize(1);
  }

  @Test
  void noPackageCycles_coreAndEdgeNeedEachOther_isReported() {
    assertThat(failures(ArchitectureRules.noPackageCycles(), BAD)).contains("Cycle detected");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"x.sub", "x.sub.sub", "y", "org.apache.hadoop.hdfs", "org.apache.hadoop.x.x"})
  void noPackageCycles_rootAndAnotherPackageNeedEachOther_isReported(String other)
      throws IOException {
    JavaClasses classes = needing(Map.of("x.Root", other + ".Other", other + ".Other", "x.Root"));
    assertThat(failures(ArchitectureRules.noPackageCycles(), classes))
        .contains("Cycle detected", "x ->", other + " ->");
  }

  @Test
  void noPackageCycles_threePackagesInARing_isReported() throws IOException {
    JavaClasses classes =
        needing(Map.of("x.Root", "x.a.A", "x.a.A", "org.hadoop.B", "org.hadoop.B", "x.Root"));
    assertThat(failures(ArchitectureRules.noPackageCycles(), classes)).contains("Cycle detected");
  }

  @Test
  void noPackageCycles_withinOnePackageOrInOneDirection_passes() throws IOException {
    JavaClasses classes =
        needing(Map.of("x.Root", "x.Near", "x.Near", "x.Root", "x.sub.Edge", "x.Root"));
    assertThat(failures(ArchitectureRules.noPackageCycles(), classes)).isEmpty();
  }

  /** Public classes, each with a field of the type it maps to. */
  private JavaClasses needing(Map<String, String> needs) throws IOException {
    Map<String, String> sources = new HashMap<>();
    needs.forEach(
        (name, needed) -> {
          int dot = name.lastIndexOf('.');
          sources.put(
              name,
              String.format(
                  "package %s; public class %s { public %s field; }",
                  name.substring(0, dot), name.substring(dot + 1), needed));
        });
    return ArchitectureRules.importer().importPath(Compiled.into(temp, temp, sources));
  }

  @ParameterizedTest
  @ValueSource(strings = {"Impure.counter", "Impure.TABLE"})
  void noPublicMutableStatics_plantedField_isReported(String field) {
    assertThat(failures(ArchitectureRules.noPublicMutableStatics(), BAD)).contains(field);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Thread.sleep(1)",
        "java.util.concurrent.TimeUnit.SECONDS.sleep(1)",
        "java.util.concurrent.locks.LockSupport.parkNanos(1)",
        "java.util.concurrent.locks.LockSupport.parkUntil(1)",
        "new Thread() { @Override public void run() { try { sleep(1); } catch (Exception e) {} } }",
        "((java.util.function.LongConsumer) java.util.concurrent.locks.LockSupport::parkNanos)"
            + ".accept(1)"
      })
  void onlyAwaitSleeps_eachPlantedSleep_isReported(String statement) throws IOException {
    Path compiled =
        Compiled.into(
            temp,
            temp,
            Map.of(
                "x.SleepyTest",
                "package x; class SleepyTest { void go() throws Exception { "
                    + statement
                    + "; } }"));
    JavaClasses classes = ArchitectureRules.importer().importPath(compiled);
    assertThat(failures(ArchitectureRules.onlyAwaitSleeps(), classes)).contains("x.SleepyTest");
  }

  @Test
  void onlyAwaitSleeps_waitingAndAwaitItself_pass() throws IOException {
    Path compiled =
        Compiled.into(
            temp,
            temp,
            Map.of(
                "x.PatientTest",
                "package x; class PatientTest { void go(Thread t) throws Exception { t.join();"
                    + " new java.util.concurrent.CountDownLatch(0).await(); } }"));
    JavaClasses classes = ArchitectureRules.importer().importPath(compiled);
    assertThat(failures(ArchitectureRules.onlyAwaitSleeps(), classes)).isEmpty();
    JavaClasses await = ArchitectureRules.importer().importClasses(Await.class, Compiled.class);
    assertThat(failures(ArchitectureRules.onlyAwaitSleeps(), await)).isEmpty();
  }

  @Test
  void rules_cleanClasses_pass() {
    assertThat(GOOD).isNotEmpty();
    for (ArchRule rule :
        List.of(
            ArchitectureRules.coreIsPure(),
            ArchitectureRules.coreIsGivenTimeAndRandomness(),
            ArchitectureRules.hadoopPackagesOnlyHold(),
            ArchitectureRules.noPackageCycles(),
            ArchitectureRules.noPublicMutableStatics())) {
      assertThat(failures(rule, GOOD)).as(rule.getDescription()).isEmpty();
    }
  }

  @Test
  void moduleClasses_ofCommon_keepTheRules() {
    ArchitectureRules.checkModule();
  }

  @Test
  void tests_ofCommon_sleepOnlyInAwait() {
    JavaClasses tests = ArchitectureRules.testClassesBeside(getClass());
    DescribedPredicate<JavaClass> planted = JavaClass.Predicates.resideInAPackage(FIXTURES + "..");
    assertThat(failures(ArchitectureRules.onlyAwaitSleeps(), tests.that(planted))).isNotEmpty();
    ArchitectureRules.onlyAwaitSleeps().check(tests.that(DescribedPredicate.not(planted)));
  }
}
