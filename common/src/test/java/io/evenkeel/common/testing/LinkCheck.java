package io.evenkeel.common.testing;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Checks that compiled classes would link on the Hadoop of a class path: every class, field and
 * method they refer to exists there, is accessible and static or not as expected; no super class or
 * overridden method is final; every concrete class implements each abstract method it inherits.
 *
 * <p>This is what a JVM finds out only when it runs the line in question, possibly inside a
 * NameNode. Bytes are read as resources, no class is loaded or initialised. References to the JDK
 * are left to the compiler ({@code --release 8}). Immutable.
 */
public final class LinkCheck {
  private final ClassLoader loader;
  private final String hadoopVersion;
  private final List<OnlyOn> probed;

  /** Classes loaded only after a probe, with the releases they belong to. */
  private record OnlyOn(String classPrefix, List<String> versionPrefixes, String reason) {
    boolean covers(String internalName) {
      return internalName.replace('/', '.').startsWith(classPrefix);
    }

    boolean appliesTo(String version) {
      return versionPrefixes.stream()
          .anyMatch(p -> version.equals(p) || version.startsWith(p + "."));
    }
  }

  /**
   * What was seen.
   *
   * @param classes number of classes checked
   * @param references number of references outside the JDK that were looked up
   * @param problems one line each; empty when everything links
   */
  public record Report(int classes, int references, List<String> problems) {}

  private LinkCheck(ClassLoader loader, String hadoopVersion, List<OnlyOn> probed) {
    this.loader = loader;
    this.hadoopVersion = hadoopVersion;
    this.probed = List.copyOf(probed);
  }

  /** Links against the class path of the running test, whose Hadoop the build names. */
  public static LinkCheck onTestClassPath() {
    String version = System.getProperty("evenkeel.hadoop.version");
    if (version == null) {
      throw new IllegalStateException("run by Maven, which sets evenkeel.hadoop.version");
    }
    return on(LinkCheck.class.getClassLoader(), version);
  }

  /** Links against the resources of a class loader that holds the given Hadoop release. */
  public static LinkCheck on(ClassLoader loader, String hadoopVersion) {
    return new LinkCheck(loader, hadoopVersion, List.of());
  }

  /**
   * Declares classes that are loaded only after a probe: checked on the releases they belong to,
   * left alone on others. An entry that covers no class is reported as stale.
   *
   * @param classPrefix dotted name of a class, or the beginning of names
   * @param reason what is probed and where
   * @param versions releases such as {@code 3.4.3}, or lines such as {@code 3.4}
   */
  public LinkCheck onlyOn(String classPrefix, String reason, String... versions) {
    if (classPrefix.isEmpty() || reason.isEmpty() || versions.length == 0) {
      throw new IllegalArgumentException("name the classes, the reason and the releases");
    }
    List<OnlyOn> more = new ArrayList<>(probed);
    more.add(new OnlyOn(classPrefix, List.of(versions), reason));
    return new LinkCheck(loader, hadoopVersion, more);
  }

  /**
   * Checks every class under a folder or in a jar.
   *
   * @param classesOrJar for example {@code target/classes}
   * @throws IOException when it cannot be read
   */
  public Report check(Path classesOrJar) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    if (Files.isDirectory(classesOrJar)) {
      collect(classesOrJar, files);
    } else {
      try (FileSystem jar = FileSystems.newFileSystem(classesOrJar)) {
        collect(jar.getPath("/"), files);
      }
    }
    return check(files.values());
  }

  private Report check(Iterable<byte[]> files) {
    Map<String, ClassModel> own = new TreeMap<>();
    Map<String, References> references = new TreeMap<>();
    for (byte[] bytes : files) {
      ClassModel model = ClassModel.read(bytes);
      own.put(model.name(), model);
      references.put(model.name(), References.of(bytes));
    }
    Linker linker = new Linker(new ClassPath(own, loader));
    int classes = 0;
    for (ClassModel model : own.values()) {
      if (isCheckedHere(model.name())) {
        classes++;
        linker.link(model, references.get(model.name()));
      }
    }
    List<String> problems = new ArrayList<>(linker.problems());
    for (OnlyOn entry : probed) {
      if (own.keySet().stream().noneMatch(entry::covers)) {
        problems.add("stale entry: no class " + entry.classPrefix + "* (" + entry.reason + ")");
      }
    }
    return new Report(classes, linker.references(), problems);
  }

  private boolean isCheckedHere(String internalName) {
    return probed.stream()
        .filter(entry -> entry.covers(internalName))
        .allMatch(entry -> entry.appliesTo(hadoopVersion));
  }

  private static void collect(Path root, Map<String, byte[]> files) throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      for (Path file : (Iterable<Path>) all::iterator) {
        String name = root.relativize(file).toString();
        // versioned copies and module descriptors are not what a Java 8 JVM loads
        if (name.endsWith(".class")
            && !name.endsWith("-info.class")
            && !name.startsWith("META-INF")) {
          files.put(name, Files.readAllBytes(file));
        }
      }
    }
  }
}
