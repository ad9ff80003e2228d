package io.evenkeel.common.testing;

import static io.evenkeel.common.testing.ClassModel.has;

import io.evenkeel.common.testing.References.Member;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.objectweb.asm.Opcodes;

/** Resolves references the way JVMS 5.4.3 does and collects what fails. Confined to one thread. */
final class Linker {
  private final ClassPath classPath;
  private final List<String> problems = new ArrayList<>();
  private int references;

  /** A member found, with the class that declares it. */
  private record Found(ClassModel declaring, int flags) {}

  Linker(ClassPath classPath) {
    this.classPath = classPath;
  }

  List<String> problems() {
    return problems;
  }

  int references() {
    return references;
  }

  void link(ClassModel from, References uses) {
    for (String name : uses.classes()) {
      if (!ClassPath.isJdk(name)) {
        references++;
        linkClass(from, name);
      }
    }
    for (Member member : uses.members()) {
      boolean array = member.owner().startsWith("[");
      if (!array
          && !ClassPath.isJdk(member.owner())
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
    if (used.isEmpty()) {
      problem(from, "class " + name + " is missing");
    } else if (!used.get().isPublic() && isElsewhere(from, used.get())) {
      problem(from, "class " + name + " is not public");
    }
  }

  private void linkMember(ClassModel from, Member member) {
    ClassModel owner = classPath.find(member.owner()).orElseThrow();
    String what = (member.isField() ? "field " : "method ") + member.owner() + "." + member.key();
    Found found = resolve(owner, member);
    if (found == null) {
      problem(from, what + " is missing");
      return;
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
    if (has(found.flags, Opcodes.ACC_PRIVATE) && !classPath.isOwn(found.declaring.name())
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
    boolean constructor = member.name().startsWith("<");
    for (ClassModel c : constructor ? List.of(start) : lineage(start)) {
      Optional<Integer> flags = member.isField() ? c.field(member.key()) : c.method(member.key());
      if (flags.isPresent()) {
        return new Found(c, flags.get());
      }
    }
    return null;
  }

  /** The class, its super classes upwards, then all interfaces; what is missing is left out. */
  private List<ClassModel> lineage(ClassModel start) {
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
      problem(from, "super class " + parent.name() + " is final or an interface");
    }
    for (String name : from.interfaces()) {
      if (classPath.find(name).filter(c -> !c.isInterface()).isPresent()) {
        problem(from, name + " is no longer an interface");
      }
    }
    for (ClassModel c = parent; c != null; c = parent(c)) {
      for (Map.Entry<String, Integer> method : c.methods().entrySet()) {
        if (has(method.getValue(), Opcodes.ACC_FINAL)
            && !has(method.getValue(), Opcodes.ACC_PRIVATE)
            && from.method(method.getKey()).isPresent()) {
          problem(from, "overrides final " + c.name() + "." + method.getKey());
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
          problem(from, "does not implement " + c.name() + "." + method.getKey());
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
    problems.add(from.name() + ": " + text);
  }
}
