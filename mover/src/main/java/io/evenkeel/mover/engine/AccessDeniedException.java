package io.evenkeel.mover.engine;

import java.io.IOException;

/** The NameNode refused for lack of permission. */
public final class AccessDeniedException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Creates it; the message names the path and the user. */
  public AccessDeniedException(String message, Throwable cause) {
    super(message, cause);
  }
}
