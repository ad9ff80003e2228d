package io.evenkeel.common.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Finds class files: first in the classes under check, then as resources of a class loader.
 * Confined to one thread.
 */
final class ClassPath {
  private static final ClassLoader JDK = ClassLoader.getPlatformClassLoader();

  private final Map<String, ClassModel> own;
  private final ClassLoader loader;
  private final Map<String, Optional<ClassModel>> found = new HashMap<>();

  ClassPath(Map<String, ClassModel> own, ClassLoader loader) {
    this.own = own;
    this.loader = loader;
  }

  /** Whether the class is one of those under check. */
  boolean isOwn(String internalName) {
    return own.containsKey(internalName);
  }

  /** Whether the class is part of the running JDK. */
  static boolean isJdk(String internalName) {
    return JDK.getResource(internalName + ".class") != null;
  }

  Optional<ClassModel> find(String internalName) {
    ClassModel mine = own.get(internalName);
    return mine != null ? Optional.of(mine) : found.computeIfAbsent(internalName, this::load);
  }

  private Optional<ClassModel> load(String internalName) {
    try (InputStream in = loader.getResourceAsStream(internalName + ".class")) {
      return in == null ? Optional.empty() : Optional.of(ClassModel.read(in.readAllBytes()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
