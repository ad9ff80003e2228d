package io.evenkeel.common.proof;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
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
 *   <li>Calls: pure functions that the module relies on return what they did then.
 * </ul>
 *
 * <p>References to the JDK are left to the compiler. Immutable.
 */
public final class Proof {
  private final int links;
  private final Set<String> inherited;
  private final Set<String> members;
  private final Map<String, String> bodies;
  private final Map<String, String> calls;
  private final Set<String> whole;
  private final List<String> broken;
  private final Set<String> unimplemented;
  private final Map<String, String> unread;
  private final Map<Path, String> origins;
  private final String own;

  private Proof(Linker linker, Findings found, Map<Path, String> origins, String own) {
    this.links = linker.references();
    this.inherited = Collections.unmodifiableSet(linker.inherited().keySet());
    this.members = Collections.unmodifiableSet(found.members);
    this.bodies = Collections.unmodifiableMap(found.bodies);
    this.calls = Collections.unmodifiableMap(found.calls);
    this.whole = Collections.unmodifiableSet(found.whole);
    this.broken = Collections.unmodifiableList(found.broken);
    this.unimplemented = Collections.unmodifiableSet(linker.unimplemented());
    this.unread = Collections.unmodifiableMap(found.unread);
    this.origins = Collections.unmodifiableMap(origins);
    this.own = own;
  }

  /** What is found while it is looked for. */
  private static final class Findings {
    private final Set<String> members = new TreeSet<>();
    private final Map<String, String> bodies = new TreeMap<>();
    private final Map<String, String> calls = new TreeMap<>();
    private final Set<String> whole = new TreeSet<>();
    private final List<String> broken = new ArrayList<>();

    /** What is shown of it, by how it stands in an audit. */
    private final Map<String, String> unread = new TreeMap<>();
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
    Findings found = new Findings();
    found.broken.addAll(linker.problems());
    linker
        .inherited()
        .forEach(
            (member, parent) -> {
              if (!audit.isInherited(member) && !isOurs(member, models)) {
                found.broken.add(
                    "method "
                        + shown(member)
                        + " is missing; "
                        + ClassModel.shown(parent)
                        + " has one");
              }
            });
    members(models, linker, audit, found);
    for (String field : audit.fields()) {
      String owner = field.substring(0, field.indexOf(' '));
      String key = field.substring(owner.length() + 1);
      if (!files.find(owner).flatMap(type -> type.field(key)).isPresent()) {
        found.broken.add("field " + shown(field) + " is missing");
      }
    }
    Set<String> relied = new TreeSet<>(audit.reliedOn());
    linker.methods().stream()
        .filter(method -> audit.isUsed(method.substring(0, method.indexOf(' '))))
        .forEach(relied::add);
    bodies(files, relied, audit, found);
    calls(new PureCalls(loader), audit, found);
    boolean all = found.unread.isEmpty(); // then nobody asks
    return new Proof(
        linker,
        found,
        all ? Collections.emptyMap() : origins(files, models.keySet()),
        all ? "" : digest(own));
  }

