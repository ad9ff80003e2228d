package io.evenkeel.bench;

import io.evenkeel.common.testing.ArchitectureRules;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class ArchitectureTest {
  /** Package-private parts of the NameNode, see docs/decisions/0010-bench-in-hadoop-package.md. */
  private static final String NAME_NODE = "org.apache.hadoop.hdfs.server.blockmanagement.";

  @Test
  void moduleClasses_allRules_keepThem() {
    ArchitectureRules.checkModule(NAME_NODE + "NameNodeCalls", NAME_NODE + "package-info");
  }

  @Test
  void tests_sleepOnlyInAwait() {
    ArchitectureRules.onlyAwaitSleeps().check(ArchitectureRules.testClassesBeside(getClass()));
  }
}
