package io.evenkeel.mover;

import io.evenkeel.common.proof.Mutants.Kind;
import io.evenkeel.common.testing.HadoopFitContract;
import io.evenkeel.mover.config.MoverKeys;
import org.apache.hadoop.util.VersionInfo;

class HadoopFitTest extends HadoopFitContract {
  HadoopFitTest() {
    super(MoverKeys.MODULE, "mover", VersionInfo.getVersion(), Kind.CALL);
  }
}