  private static void members(
      Map<String, ClassModel> own, Linker linker, Audit audit, Findings found) {
    Set<String> missing = new TreeSet<>();
    for (ClassModel each : own.values()) {
      List<ClassModel> stock = new ArrayList<>(linker.lineage(each));
      stock.removeIf(type -> isOurs(type.name(), own) || linker.isJdk(type.name()));
      for (ClassModel parent : stock) {
        for (String key : overridable(parent)) {
          String member = parent.name() + " " + key;
          found.members.add(member);
          if (!audit.knows(parent.name(), key)) {
            found.unread.put(
                "member " + member,
                "method " + ClassModel.shown(parent.name(), key) + " is not known");
          }
        }
        for (String key : audit.inAllReleases(parent.name())) {
          if (each.method(key).isPresent()
              && stock.stream().noneMatch(type -> type.method(key).isPresent())) {
            missing.add(
                ClassModel.shown(each.name())
                    + ": method "
                    + ClassModel.shown(parent.name(), key)
                    + " is missing, which it overrides");
          }
        }
      }
    }
    found.broken.addAll(missing);
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

  private static void bodies(ClassFiles files, Set<String> relied, Audit audit, Findings found) {
    MethodPrints prints = new MethodPrints(files);
    for (String each : relied) {
      String owner = each.substring(0, each.indexOf(' '));
      boolean all = each.equals(owner + " *");
      if (all) {
        found.whole.add(each);
      }
      for (String method : all ? methods(files, prints, owner) : Collections.singleton(each)) {
        int space = method.indexOf(' ');
        String print = prints.of(method.substring(0, space), method.substring(space + 1));
        found.bodies.put(method, print);
        if (!audit.wasRead(method, print)) {
          found.unread.put(
              "body " + method + " " + print,
              "method "
                  + shown(method)
                  + (print.equals(MethodPrints.ABSENT)
                      ? " is missing"
                      : audit.hasRead(method)
                          ? " differs from all releases that were read"
                          : " is in none of the releases that were read"));
        }
      }
    }
  }

  private static void calls(PureCalls calls, Audit audit, Findings found) {
    for (String call : audit.calls()) {
      int space = call.indexOf(' ');
      String result = calls.result(call.substring(0, space), call.substring(space + 1));
      found.calls.put(call, result);
      if (!audit.wasReturned(call, result)) {
        String shown = call.substring(0, space).replace('/', '.') + "." + call.substring(space + 1);
        found.broken.add(
            result.equals(MethodPrints.ABSENT)
                ? "method " + shown + " is missing"
                : "method " + shown + " returns " + result + " as in none of the releases read");
      }
    }
  }

  /** The jars, and class files in none, that have what was looked at; their names. */
  private static Map<Path, String> origins(ClassFiles files, Set<String> own) {
    Map<Path, String> origins = new TreeMap<>();
    for (String owner : files.read()) {
      if (own.contains(owner) || files.isJdk(owner)) {
        continue;
      }
      String file = owner + ".class";
      files
          .origin(owner)
          .ifPresent(
              path ->
                  origins.put(
                      path, path.endsWith(file) ? file : String.valueOf(path.getFileName())));
    }
    return origins;
  }

  private static String digest(Iterable<byte[]> own) {
    MessageDigest digest = Sha256.begin();
    own.forEach(digest::update);
    return Sha256.end(digest);
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

  /** Classes all of whose methods are relied on, also those of a later release. */
  Set<String> whole() {
    return whole;
  }

  /** The fingerprints of the methods that are relied on, by {@code CLASS NAME}. */
  public Map<String, String> bodies() {
    return bodies;
  }

  /** What the pure functions that are relied on return, by {@code CLASS METHOD(ARGUMENT,...)}. */
  Map<String, String> calls() {
    return calls;
  }

  /** What does not fit, one line each; empty when everything does. */
  public List<String> problems() {
    List<String> problems = new ArrayList<>(broken);
    problems.addAll(unread.values());
    return problems;
  }

  /** What cannot work, whatever a trial finds. */
  public List<String> broken() {
    return broken;
  }

  /**
   * Public classes of the module that lack a method which Hadoop's declare, as Java writes them.
   */
  public Set<String> unimplemented() {
    return unimplemented;
  }

  /** What nobody has read yet, for {@link Acceptance}: how it stands there, and is shown. */
  Map<String, String> unread() {
    return unread;
  }

  /**
   * Where the classes come from that {@link #unread} could name, and what that is called; only
   * looked for when it names one.
   */
  Map<Path, String> origins() {
    return origins;
  }

  /** A digest of the module's own classes; empty where nothing is {@link #unread}. */
  String own() {
    return own;
  }

  /** What was looked at, for a log. */
  public String lookedAt() {
    return links
        + " references, "
        + members.size()
        + " overridable methods, "
        + bodies.size()
        + " method bodies"
        + (calls.isEmpty() ? "" : ", " + calls.size() + " results");
  }
}
