package io.evenkeel.cli.volumes.core;

import io.evenkeel.cli.datanodes.core.DataNodeFinding;
import io.evenkeel.cli.datanodes.core.DataNodeFinding.Kind;
import io.evenkeel.cli.datanodes.core.FindingNotes;
import java.util.List;

/** What {@code evenkeel volumes} finds in one round. Stateless. */
public final class VolumesFindings {
  private VolumesFindings() {}

  /**
   * What an operator should look at, worst first; empty when all is well.
   *
   * @param dataNodes what each answered
   * @param missing daemons that could not be asked, one line each
   */
  public static List<DataNodeFinding> of(List<DataNodeVolumes> dataNodes, List<String> missing) {
    FindingNotes found = new FindingNotes();
    found.noteIncomplete(dataNodes, missing);
    boolean any = dataNodes.stream().anyMatch(DataNodeVolumes::hasBean);
    for (DataNodeVolumes dataNode : dataNodes) {
      if (any && dataNode.hasAnswered() && !dataNode.hasBean()) {
        found.note(Kind.PARTIAL, dataNode.address());
      }
      if ("fallback".equals(dataNode.state())) {
        found.note(Kind.FALLBACK, dataNode.address());
      }
      for (VolumeRow volume : dataNode.volumes()) {
        if (volume.isSetAside()) {
          found.note(kind(volume), volume.directory() + " on " + dataNode.address());
        }
      }
    }
    return found.list(VolumesFindings::begin, ", ");
  }

  private static Kind kind(VolumeRow volume) {
    switch (volume.health()) {
      case "failing":
        return Kind.FAILING;
      case "hung":
        return Kind.HUNG;
      default:
        return Kind.EJECTED;
    }
  }

  private static String begin(Kind kind) {
    switch (kind) {
      case FALLBACK:
        return "the stock policy decides on ";
      case PARTIAL:
        return "no latency-aware policy on ";
      default:
        return "";
    }
  }
}
