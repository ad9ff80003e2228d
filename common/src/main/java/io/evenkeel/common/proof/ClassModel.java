package io.evenkeel.common.proof;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Name, parents and members of one class file; read from bytes, never loaded. Immutable. */
final class ClassModel {
  private String name;
  private int access;
  private String superName;
  private List<String> interfaces = Collections.emptyList();
  private final Set<String> nested = new TreeSet<>();
  private final Map<String, Integer> fields = new TreeMap<>();
  private final Map<String, Integer> methods = new TreeMap<>();

  private ClassModel() {}

  static ClassModel read(byte[] bytes) {
    ClassModel model = new ClassModel();
    new ClassReader(bytes)
        .accept(
            model.new Reader(),
            ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    return model;
  }

  String name() {
    return name;
  }

  /** Null for java.lang.Object only. */
  String superName() {
    return superName;
  }

  List<String> interfaces() {
    return interfaces;
  }

  boolean isInterface() {
    return has(access, Opcodes.ACC_INTERFACE);
  }

  boolean isAbstract() {
    return has(access, Opcodes.ACC_ABSTRACT);
  }

  boolean isFinal() {
    return has(access, Opcodes.ACC_FINAL);
  }

  boolean isPublic() {
    return has(access, Opcodes.ACC_PUBLIC);
  }

  /** Access flags of a field declared here, by name and descriptor. */
  Optional<Integer> field(String nameAndDescriptor) {
    return Optional.ofNullable(fields.get(nameAndDescriptor));
  }

  /** Access flags of a method declared here, by name and descriptor. */
  Optional<Integer> method(String nameAndDescriptor) {
    return Optional.ofNullable(methods.get(nameAndDescriptor));
  }

  /** Access flags of all methods declared here, by name and descriptor. */
  Map<String, Integer> methods() {
    return methods;
  }

  /** Internal names of the classes within this one, anonymous ones too. */
  Set<String> nested() {
    return nested;
  }

  String packageName() {
    return packageOf(name);
  }

  static String packageOf(String internalName) {
    return internalName.substring(0, Math.max(0, internalName.lastIndexOf('/')));
  }

  /** A class as it is written in Java. */
  static String shown(String internalName) {
    return internalName.replace('/', '.');
  }

  /** A member as it is written in Java, but for the packages of its types. */
  static String shown(String owner, String key) {
    int colon = key.indexOf(':');
    if (colon >= 0) {
      String type = simple(Type.getType(key.substring(colon + 1)));
      return type + " " + shown(owner) + "." + key.substring(0, colon);
    }
    int open = key.indexOf('(');
    if (open < 0) {
      return shown(owner) + "." + key;
    }
    StringBuilder types = new StringBuilder();
    for (Type each : Type.getArgumentTypes(key.substring(open))) {
      types.append(types.length() == 0 ? "" : ", ").append(simple(each));
    }
    String method = shown(owner) + "." + key.substring(0, open) + "(" + types + ")";
    boolean constructor = key.startsWith("<");
    return constructor ? method : simple(Type.getReturnType(key.substring(open))) + " " + method;
  }

  private static String simple(Type type) {
    return type.getClassName().replaceFirst(".*[.]", "");
  }

  static boolean has(int flags, int flag) {
    return (flags & flag) != 0;
  }

  private final class Reader extends ClassVisitor {
    Reader() {
      super(Opcodes.ASM9);
    }

    @Override
    public void visit(
        int version, int flags, String own, String signature, String parent, String[] implemented) {
      name = own;
      access = flags;
      superName = parent;
      interfaces = Arrays.asList(implemented);
    }

    @Override
    public void visitInnerClass(String type, String outer, String simple, int flags) {
      if (type.startsWith(name + "$")) {
        nested.add(type);
      }
    }

    @Override
    public FieldVisitor visitField(int flags, String field, String type, String s, Object v) {
      fields.put(field + ":" + type, flags);
      return null;
    }

    @Override
    public MethodVisitor visitMethod(
        int flags, String method, String descriptor, String signature, String[] exceptions) {
      methods.put(method + descriptor, flags);
      return null;
    }
  }
}
