package io.evenkeel.common.proof;

import java.util.LinkedHashSet;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Everything one class file refers to: classes and members. Annotations are left out, because a JVM
 * ignores an annotation whose class is missing. Confined to one thread.
 */
final class References {
  /** One field or method named by an instruction or a method handle. Immutable. */
  static final class Member {
    private final String owner;
    private final String name;
    private final String descriptor;
    private final Kind kind;
    private final boolean onInterface;

    Member(String owner, String name, String descriptor, Kind kind, boolean onInterface) {
      this.owner = owner;
      this.name = name;
      this.descriptor = descriptor;
      this.kind = kind;
      this.onInterface = onInterface;
    }

    String owner() {
      return owner;
    }

    boolean isConstructor() {
      return name.startsWith("<");
    }

    boolean onInterface() {
      return onInterface;
    }

    boolean isField() {
      return kind == Kind.STATIC_FIELD || kind == Kind.INSTANCE_FIELD;
    }

    boolean isStatic() {
      return kind == Kind.STATIC_FIELD || kind == Kind.STATIC_METHOD;
    }

    /** As {@link ClassModel} keys its members. */
    String key() {
      return isField() ? name + ":" + descriptor : name + descriptor;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Member && toString().equals(other.toString());
    }

    @Override
    public int hashCode() {
      return toString().hashCode();
    }

    @Override
    public String toString() {
      return owner + "." + key() + " " + kind + " " + onInterface;
    }
  }

  /** How the member is used. */
  enum Kind {
    STATIC_FIELD,
    INSTANCE_FIELD,
    STATIC_METHOD,
    INSTANCE_METHOD
  }

  private final Set<String> classes = new LinkedHashSet<>();
  private final Set<Member> members = new LinkedHashSet<>();

  private References() {}

  static References of(byte[] bytes) {
    References references = new References();
    new ClassReader(bytes)
        .accept(references.new OfClass(), ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    return references;
  }

  /** Internal names of the classes, arrays reduced to their elements. */
  Set<String> classes() {
    return classes;
  }

  Set<Member> members() {
    return members;
  }

  private void internalName(String nameOrArray) {
    if (nameOrArray != null) {
      type(Type.getObjectType(nameOrArray));
    }
  }

  private void type(Type type) {
    if (type.getSort() == Type.ARRAY) {
      type(type.getElementType());
    } else if (type.getSort() == Type.OBJECT) {
      classes.add(type.getInternalName());
    } else if (type.getSort() == Type.METHOD) {
      type(type.getReturnType());
      for (Type argument : type.getArgumentTypes()) {
        type(argument);
      }
    }
  }

  private void member(String owner, String name, String descriptor, Kind kind, boolean itf) {
    internalName(owner);
    type(Type.getType(descriptor));
    members.add(new Member(owner, name, descriptor, kind, itf));
  }

  private void handle(Handle h) {
    member(h.getOwner(), h.getName(), h.getDesc(), kind(h.getTag()), h.isInterface());
  }

  private static Kind kind(int tag) {
    switch (tag) {
      case Opcodes.H_GETSTATIC:
      case Opcodes.H_PUTSTATIC:
        return Kind.STATIC_FIELD;
      case Opcodes.H_GETFIELD:
      case Opcodes.H_PUTFIELD:
        return Kind.INSTANCE_FIELD;
      case Opcodes.H_INVOKESTATIC:
        return Kind.STATIC_METHOD;
      default:
        return Kind.INSTANCE_METHOD;
    }
  }

  private void constant(Object value) {
    if (value instanceof Type) {
      type((Type) value);
    } else if (value instanceof Handle) {
      handle((Handle) value);
    } else if (value instanceof ConstantDynamic) {
      ConstantDynamic dynamic = (ConstantDynamic) value;
      type(Type.getType(dynamic.getDescriptor()));
      handle(dynamic.getBootstrapMethod());
      for (int i = 0; i < dynamic.getBootstrapMethodArgumentCount(); i++) {
        constant(dynamic.getBootstrapMethodArgument(i));
      }
    }
  }

  private final class OfClass extends ClassVisitor {
    OfClass() {
      super(Opcodes.ASM9);
    }

    @Override
    public void visit(
        int version, int access, String name, String s, String parent, String[] interfaces) {
      internalName(parent);
      for (String implemented : interfaces) {
        internalName(implemented);
      }
    }

    @Override
    public FieldVisitor visitField(int access, String n, String descriptor, String s, Object v) {
      type(Type.getType(descriptor));
      return null;
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      type(Type.getType(descriptor));
      if (exceptions != null) {
        for (String exception : exceptions) {
          internalName(exception);
        }
      }
      return new OfMethod();
    }
  }

  private final class OfMethod extends MethodVisitor {
    OfMethod() {
      super(Opcodes.ASM9);
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
      internalName(type);
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
      boolean isStatic = opcode == Opcodes.GETSTATIC || opcode == Opcodes.PUTSTATIC;
      member(owner, name, descriptor, isStatic ? Kind.STATIC_FIELD : Kind.INSTANCE_FIELD, false);
    }

    @Override
    public void visitMethodInsn(int opcode, String owner, String name, String desc, boolean itf) {
      boolean isStatic = opcode == Opcodes.INVOKESTATIC;
      member(owner, name, desc, isStatic ? Kind.STATIC_METHOD : Kind.INSTANCE_METHOD, itf);
    }

    @Override
    public void visitInvokeDynamicInsn(String n, String descriptor, Handle bsm, Object... args) {
      type(Type.getType(descriptor));
      handle(bsm);
      for (Object argument : args) {
        constant(argument);
      }
    }

    @Override
    public void visitLdcInsn(Object value) {
      constant(value);
    }

    @Override
    public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
      type(Type.getType(descriptor));
    }

    @Override
    public void visitTryCatchBlock(Label start, Label end, Label handler, String type) {
      internalName(type);
    }
  }
}
