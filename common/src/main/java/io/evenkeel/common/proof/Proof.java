package io.evenkeel.common.proof;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.objectweb.asm.Opcodes;

/**
 * Whether the classes of a module fit the Hadoop classes beside them.
 *
 * <ul>
 *   <li>Links: every class, field and method its class files refer to exists, is accessible and
 *       static or not as expected; nothing that it extends or overrides is final; what is abstract
 *       is implemented.
 *   <li>Members: every method of a Hadoop class or interface that the module's classes could
 *       override is known. One that a vendor added would run outside the module's rules.
 *   <li>Bodies: each method whose inside the module relies on does what it did when it was read.
 * </ul>
 *
 * <p>References to the JDK are left to the compiler. Immutable.
 */
public final class Proof {
  private final int links;
  private final Set<String> inherited;
  private final Set<String> members;
  private final Map<String, String> bodies;
  private final List<String> problems;

  private Proof(
      int links,
      Set<String> inherited,
      Set<String> members,
      Map<String, String> bodies,
      List<String> problems) {
    this.links = links;
    this.inherited = Collections.unmodifiableSet(inherited);
    this.members = Collections.unmodifiableSet(members);
    this.bodies = Collections.unmodifiableMap(bodies);
    this.problems = Collections.unmodifiableList(problems);
  }

  /**
   * Proves the classes of a jar or a folder.
   *
   * @param loader finds Hadoop
   * @throws IOException when they cannot be read
   */
  public static Proof of(Path jarOrFolder, ClassLoader loader, Audit audit) throws IOException {
    return of(files(jarOrFolder).values(), loader, audit);
  }

  static Proof of(Iterable<byte[]> own, ClassLoader loader, Audit audit) {
    ClassFiles files = new ClassFiles(loader);
    Map<String, ClassModel> models = new TreeMap<>();
    Map<String, References> references = new TreeMap<>();
    for (byte[] each : own) {
      ClassModel model = files.put(each);
      models.put(model.name(), model);
      references.put(model.name(), References.of(each));
    }
    Linker linker = new Linker(files, models::containsKey, audit::isOptional);
    models.forEach((name, model) -> linker.link(model, references.get(name)));
    List<String> problems = new ArrayList<>(linker.problems());
    linker
        .inherited()
        .forEach(
            (member, parent) -> {
              if (!audit.isInherited(member) && !isOurs(member, models)) {
                problems.add(
                    "method "
                        + shown(member)
                        + " is missing; "
                        + ClassModel.shown(parent)
                        + " has one");
              }
            });
    Set<String> members = members(models, linker, audit, problems);
    Map<String, String> bodies = bodies(files, audit, problems);
    return new Proof(linker.references(), linker.inherited().keySet(), members, bodies, problems);
  }

  private static Set<String> members(
      Map<String, ClassModel> own, Linker linker, Audit audit, List<String> problems) {
    Set<String> found = new TreeSet<>();
    Set<String> wrong = new TreeSet<>();
    for (ClassModel each : own.values()) {
      List<ClassModel> stock = new ArrayList<>(linker.lineage(each));
      stock.removeIf(type -> isOurs(type.name(), own) || linker.isJdk(type.name()));
      for (ClassModel parent : stock) {
        for (String key : overridable(parent)) {
          found.add(parent.name() + " " + key);
          if (!audit.knows(parent.name(), key)) {
            wrong.add("method " + ClassModel.shown(parent.name(), key) + " is not known");
          }
        }
        for (String key : audit.inAllReleases(parent.name())) {
          if (each.method(key).isPresent()
              && stock.stream().noneMatch(type -> type.method(key).isPresent())) {
            wrong.add(
                ClassModel.shown(each.name())
                    + ": method "
                    + ClassModel.shown(parent.name(), key)
                    + " is missing, which it overrides");
          }
        }
      }
    }
    problems.addAll(wrong);
    return found;
  }

  /** Of the same jar, or what it is packed with. */
  private static boolean isOurs(String type, Map<String, ClassModel> own) {
    return own.containsKey(type) || type.startsWith("io/evenkeel/") || type.startsWith("picocli/");
  }

