package io.evenkeel.common.testing;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.net.URL;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * The rules every module's classes follow. Rules whose subject may not exist yet (a module without
 * a core) pass on nothing; that each can fail is seen in {@link ArchitectureRulesTest}. Stateless.
 */
public final class ArchitectureRules {
  private ArchitectureRules() {}

  /**
   * Reads no more of Hadoop and the JDK than the superclasses of ours: no rule asks for more, and
   * it is most of the work.
   */
  static ClassFileImporter importer() {
    for (String unused : List.of("MemberTypes", "AccessesToTypes", "GenericSignatureTypes")) {
      ArchConfiguration.get()
          .setProperty("import.dependencyResolutionProcess.maxIterationsFor" + unused, "0");
    }
    return new ClassFileImporter();
  }

  /** The production classes of the module whose tests run. */
  public static JavaClasses moduleClasses() {
    return importer().importPath(Path.of("target", "classes"));
  }

  /** The test classes next to this one: of one module, compiled for one release of Hadoop. */
  public static JavaClasses testClassesBeside(Class<?> test) {
    URL classes = test.getProtectionDomain().getCodeSource().getLocation();
    return importer().importUrl(classes);
  }

  /** Packages named core decide from values only: no Hadoop, no logging. */
  public static ArchRule coreIsPure() {
    return noClasses()
        .that()
        .resideInAPackage("..core..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.apache.hadoop..", "org.slf4j..", "org.apache.log4j..")
        .because("the core is tested without Hadoop, see docs/decisions/0001-pure-core.md")
        .allowEmptyShould(true);
  }

  /** Packages named core are given time and randomness, so that the same seed gives the same. */
  public static ArchRule coreIsGivenTimeAndRandomness() {
    return noClasses()
        .that()
        .resideInAPackage("..core..")
        .should()
        .accessTargetWhere(ambient())
        .because("clock and random source are arguments, see docs/decisions/0001-pure-core.md")
        .allowEmptyShould(true);
  }

  /** Classes in Hadoop's own packages are exceptions with a decision record each. */
  public static ArchRule hadoopPackagesOnlyHold(String... allowedClassNames) {
    Set<String> allowed = Set.of(allowedClassNames);
    return noClasses()
        .that(
            new DescribedPredicate<JavaClass>("are not among %s", allowed) {
              @Override
              public boolean test(JavaClass c) {
                String top = c.getName().replaceFirst("\\$.*", "");
                return !allowed.contains(top);
              }
            })
        .should()
        .resideInAPackage("org.apache.hadoop..")
        .because("each class in a Hadoop package needs a decision record");
  }

  /** No two packages need each other, whatever they are called: the root of a module counts. */
  public static ArchRule noPackageCycles() {
    return slices()
        .assignedFrom(
            new SliceAssignment() {
              @Override
              public SliceIdentifier getIdentifierOf(JavaClass type) {
                return SliceIdentifier.of(type.getPackageName());
              }

              @Override
              public String getDescription() {
                return "packages";
              }
            })
        .namingSlices("$1")
        .should()
        .beFreeOfCycles()
        .because("a package must be understood without those built on it");
  }

  /** A public static field is a constant: final, and not an array. */
  public static ArchRule noPublicMutableStatics() {
    return fields()
        .that()
        .arePublic()
        .and()
        .areStatic()
        .should()
        .beFinal()
        .andShould(notBeArrays())
        .because("several daemons share one JVM in tests and demos")
        .allowEmptyShould(true);
  }

  /** A test waits for a condition, so it sleeps only where that is done. */
  public static ArchRule onlyAwaitSleeps() {
    return noClasses()
        .that()
        .doNotHaveFullyQualifiedName(Await.class.getName())
        .should()
        .accessTargetWhere(sleep())
        .because("Await waits for a condition and says what it waited for");
  }

  /** Checks all rules on the module's production classes. */
  public static void checkModule(String... allowedInHadoopPackages) {
    JavaClasses module = moduleClasses();
    classes().should().bePublic().orShould().notBePublic().check(module); // fails on no classes
    coreIsPure().check(module);
    coreIsGivenTimeAndRandomness().check(module);
    hadoopPackagesOnlyHold(allowedInHadoopPackages).check(module);
    noPackageCycles().check(module);
    noPublicMutableStatics().check(module);
  }

  private static ArchCondition<JavaField> notBeArrays() {
    return new ArchCondition<>("not be arrays") {
      @Override
      public void check(JavaField field, ConditionEvents events) {
        boolean array = field.getRawType().isArray();
        events.add(
            new SimpleConditionEvent(field, !array, field.getDescription() + " is an array"));
      }
    };
  }

  /** Calls (and method references) that only let time pass. */
  private static DescribedPredicate<JavaAccess<?>> sleep() {
    Set<String> others =
        Set.of(
            "java.util.concurrent.TimeUnit.sleep",
            "java.util.concurrent.locks.LockSupport.parkNanos",
            "java.util.concurrent.locks.LockSupport.parkUntil");
    return new DescribedPredicate<>("the target only lets time pass") {
      @Override
      public boolean test(JavaAccess<?> access) {
        AccessTarget target = access.getTarget();
        JavaClass owner = target.getOwner();
        boolean ofThread = target.getName().equals("sleep") && owner.isAssignableTo(Thread.class);
        return ofThread || others.contains(owner.getName() + "." + target.getName());
      }
    };
  }

  /** Calls (and method references) that take time or randomness from the surroundings. */
  private static DescribedPredicate<JavaAccess<?>> ambient() {
    Set<String> anyArguments =
        Set.of(
            "java.lang.System.currentTimeMillis",
            "java.lang.System.nanoTime",
            "java.lang.Math.random",
            "java.lang.Thread.sleep",
            "java.util.UUID.randomUUID",
            "java.util.concurrent.TimeUnit.sleep",
            "java.time.Clock.systemUTC",
            "java.time.Clock.systemDefaultZone");
    Set<String> noArguments =
        Set.of(
            "java.util.Random.<init>",
            "java.util.SplittableRandom.<init>",
            "java.util.Date.<init>",
            "java.time.Instant.now",
            "java.time.LocalDateTime.now");
    return new DescribedPredicate<>("the target is the clock or an unseeded random source") {
      @Override
      public boolean test(JavaAccess<?> access) {
        AccessTarget target = access.getTarget();
        String owner = target.getOwner().getName();
        String name = owner + "." + target.getName();
        boolean bare =
            target instanceof AccessTarget.CodeUnitAccessTarget unit
                && unit.getRawParameterTypes().isEmpty();
        return anyArguments.contains(name)
            || bare && noArguments.contains(name)
            || owner.equals("java.util.concurrent.ThreadLocalRandom")
            || owner.equals("java.security.SecureRandom");
      }
    };
  }
}
