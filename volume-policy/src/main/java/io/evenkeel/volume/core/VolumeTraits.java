package io.evenkeel.volume.core;

/** What the operator said of a volume through its device class. Immutable. */
public final class VolumeTraits {
  /** A volume without a class. */
  public static final VolumeTraits NONE = new VolumeTraits("", 1, 1);

  private final String deviceClass;
  private final double weight;
  private final double ceiling;

  /**
   * Creates traits.
   *
   * @param deviceClass name of the class; empty for none
   * @param weight how much work it gets compared with others of its storage type, above 0
   * @param ceiling used fraction of the capacity above which other volumes are preferred, 0..1
   */
  public VolumeTraits(String deviceClass, double weight, double ceiling) {
    this.deviceClass = deviceClass;
    this.weight = weight;
    this.ceiling = ceiling;
  }

  /** Name of the class; empty for none. */
  public String deviceClass() {
    return deviceClass;
  }

  /** How much work it gets compared with others of its storage type. */
  public double weight() {
    return weight;
  }

  /** Used fraction of the capacity above which other volumes are preferred. */
  public double ceiling() {
    return ceiling;
  }
}
