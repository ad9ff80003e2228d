package io.evenkeel.common.proof;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Class files as a class loader would find them; no class is loaded. Each is read once. Confined to
 * one thread.
 */
public final class ClassFiles {
  /** The JDK's own classes: the extension loader of Java 8, the platform loader since. */
  private static final ClassLoader JDK = ClassLoader.getSystemClassLoader().getParent();

  private static final int BUFFER = 16 << 10;

  private final ClassLoader loader;
  private final Map<String, Boolean> jdk = new HashMap<>();
  private final Map<String, Optional<byte[]>> bytes = new HashMap<>();
  private final Map<String, Optional<ClassModel>> models = new HashMap<>();

  /** The resources of a class loader. */
  public ClassFiles(ClassLoader loader) {
    this.loader = loader;
  }

  /** Takes these bytes for the class they hold, whatever the class loader has. */
  ClassModel put(byte[] file) {
    ClassModel model = ClassModel.read(file);
    bytes.put(model.name(), Optional.of(file));
    models.put(model.name(), Optional.of(model));
    return model;
  }

  /** Whether the class is part of the running JDK. */
  boolean isJdk(String internalName) {
    return internalName.startsWith("java/")
        || jdk.computeIfAbsent(internalName, name -> JDK.getResource(name + ".class") != null);
  }

  /** Name, parents and members of a class. */
  Optional<ClassModel> find(String internalName) {
    return models.computeIfAbsent(internalName, name -> bytes(name).map(ClassModel::read));
  }

  /**
   * The file of a class; empty when there is none.
   *
   * @throws UncheckedIOException when it cannot be read
   */
  Optional<byte[]> bytes(String internalName) {
    return bytes.computeIfAbsent(internalName, this::load);
  }

  /** Internal names of the classes whose files were asked for and are there. */
  Set<String> read() {
    Set<String> names = new TreeSet<>();
    bytes.forEach((name, file) -> file.ifPresent(any -> names.add(name)));
    return names;
  }

  /** The jar that has a class, or its own file; empty where there is none or it is no file. */
  Optional<Path> origin(String internalName) {
    URL url = loader.getResource(internalName + ".class");
    if (url == null) {
      return Optional.empty();
    }
    String text = url.toString();
    int inJar = text.lastIndexOf("!/");
    boolean jar = text.startsWith("jar:") && inJar > 0;
    URI file = URI.create(jar ? text.substring("jar:".length(), inJar) : text);
    return "file".equals(file.getScheme()) ? Optional.of(Paths.get(file)) : Optional.empty();
  }

  private Optional<byte[]> load(String internalName) {
    URL url = loader.getResource(internalName + ".class");
    if (url == null) {
      return Optional.empty();
    }
    try {
      URLConnection connection = url.openConnection();
      connection.setUseCaches(false); // jars of a loader that is closed must not stay open
      try (InputStream in = connection.getInputStream()) {
        return Optional.of(readFully(in));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static byte[] readFully(InputStream in) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream(BUFFER);
    byte[] buffer = new byte[BUFFER];
    for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
      all.write(buffer, 0, n);
    }
    return all.toByteArray();
  }
}
