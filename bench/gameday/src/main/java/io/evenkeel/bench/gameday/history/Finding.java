package io.evenkeel.bench.gameday.history;

import java.util.Objects;

/**
 * Something that no course of the acknowledged and doubtful operations explains. Immutable.
 *
 * @param path of the file
 * @param place block and DataNode, where one replica is meant; otherwise empty
 * @param reason one sentence
 */
public record Finding(Kind kind, String path, String place, String reason) {

  /** What is wrong. */
  public enum Kind {
    /** A file that has to exist does not. */
    LOST_FILE,
    /** Acknowledged bytes at the end of a file are missing. */
    LOST_BYTES,
    /** A byte is not the one that was written. */
    WRONG_BYTE,
    /** There are more bytes than anybody wrote. */
    EXCESS_BYTES,
    /** A file that was deleted or renamed is there again. */
    RESURRECTED_FILE,
    /** A file that nobody created. */
    UNEXPECTED_FILE,
    /** HDFS says that it did what cannot be done, for example renamed a file that is not there. */
    IMPOSSIBLE_SUCCESS,
    /** What has to be readable is not. */
    UNREADABLE,
    /** Fewer replicas than there should be, long after the last fault. */
    FEW_REPLICAS,
    /** More replicas than there should be. */
    MANY_REPLICAS,
    /** Two replicas of a block on one DataNode or physical host. */
    SHARED_HOST,
    /** All replicas of a block in one rack. */
    ONE_RACK,
    /** A storage type that the policy does not ask for, after a mover. */
    WRONG_TYPE,
    /** The NameNode, a replica map or a disk says something else than another one. */
    DISAGREEMENT,
    /** A replica or a file that nobody knows of. */
    LEFT_OVER,
    /** A thread, a reference or reserved space that nobody gives back. */
    LEAK,
    /** What has to end does not. */
    NOT_CALM
  }

  /** Refuses null. */
  public Finding {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(place, "place");
    Objects.requireNonNull(reason, "reason");
  }

  @Override
  public String toString() {
    return kind + " " + path + (place.isEmpty() ? "" : " " + place) + ": " + reason;
  }
}
