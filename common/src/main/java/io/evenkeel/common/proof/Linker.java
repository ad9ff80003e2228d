package io.evenkeel.common.proof;

import static io.evenkeel.common.proof.ClassModel.has;

import io.evenkeel.common.proof.References.Member;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.objectweb.asm.Opcodes;

/**
 * Resolves references the way JVMS 5.4.3 does and collects what fails. Apart from {@link Proof},
 * which asks more than that. Confined to one thread.
 */
final class Linker {
  private final ClassFiles classPath;
  private final Predicate<String> own;
  private final BiPredicate<String, String> optional;
  private final List<String> problems = new ArrayList<>();
  private final Set<String> unimplemented = new TreeSet<>();
  private final Map<String, String> inherited = new TreeMap<>();
  private final Set<String> methods = new TreeSet<>();
  private final Map<String, List<ClassModel>> lineages = new HashMap<>();
  private int references;

  /** A member found, with the class that declares it. Immutable. */
  private static final class Found {
    private final ClassModel declaring;
    private final int flags;

    Found(ClassModel declaring, int flags) {
      this.declaring = declaring;
      this.flags = flags;
    }
  }

  /**
   * A linker.
   *
   * @param own whether a class is of the same compilation, so that its private members are
   *     accessible
   * @param optional whether a class gets by without a member
   */
  Linker(ClassFiles classPath, Predicate<String> own, BiPredicate<String, String> optional) {
    this.classPath = classPath;
    this.own = own;
    this.optional = optional;
  }

  List<String> problems() {
    return problems;
  }

  /** The module's public classes that lack a method, as Java writes them. */
  Set<String> unimplemented() {
    return unimplemented;
  }

  boolean isJdk(String type) {
    return classPath.isJdk(type);
  }

  /** Members that were found in a parent of the class referred to, as {@code CLASS MEMBER}. */
  Map<String, String> inherited() {
    return inherited;
  }

  /** Methods with code that are referred to, where they are declared, as {@code CLASS NAME}. */
  Set<String> methods() {
    return methods;
  }

  int references() {
    return references;
  }

  void link(ClassModel from, References uses) {
    for (String name : uses.classes()) {
      if (!classPath.isJdk(name)) {
        references++;
        linkClass(from, name);
      }
    }
    for (Member member : uses.members()) {
      boolean array = member.owner().startsWith("[");
      if (!array
          && !classPath.isJdk(member.owner())
          && classPath.find(member.owner()).isPresent()) {
        references++;
        linkMember(from, member);
      }
    }
    linkParents(from);
    if (!from.isAbstract()) {
      linkAbstractMethods(from);
    }
  }

  private void linkClass(ClassModel from, String name) {
    Optional<ClassModel> used = classPath.find(name);
    if (!used.isPresent()) {
      problem(from, "class " + ClassModel.shown(name) + " is missing");
    } else if (!used.get().isPublic() && isElsewhere(from, used.get())) {
      problem(from, "class " + ClassModel.shown(name) + " is not public");
    }
  }

  private void linkMember(ClassModel from, Member member) {
    ClassModel owner = classPath.find(member.owner()).orElseThrow(IllegalStateException::new);
    String what =
        (member.isField() ? "field " : "method ") + ClassModel.shown(member.owner(), member.key());
    Found found = resolve(owner, member);
    if (found == null) {
      if (!optional.test(from.name(), member.key())) {
        problem(from, what + " is missing");
      }
      return;
    }
    if (!found.declaring.name().equals(member.owner()) && !own.test(member.owner())) {
      inherited.put(member.owner() + " " + member.key(), found.declaring.name());
    }
    if (!member.isField()
        && !own.test(found.declaring.name())
        && !has(found.flags, Opcodes.ACC_ABSTRACT)) {
      methods.add(found.declaring.name() + " " + member.key().replaceFirst("[(].*", ""));
    }
    if (has(found.flags, Opcodes.ACC_STATIC) != member.isStatic()) {
      problem(from, what + " is " + (member.isStatic() ? "no longer" : "now") + " static");
    }
    if (!member.isField() && owner.isInterface() != member.onInterface()) {
      problem(
          from,
          what
              + (owner.isInterface() ? ": owner is now" : ": owner is no longer")
              + " an interface");
    }
    boolean packagePrivate =
        !has(found.flags, Opcodes.ACC_PUBLIC | Opcodes.ACC_PROTECTED | Opcodes.ACC_PRIVATE);
    if (has(found.flags, Opcodes.ACC_PRIVATE) && !own.test(found.declaring.name())
        || packagePrivate && isElsewhere(from, found.declaring)
        || has(found.flags, Opcodes.ACC_PROTECTED)
            && isElsewhere(from, found.declaring)
            && !inherits(from, found.declaring)) {
      problem(from, what + " is not accessible");
    }
  }

