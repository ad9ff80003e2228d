package io.evenkeel.mover;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.proof.Mutants.Kind;
import io.evenkeel.common.testing.HadoopFitContract;
import io.evenkeel.mover.config.MoverKeys;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.Test;

class HadoopFitTest extends HadoopFitContract {
  HadoopFitTest() {
    super(MoverKeys.MODULE, "mover", VersionInfo.getVersion(), Kind.CALL);
  }

  @Test
  void knowsLine_releasesThatWereReadAndTheirPatches_only() {
    assertThat(List.of("3.1.0", "3.4.99", "3.3.6_vendor1", "3.1.1.7.1.7.0-551"))
        .allMatch(MoverKeys.MODULE::knowsLine);
    assertThat(Arrays.asList("2.10.2", "3.0.3", "3.14.0", "4.0.0", "3.4", "unknown", "", null))
        .noneMatch(MoverKeys.MODULE::knowsLine);
  }
}
