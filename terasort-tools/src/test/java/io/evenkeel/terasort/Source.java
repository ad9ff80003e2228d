package io.evenkeel.terasort;

/** A file of a data set in memory. The path is relative; its last component is the name. */
record Source(String path, byte[] bytes) {
  String name() {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  boolean hidden() {
    return name().startsWith("_") || name().startsWith(".");
  }
}
