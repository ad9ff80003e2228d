package io.evenkeel.common.testing;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

/**
 * Checks what is in a jar that operators drop on a daemon's class path: only the module's own
 * package, for Java 8, with licence, notice and version. Immutable.
 */
public final class JarCheck {
  private static final int JAVA_8 = 52;

  private final String ownFolder;
  private final List<String> allowedHadoopClasses;

  private JarCheck(String ownFolder, List<String> allowedHadoopClasses) {
    this.ownFolder = ownFolder;
    this.allowedHadoopClasses = allowedHadoopClasses;
  }

  /**
   * A check for one module.
   *
   * @param shortName last part of its package, for example {@code volume}
   * @param allowedHadoopClasses dotted names of classes in Hadoop's packages it may hold
   */
  public static JarCheck of(String shortName, String... allowedHadoopClasses) {
    return new JarCheck("io/evenkeel/" + shortName + "/", Arrays.asList(allowedHadoopClasses));
  }

  /**
   * Looks into a jar.
   *
   * @return one line per problem; empty when there is none
   * @throws IOException when the jar cannot be read
   */
  public List<String> problems(Path jar) throws IOException {
    List<String> problems = new ArrayList<>();
    TreeSet<String> names = new TreeSet<>();
    try (JarFile file = new JarFile(jar.toFile())) {
      for (JarEntry entry : Collections.list(file.entries())) {
        if (!entry.isDirectory()) {
          names.add(entry.getName());
          checkEntry(file, entry, problems);
        }
      }
      Manifest manifest = file.getManifest();
      if (manifest == null
          || manifest.getMainAttributes().getValue("Implementation-Version") == null) {
        problems.add("no Implementation-Version in the manifest");
      }
    }
    for (String required : List.of("META-INF/LICENSE", "META-INF/NOTICE")) {
      if (!names.contains(required)) {
        problems.add("no " + required);
      }
    }
    if (names.stream().noneMatch(n -> n.startsWith(ownFolder) && n.endsWith(".class"))) {
      problems.add("no class under " + ownFolder);
    }
    return problems;
  }

  private void checkEntry(JarFile file, JarEntry entry, List<String> problems) throws IOException {
    String name = entry.getName();
    boolean isClass = name.endsWith(".class");
    if (name.startsWith("META-INF/") && !isClass) {
      return;
    }
    if (!name.startsWith(ownFolder) && !isAllowed(name)) {
      problems.add("foreign entry " + name);
    }
    if (name.startsWith(ownFolder + "shaded/") && name.endsWith("package-info.class")) {
      problems.add("empty class " + name);
    }
    if (isClass) {
      int version = classVersion(file, entry);
      if (version > JAVA_8) {
        problems.add("class version " + version + " (limit " + JAVA_8 + ") of " + name);
      }
    }
  }

  private boolean isAllowed(String name) {
    String top = name.replaceFirst("(\\$[^/]*)?\\.class$", "").replace('/', '.');
    return name.endsWith(".class") && allowedHadoopClasses.contains(top);
  }

  private static int classVersion(JarFile file, JarEntry entry) throws IOException {
    try (InputStream in = file.getInputStream(entry);
        DataInputStream data = new DataInputStream(in)) {
      data.readInt(); // magic number and minor version come first
      data.readUnsignedShort();
      return data.readUnsignedShort();
    }
  }
}
