package io.evenkeel.mover.engine;

import io.evenkeel.mover.core.plan.ReplicaMove;
import io.evenkeel.mover.core.task.MoveResult;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Moves one replica; blocks until its DataNode has answered. Thread-safe. */
public interface ReplicaMover {
  /**
   * Moves it.
   *
   * @param alive told of the DataNode at each sign of life of it, at the latest by the result
   * @return what the DataNode said; never throws for a failure of the move
   * @throws InterruptedException when the thread was interrupted; the move may go on
   */
  MoveResult move(ReplicaMove move, Consumer<String> alive) throws InterruptedException;

  /**
   * The same where the DataNode may be asked only as long as something holds.
   *
   * @param mayAsk asked at the last moment, when the connection is there; when it does not hold any
   *     more the answer is {@link MoveResult.Kind#TOO_LATE}
   */
  default MoveResult move(ReplicaMove move, Consumer<String> alive, BooleanSupplier mayAsk)
      throws InterruptedException {
    return move(move, alive);
  }

  /** What is to be held while it moves inside DataNodes; null where nobody is to be excluded. */
  default LocalMoveLease lease() {
    return null;
  }
}
