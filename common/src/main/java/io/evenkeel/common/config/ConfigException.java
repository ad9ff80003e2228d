package io.evenkeel.common.config;

/** A configuration value or key that cannot be used; the message names key, value and range. */
public final class ConfigException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param message names the key, the value given and the allowed range
   */
  public ConfigException(String message) {
    super(message);
  }
}
