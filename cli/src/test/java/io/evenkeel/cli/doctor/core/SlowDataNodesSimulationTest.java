package io.evenkeel.cli.doctor.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cli.doctor.core.Diagnosis.Kind;
import io.evenkeel.cli.doctor.core.SimulatedCluster.Fault;
import io.evenkeel.cli.doctor.core.SimulatedCluster.Limits;
import java.util.ArrayList;
import java.util.List;

class SlowDataNodesSimulationTest {
  static List<Diagnosis> examine(SimulatedCluster cluster) {
    List<Diagnosis> found = new ArrayList<>(SlowDataNodes.find(cluster.history()));
    found.addAll(BusyDataNodes.find(cluster.history()));
    return found;
  }

  static boolean right(SimulatedCluster cluster, Diagnosis each) {
    Kind kind =
        switch (cluster.fault()) {
          case NONE -> Kind.KEYS;
          case SLOW_DATANODE -> Kind.SLOW_DATANODE;
          case SLOW_HOST -> Kind.SLOW_HOST;
          case BUSY_DATANODE, BUSY_HOST -> Kind.BUSY;
        };
    return each.kind() == kind && each.subject().equals(cluster.victim());
  }
}
