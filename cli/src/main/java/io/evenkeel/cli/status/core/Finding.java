package io.evenkeel.cli.status.core;

import java.util.Locale;
import java.util.Objects;

/** Something an operator should look at. Immutable. */
public final class Finding {
  /** What kind of thing was found; the names in lower case with hyphens are API. */
  public enum Kind {
    /** One plugin in several versions on daemons of one role. */
    MIXED_VERSION,
    /** One plugin with several settings on daemons of one role. */
    MIXED_SETTINGS,
    /** One plugin active here and not there. */
    MIXED_STATE,
    /** A plugin on some daemons of a role but not on all. */
    PARTIAL,
    /** NameNodes of one namespace that differ: a failover would change behaviour. */
    HA_DIFFERS,
    /** What a plugin itself says is wrong with its configuration or its surroundings. */
    PLUGIN,
    /** Some daemons did not answer. */
    INCOMPLETE;

    /** Name as printed, for example {@code mixed-version}. */
    public String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  private final Kind kind;
  private final String role;
  private final String plugin;
  private final String message;

  /** Creates it; {@code plugin} is empty when the finding is not about one. */
  public Finding(Kind kind, String role, String plugin, String message) {
    this.kind = Objects.requireNonNull(kind);
    this.role = Objects.requireNonNull(role);
    this.plugin = Objects.requireNonNull(plugin);
    this.message = Objects.requireNonNull(message);
  }

  /** What kind of thing. */
  public Kind kind() {
    return kind;
  }

  /** Role of the daemons concerned; empty when several. */
  public String role() {
    return role;
  }

  /** Module and class of the plugin concerned; may be empty. */
  public String plugin() {
    return plugin;
  }

  /** One line with what differs and where. */
  public String message() {
    return message;
  }
}
