package io.evenkeel.cli.core.blocks;

/** A listing of blocks that cannot be used; the message is one line and says where. */
public final class ListingException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates it. */
  public ListingException(String message) {
    super(message);
  }
}
