package io.evenkeel.placement.core;

/** The part of a cluster a replica is looked for in. Immutable. */
final class Scope {
  /** The whole cluster. */
  static final Scope ANYWHERE = new Scope(Kind.ANYWHERE, -1);

  /** How {@link #id} is to be read. */
  enum Kind {
    ANYWHERE,
    RACK,
    NEAR_RACK,
    OTHER_RACKS,
    OTHER_RACKS_PAIR,
    HOST
  }

  final Kind kind;
  final int id;

  private Scope(Kind kind, int id) {
    this.kind = kind;
    this.id = id;
  }

  /** One rack. */
  static Scope rack(int rack) {
    return new Scope(Kind.RACK, rack);
  }

  /** One rack while it is not much more loaded than others, then anywhere. */
  static Scope nearRack(int rack) {
    return new Scope(Kind.NEAR_RACK, rack);
  }

  /** All racks but one. */
  static Scope otherRacks(int rack) {
    return new Scope(Kind.OTHER_RACKS, rack);
  }

  /** All racks but one, and one more replica will follow in the same rack on another host. */
  static Scope pairInOtherRacks(int rack) {
    return new Scope(Kind.OTHER_RACKS_PAIR, rack);
  }

  /** One host. */
  static Scope host(int host) {
    return new Scope(Kind.HOST, host);
  }
}
