package io.evenkeel.placement.core.mapping;

import java.util.Locale;
import java.util.stream.Collectors;

/** How much of a location a daemon is told. */
public enum EmitLevel {
  /** All levels: {@code /rack/nodegroup}. */
  PATH {
    @Override
    public String text(NetworkLocation location) {
      return location.toString();
    }
  },
  /** One level that is unique in the cluster: {@code /rack+nodegroup}. */
  NODEGROUP {
    @Override
    public String text(NetworkLocation location) {
      return location.levels().stream()
          .map(level -> level.replace("%", "%25").replace("+", "%2b"))
          .collect(Collectors.joining("+", "/", ""));
    }
  },
  /** Everything above the node group: {@code /rack}. */
  RACK {
    @Override
    public String text(NetworkLocation location) {
      return location.parent().toString();
    }
  };

  /** What the daemon is told; different locations at PATH and NODEGROUP give different texts. */
  public abstract String text(NetworkLocation location);

  /** The level an operator names in lower case. */
  public static EmitLevel named(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
