package io.evenkeel.placement.core.mapping;

import java.util.Locale;

/** What becomes of a host whose location cannot be used. */
public enum UnknownMode {
  /** It is a host of its own. */
  ISOLATE,
  /** It gets the location of the site, filled up or cut to the depth of the cluster. */
  WARN,
  /** It gets none. */
  FAIL;

  /** The mode an operator names in lower case. */
  public static UnknownMode named(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
