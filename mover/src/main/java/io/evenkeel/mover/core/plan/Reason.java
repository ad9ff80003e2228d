package io.evenkeel.mover.core.plan;

/** Why a DataNode is no place for a replica, in the order they are looked at. */
enum Reason {
  SOURCE_ONLY("decommissioning, in maintenance or excluded", ""),
  HOLDS("holds a replica already", "hold a replica already"),
  CHOSEN("gets another replica", "get another replica"),
  SAME_HOST("shares a host with another replica", "share a host with another replica"),
  REFUSED("failed with this block before", ""),
  NO_SPACE("lacks the space", "lack the space"),
  POLICY("refused by the placement policy", "");

  private final String one;
  private final String many;

  Reason(String one, String many) {
    this.one = one;
    this.many = many.isEmpty() ? one : many;
  }

  /** What to say after a number of DataNodes. */
  String text(int count) {
    return count == 1 ? one : many;
  }
}