  private boolean inherits(ClassModel from, ClassModel declaring) {
    return lineage(from).stream().anyMatch(c -> c.name().equals(declaring.name()));
  }

  private boolean isElsewhere(ClassModel from, ClassModel used) {
    return !used.packageName().equals(from.packageName());
  }

  private Found resolve(ClassModel start, Member member) {
    for (ClassModel c :
        member.isConstructor() ? Collections.singletonList(start) : lineage(start)) {
      Optional<Integer> flags = member.isField() ? c.field(member.key()) : c.method(member.key());
      if (flags.isPresent()) {
        return new Found(c, flags.get());
      }
    }
    return null;
  }

  /** The class, its super classes upwards, then all interfaces; what is missing is left out. */
  List<ClassModel> lineage(ClassModel start) {
    List<ClassModel> known = lineages.get(start.name());
    if (known == null) {
      known = findLineage(start);
      lineages.put(start.name(), known);
    }
    return known;
  }

  private List<ClassModel> findLineage(ClassModel start) {
    Map<String, ClassModel> chain = new LinkedHashMap<>();
    for (ClassModel c = start; c != null; c = parent(c)) {
      chain.put(c.name(), c);
    }
    Map<String, ClassModel> all = new LinkedHashMap<>(chain);
    chain.values().forEach(c -> addInterfaces(c, all));
    return new ArrayList<>(all.values());
  }

  private void addInterfaces(ClassModel c, Map<String, ClassModel> all) {
    for (String name : c.interfaces()) {
      ClassModel model = classPath.find(name).orElse(null);
      if (model != null) {
        all.put(name, model);
        addInterfaces(model, all);
      }
    }
  }

  private ClassModel parent(ClassModel c) {
    return c.superName() == null ? null : classPath.find(c.superName()).orElse(null);
  }

  private void linkParents(ClassModel from) {
    ClassModel parent = parent(from);
    if (parent != null && (parent.isFinal() || parent.isInterface())) {
      problem(from, "super class " + ClassModel.shown(parent.name()) + " is final or an interface");
    }
    for (String name : from.interfaces()) {
      if (classPath.find(name).filter(c -> !c.isInterface()).isPresent()) {
        problem(from, ClassModel.shown(name) + " is no longer an interface");
      }
    }
    for (ClassModel c = parent; c != null; c = parent(c)) {
      for (Map.Entry<String, Integer> method : c.methods().entrySet()) {
        if (has(method.getValue(), Opcodes.ACC_FINAL)
            && !has(method.getValue(), Opcodes.ACC_PRIVATE)
            && from.method(method.getKey()).isPresent()) {
          problem(from, "overrides final " + ClassModel.shown(c.name(), method.getKey()));
        }
      }
    }
  }

  private void linkAbstractMethods(ClassModel from) {
    List<ClassModel> lineage = lineage(from);
    for (ClassModel c : lineage) {
      for (Map.Entry<String, Integer> method : c.methods().entrySet()) {
        if (has(method.getValue(), Opcodes.ACC_ABSTRACT)
            && !isImplemented(lineage, method.getKey())) {
          if (from.isPublic()) {
            unimplemented.add(ClassModel.shown(from.name()));
          }
          problem(from, "does not implement " + ClassModel.shown(c.name(), method.getKey()));
        }
      }
    }
  }

  /** What a call would select: the first declaration among the classes, else a default method. */
  private static boolean isImplemented(List<ClassModel> lineage, String key) {
    for (ClassModel c : lineage) {
      Optional<Integer> flags = c.method(key);
      if (flags.isPresent() && !has(flags.get(), Opcodes.ACC_STATIC | Opcodes.ACC_PRIVATE)) {
        boolean concrete = !has(flags.get(), Opcodes.ACC_ABSTRACT);
        if (concrete || !c.isInterface()) {
          return concrete;
        }
      }
    }
    return false;
  }

  private void problem(ClassModel from, String text) {
    problems.add(ClassModel.shown(from.name()) + ": " + text);
  }
}
