package io.evenkeel.volume;

import java.util.List;

/**
 * What the latency-aware policy of one DataNode knows and does, per volume; read by {@code evenkeel
 * volumes} through {@code /jmx} under {@code io.evenkeel:type=Volumes,module=volume,*}. Attribute
 * names are API. Every number is finite, so that {@code /jmx} stays valid JSON. An interface of its
 * own because JMX needs a public one.
 */
public interface VolumesMXBean {
  /**
   * {@code active}, {@code observe} or {@code fallback}; {@code gone} when the DataNode of this
   * bean has ended and its JVM lives on, as in a mini cluster. All else is then 0 or empty.
   */
  String getState();

  /** Choices since start. */
  long getChoices();

  /** Choices that found no volume with room. */
  long getOutOfSpace();

  /** Choices made by the stock round robin because of an error of this plugin. */
  long getRescued();

  /** In observe-only mode: choices where this policy would have taken another volume. */
  long getWouldDiffer();

  /** Volumes, ordered by storage type and directory. */
  List<VolumeReport> getVolumes();
}
