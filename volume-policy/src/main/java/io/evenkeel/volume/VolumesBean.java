package io.evenkeel.volume;

import io.evenkeel.common.plugin.PluginStatus.State;
import java.util.List;
import java.util.Locale;

/** Answers JMX for the groups of one DataNode. Immutable and thread-safe. */
final class VolumesBean implements VolumesMXBean {
  private final VolumeGroups groups;
  private final State state;

  VolumesBean(VolumeGroups groups, State state) {
    this.groups = groups;
    this.state = state;
  }

  @Override
  public String getState() {
    return state.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public long getChoices() {
    return groups.counters().choices.sum();
  }

  @Override
  public long getOutOfSpace() {
    return groups.counters().outOfSpace.sum();
  }

  @Override
  public long getRescued() {
    return groups.counters().rescued.sum();
  }

  @Override
  public long getWouldDiffer() {
    return groups.counters().wouldDiffer.sum();
  }

  @Override
  public List<VolumeReport> getVolumes() {
    return groups.reports();
  }
}
