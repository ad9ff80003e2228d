package io.evenkeel.cli.locks.core;

import io.evenkeel.cli.core.BeanRow;
import io.evenkeel.cli.core.Figures;
import io.evenkeel.cli.datanodes.core.DataNodeFinding;
import io.evenkeel.cli.datanodes.core.DataNodeFinding.Kind;
import io.evenkeel.cli.datanodes.core.FindingNotes;
import java.util.List;

/** What {@code evenkeel locks} finds in one round. Stateless. */
public final class LocksFindings {
  private LocksFindings() {}

  /**
   * What an operator should look at, worst first; empty when all is well.
   *
   * @param dataNodes what each answered
   * @param missing daemons that could not be asked, one line each
   */
  public static List<DataNodeFinding> of(List<DataNodeLocks> dataNodes, List<String> missing) {
    FindingNotes found = new FindingNotes();
    found.noteIncomplete(dataNodes, missing);
    boolean any = dataNodes.stream().anyMatch(DataNodeLocks::hasBean);
    for (DataNodeLocks dataNode : dataNodes) {
      if (dataNode.hasBean()) {
        look(found, dataNode);
      } else if ("fallback".equals(dataNode.state())) {
        found.note(Kind.FALLBACK, dataNode.address() + ": " + dataNode.reason());
      } else if (any && dataNode.hasAnswered()) {
        found.note(Kind.PARTIAL, dataNode.address() + " has the stock dataset");
      }
    }
    return found.list(kind -> "", "; ");
  }

  private static void look(FindingNotes found, DataNodeLocks dataNode) {
    if (dataNode.bean().positive("BrokenRules") != null) {
      String last = dataNode.bean().text("LastBrokenRule");
      found.note(Kind.BROKEN_RULE, dataNode.address() + (last.isEmpty() ? "" : ": " + last));
    }
    for (BeanRow holder : dataNode.holders()) {
      if (dataNode.isSlow(holder)) {
        found.note(Kind.SLOW_HOLDER, slow(holder) + " on " + dataNode.address());
      }
    }
  }

  private static String slow(BeanRow holder) {
    String volume = holder.text("volume");
    return holder.text("operation")
        + " of block "
        + holder.text("blockId")
        + " for "
        + Figures.span(holder.number("heldMillis"))
        + (volume.isEmpty() ? "" : ", " + volume);
  }
}
