package io.evenkeel.terasort;

import io.evenkeel.common.proof.Mutants.Kind;
import io.evenkeel.common.testing.HadoopFitContract;
import io.evenkeel.terasort.config.TerasortKeys;
import org.apache.hadoop.util.VersionInfo;

class HadoopFitTest extends HadoopFitContract {
  HadoopFitTest() {
    super(
        TerasortKeys.MODULE,
        "terasort",
        VersionInfo.getVersion(),
        Kind.CONDITION,
        Kind.CALL,
        Kind.LOCK);
  }
}
