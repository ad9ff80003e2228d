package io.evenkeel.cli.check.core;

import io.evenkeel.common.plugin.Fit;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** What is on the class path of a host; an interface, because rules are tested without jars. */
public interface Installed {
  /** Whether the class path is known; if not, no class is missing and there is no release. */
  boolean isKnown();

  /** Files and directories that have the class, in the order of the class path. */
  List<String> having(String className);

  /** Version of each jar of ours, by its file, in the order of the class path. */
  Map<String, String> ourJars();

  /** Release of Hadoop; null when no jar tells it. */
  String hadoopVersion();

  /** Whether there is a jar of the module that can read its keys. */
  boolean judges(Module module);

  /**
   * Reads the keys of a module as its jar would.
   *
   * @param names of all properties
   * @param get looks one up
   * @return what is wrong, one line each
   */
  List<String> problems(Module module, Iterable<String> names, Function<String, String> get);

  /** Whether the jar of a module fits this Hadoop. */
  Fit prove(Module module);
}
