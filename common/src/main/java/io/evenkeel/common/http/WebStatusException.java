package io.evenkeel.common.http;

import java.io.IOException;

/** An answer other than 200; the message names the address and the code. */
public final class WebStatusException extends IOException {
  private static final long serialVersionUID = 1L;

  private final int code;
  private final String body;

  WebStatusException(String message, int code, String body) {
    super(message);
    this.code = code;
    this.body = body;
  }

  /** The HTTP status code. */
  public int code() {
    return code;
  }

  /** The first 64 KiB of what came with it; empty when there was nothing. */
  public String body() {
    return body;
  }
}
