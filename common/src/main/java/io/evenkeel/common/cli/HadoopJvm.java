package io.evenkeel.common.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** What Hadoop needs of the JVM it runs in. Stateless. */
public final class HadoopJvm {
  /** A test compares it with the root pom. */
  private static final List<String> OPENED =
      Collections.unmodifiableList(
          Arrays.asList(
              "java.base/java.lang",
              "java.base/java.lang.reflect",
              "java.base/java.util",
              "java.base/java.util.concurrent",
              "java.base/java.io",
              "java.base/java.net",
              "java.base/java.nio",
              "java.base/sun.nio.ch",
              "java.base/sun.nio.fs",
              "java.base/java.math",
              "java.base/java.text"));

  private HadoopJvm() {}

  /** Options that open packages of a JDK 9 or later; an earlier one does not know them. */
  public static List<String> opening() {
    List<String> options = new ArrayList<>();
    for (String opened : OPENED) {
      options.add("--add-opens=" + opened + "=ALL-UNNAMED");
    }
    return options;
  }
}
