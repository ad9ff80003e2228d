package io.evenkeel.volume.core;

/** What the operator said of a volume through its device class. Immutable. */
public final class VolumeTraits {
  /** A volume without a class. */
  public static final VolumeTraits NONE = new VolumeTraits("", 1, 1, 0);

  private final String deviceClass;
  private final double weight;
  private final double ceiling;
  private final int spillOrder;

  /**
   * Creates traits.
   *
   * @param deviceClass name of the class; empty for none
   * @param weight how much work it gets compared with others of its storage type, above 0
   * @param ceiling used fraction of the capacity above which other volumes are preferred, 0..1
   * @param spillOrder classes with a lower number are used first
   */
  public VolumeTraits(String deviceClass, double weight, double ceiling, int spillOrder) {
    this.deviceClass = deviceClass;
    this.weight = weight;
    this.ceiling = ceiling;
    this.spillOrder = spillOrder;
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

  /** Classes with a lower number are used first. */
  public int spillOrder() {
    return spillOrder;
  }
}
