package io.evenkeel.bench;

import io.evenkeel.common.testing.ArchitectureRules;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class ArchitectureTest {
  @Test
  void moduleClasses_allRules_keepThem() {
    ArchitectureRules.checkModule();
  }

  @Test
  void tests_sleepOnlyInAwait() {
    ArchitectureRules.onlyAwaitSleeps().check(ArchitectureRules.testClassesBeside(getClass()));
  }
}
