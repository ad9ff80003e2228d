package io.evenkeel.terasort.core.locality;

import java.util.Locale;

/** Where a task ran, seen from the replicas of its data; the nearest first. */
public enum Locality {
  /** On a host that has a replica. */
  SAME_VM,
  /** On another VM of a physical host that has a replica. */
  SAME_HOST,
  /** In a rack that has a replica; with a map of racks only it may have been the same host. */
  SAME_RACK,
  /** In no rack that has a replica. */
  OFF_RACK,
  /** The split names no host, or it is not known where one of them is. */
  UNKNOWN;

  /** The word used in JSON, for example {@code same-vm}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The words used in text, for example {@code same VM}. */
  public String words() {
    return label().replace('-', ' ').replace("vm", "VM");
  }
}
