package io.evenkeel.volume.core;

import java.util.concurrent.TimeUnit;

/**
 * Round robin over the volumes of one group that are equal otherwise: the least served is next, in
 * blocks over weight, and of those the one whose latest block is longest ago.
 *
 * <p>A list that has become shorter tells of a loss, most often of a disk that failed, and what
 * broke it (a controller, a cable, the power of a shelf) may have broken others nobody has written
 * to since. Rotation would go on with the volume whose latest block is longest ago, the one that is
 * least known to work. So for one round after a loss equals take turns backwards: first the volume
 * that had a block last, but for those whose block is so new that it may be one that failed. A copy
 * the NameNode ordered to make up for the loss is thus less likely to fail as well, of which the
 * NameNode would learn only by its timeout.
 *
 * <p>Not thread-safe: guarded by the {@link VolumeGroup}, and so is every {@link Place}.
 */
final class WeightedRoundRobin {
  /** At most one round in this time runs backwards, so that lists that differ starve nobody. */
  private static final long BETWEEN_LOSSES = TimeUnit.SECONDS.toNanos(10);

  /** Whether a block came to its volume well is known after this time. */
  private static final long SETTLED = TimeUnit.SECONDS.toNanos(5);

  private double servedByAll;
  private long latest;
  private int listed;
  private boolean lost;
  private long lostAt;
  private long turnAtLoss; // of the latest settled block; 0 when there was none

  /**
   * Whether fewer volumes are listed than before and a round begins to run backwards; then {@link
   * #remains} follows for each that still is.
   */
  boolean noticeLoss(int nowListed, long now) {
    boolean shorter = nowListed < listed;
    listed = nowListed;
    if (!shorter || (lost && now - lostAt < BETWEEN_LOSSES)) {
      return false;
    }
    lost = true;
    lostAt = now;
    turnAtLoss = 0;
    return true;
  }

  /** It takes part in the round that runs backwards, unless its block is too new. */
  void remains(Place place, long now) {
    servedByAll = Math.max(servedByAll, place.served);
    if (place.choices == 0 || now - place.chosenAt > SETTLED) {
      turnAtLoss = Math.max(turnAtLoss, place.turn);
    }
  }

  /**
   * A new one stands at the end of the line of equals, as behind the cursor of stock's rotation.
   */
  void join(Place place) {
    serve(place);
    place.turn = ++latest;
  }

  /** It has had a turn. */
  void serve(Place place) {
    servedByAll = served(place);
    place.served = servedByAll + 1 / place.weight;
  }

  /** It gets a block. */
  void chosen(Place place, long now) {
    place.choices++;
    place.turn = ++latest;
    place.chosenAt = now;
  }

  /** Whether it is rather the turn of {@code a} than of {@code b}. */
  boolean precedes(Place a, Place b) {
    double servedA = served(a);
    double servedB = served(b);
    if (servedA != servedB) {
      return servedA < servedB;
    }
    boolean backwards = a.turn <= turnAtLoss && b.turn <= turnAtLoss;
    return backwards ? a.turn > b.turn : a.turn < b.turn;
  }

  /** Nobody makes up for turns missed while others were preferred. */
  private double served(Place place) {
    return Math.max(place.served, servedByAll);
  }

  /** The place of one volume in the line. */
  static final class Place {
    private final double weight;
    private double served;
    private long turn; // the number of the latest choice of it; 0 while it has no place
    private long chosenAt; // when that was; meaningful once it was chosen
    private long choices;

    Place(double weight) {
      this.weight = weight;
    }

    /** Whether its volume has not been considered yet. */
    boolean isNew() {
      return turn == 0;
    }

    /** How many blocks it got. */
    long choices() {
      return choices;
    }
  }
}