  /** Methods of a class that can be overridden, by name and descriptor. */
  static List<String> overridable(ClassModel type) {
    int not = Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_FINAL | Opcodes.ACC_SYNTHETIC;
    List<String> keys = new ArrayList<>();
    type.methods()
        .forEach(
            (key, flags) -> {
              if (!ClassModel.has(flags, not) && !key.startsWith("<")) {
                keys.add(key);
              }
            });
    return keys;
  }

  private static Map<String, String> bodies(ClassFiles files, Audit audit, List<String> problems) {
    MethodPrints prints = new MethodPrints(files);
    Map<String, String> found = new TreeMap<>();
    for (String relied : audit.reliedOn()) {
      String owner = relied.substring(0, relied.indexOf(' '));
      boolean all = relied.equals(owner + " *");
      for (String method : all ? methods(files, prints, owner) : Collections.singleton(relied)) {
        int space = method.indexOf(' ');
        String print = prints.of(method.substring(0, space), method.substring(space + 1));
        found.put(method, print);
        if (!audit.wasRead(method, print)) {
          problems.add(
              "method "
                  + shown(method)
                  + (print.equals(MethodPrints.ABSENT)
                      ? " is missing"
                      : " differs from all releases that were read"));
        }
      }
    }
    return found;
  }

  /** All methods of a class and of those within it, as {@code CLASS METHOD}. */
  private static Set<String> methods(ClassFiles files, MethodPrints prints, String owner) {
    Set<String> methods = new TreeSet<>();
    prints.names(owner).forEach(name -> methods.add(owner + " " + name));
    files
        .find(owner)
        .ifPresent(
            type -> type.nested().forEach(each -> methods.addAll(methods(files, prints, each))));
    return methods;
  }

  private static String shown(String classAndMember) {
    int space = classAndMember.indexOf(' ');
    return ClassModel.shown(
        classAndMember.substring(0, space), classAndMember.substring(space + 1));
  }

  /** The class files of a jar or a folder, by their names there. */
  static Map<String, byte[]> files(Path jarOrFolder) throws IOException {
    Map<String, byte[]> files = new LinkedHashMap<>();
    if (Files.isDirectory(jarOrFolder)) {
      try (Stream<Path> all = Files.walk(jarOrFolder)) {
        for (Path file : (Iterable<Path>) all.sorted()::iterator) {
          if (isProved(jarOrFolder.relativize(file).toString())) {
            files.put(file.toString(), Files.readAllBytes(file));
          }
        }
      }
      return files;
    }
    try (JarFile jar = new JarFile(jarOrFolder.toFile())) {
      for (Enumeration<JarEntry> all = jar.entries(); all.hasMoreElements(); ) {
        JarEntry entry = all.nextElement();
        if (isProved(entry.getName())) {
          try (InputStream in = jar.getInputStream(entry)) {
            files.put(entry.getName(), ClassFiles.readFully(in));
          }
        }
      }
    }
    return files;
  }

  /** Versioned copies and descriptions of modules are not what a Java 8 JVM loads. */
  private static boolean isProved(String file) {
    return file.endsWith(".class") && !file.endsWith("-info.class") && !file.startsWith("META-INF");
  }

  /** Number of references outside the JDK that were looked up. */
  public int links() {
    return links;
  }

  /** Members that were found in a parent of the class referred to, as {@code CLASS MEMBER}. */
  Set<String> inherited() {
    return inherited;
  }

  /** Methods that can be overridden, as {@code CLASS NAME(TYPES)TYPE}. */
  Set<String> members() {
    return members;
  }

  /** The fingerprints of the methods that are relied on, by {@code CLASS NAME}. */
  Map<String, String> bodies() {
    return bodies;
  }

  /** What does not fit, one line each; empty when everything does. */
  public List<String> problems() {
    return problems;
  }

  /** What was looked at, for a log. */
  public String lookedAt() {
    return links
        + " references, "
        + members.size()
        + " overridable methods, "
        + bodies.size()
        + " method bodies";
  }
}
