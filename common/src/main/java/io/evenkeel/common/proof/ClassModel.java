package io.evenkeel.common.proof;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Name, parents and members of one class file; read from bytes, never loaded. Immutable. */
final class ClassModel {
  private String name;
  private int access;
  private String superName;
  private List<String> interfaces = Collections.emptyList();
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

  String packageName() {
    return packageOf(name);
  }

  static String packageOf(String internalName) {
    return internalName.substring(0, Math.max(0, internalName.lastIndexOf('/')));
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
