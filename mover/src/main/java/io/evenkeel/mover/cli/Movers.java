package io.evenkeel.mover.cli;

import io.evenkeel.mover.request.MoveReport;
import io.evenkeel.mover.request.MoveRequest;
import java.io.IOException;
import java.net.URI;
import java.util.concurrent.CompletableFuture;

/** Opens what moves the files of a namespace. */
public interface Movers {
  /**
   * Opens it.
   *
   * @param namenode {@code hdfs://authority}
   */
  Mover open(URI namenode) throws IOException;

  /** Moves the files of one namespace. */
  interface Mover extends AutoCloseable {
    /** Moves what the request names; {@link io.evenkeel.mover.FileMover#move(MoveRequest)}. */
    CompletableFuture<MoveReport> move(MoveRequest request);

    /** Ends all requests. */
    @Override
    void close();
  }
}
