package io.evenkeel.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once") // says nothing about a Hadoop release
class SuiteSectionTest {
  @Test
  void cpu_ofTasksAndDaemons_isTheirSum() {
    assertThat(SuiteSection.cpu(3, 2)).isEqualTo(5);
  }

  /** MapReduce prints no counter, or 0, where it cannot see the processes of its tasks. */
  @Test
  void cpu_ofEitherUnknown_isUnknown() {
    assertThat(SuiteSection.cpu(-1, 2)).isNaN();
    assertThat(SuiteSection.cpu(0, 2)).isNaN();
    assertThat(SuiteSection.cpu(3, Double.NaN)).isNaN();
  }
}
