package io.evenkeel.terasort;

import java.util.function.BiFunction;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * One change to one method of our own classes.
 *
 * @param type simple path below {@code io/evenkeel/terasort/core/}
 * @param method the method's name
 * @param change wraps the writer of the method
 */
record Mutant(
    String name,
    String type,
    String method,
    BiFunction<MethodVisitor, String, MethodVisitor> change) {
  static final String CORE = "io/evenkeel/terasort/core/";
  private static final String HOOKS = CORE + "record/MutantHooks";

  String className() {
    return (CORE + type).replace('/', '.');
  }

  @Override
  public String toString() {
    return name;
  }

  /** Calls a hook for the {@code nth} call (from 1; 0 for all) of a method. */
  static Mutant call(String name, String place, String called, int nth, String hook) {
    String[] at = place.split("#");
    return new Mutant(
        name,
        at[0],
        at[1],
        (next, owner) ->
            new MethodVisitor(Opcodes.ASM9, next) {
              private int calls;

              @Override
              public void visitMethodInsn(
                  int opcode, String type, String method, String descriptor, boolean isInterface) {
                boolean hit = (type + "." + method).equals(CORE + called);
                if (hit && (nth == ++calls || nth == 0)) {
                  boolean isStatic = opcode == Opcodes.INVOKESTATIC;
                  String self = isStatic ? "(" : "(L" + type + ";";
                  super.visitMethodInsn(
                      Opcodes.INVOKESTATIC, HOOKS, hook, self + descriptor.substring(1), false);
                } else {
                  super.visitMethodInsn(opcode, type, method, descriptor, isInterface);
                }
              }
            });
  }

  /** Another 64-bit number in place of one. */
  static Mutant number(String name, String place, long old, long replacement) {
    String[] at = place.split("#");
    return new Mutant(
        name,
        at[0],
        at[1],
        (next, owner) ->
            new MethodVisitor(Opcodes.ASM9, next) {
              @Override
              public void visitLdcInsn(Object value) {
                super.visitLdcInsn(value.equals(old) ? (Object) replacement : value);
              }
            });
  }

  /** Another small number in place of one. */
  static Mutant smallNumber(String name, String place, int old, int replacement) {
    String[] at = place.split("#");
    return new Mutant(
        name,
        at[0],
        at[1],
        (next, owner) ->
            new MethodVisitor(Opcodes.ASM9, next) {
              @Override
              public void visitIntInsn(int opcode, int operand) {
                super.visitIntInsn(opcode, operand == old ? replacement : operand);
              }
            });
  }

  /** Forgets the key of the last edge behind the first call of {@code edge}. */
  static Mutant forgetEdge(String name) {
    return new Mutant(
        name,
        "dataset/DataSetChecker",
        "endFile",
        (next, owner) ->
            new MethodVisitor(Opcodes.ASM9, next) {
              private boolean done;

              @Override
              public void visitMethodInsn(
                  int opcode, String type, String method, String descriptor, boolean isInterface) {
                super.visitMethodInsn(opcode, type, method, descriptor, isInterface);
                if (method.equals("edge") && !done) {
                  done = true;
                  super.visitVarInsn(Opcodes.ALOAD, 0);
                  super.visitInsn(Opcodes.ACONST_NULL);
                  super.visitFieldInsn(Opcodes.PUTFIELD, owner, "lastKey", "[B");
                }
              }
            });
  }

  /** Takes the {@code nth} comparison of two longs (from 1) for equal. */
  static Mutant sameLongs(String name, String place, int nth) {
    String[] at = place.split("#");
    return new Mutant(
        name,
        at[0],
        at[1],
        (next, owner) ->
            new MethodVisitor(Opcodes.ASM9, next) {
              private int seen;

              @Override
              public void visitInsn(int opcode) {
                if (opcode == Opcodes.LCMP && ++seen == nth) {
                  super.visitInsn(Opcodes.POP2);
                  super.visitInsn(Opcodes.POP2);
                  super.visitInsn(Opcodes.ICONST_0);
                } else {
                  super.visitInsn(opcode);
                }
              }
            });
  }

  /** A signed comparison for an unsigned one. */
  static Mutant signedLongs(String name, String place) {
    String[] at = place.split("#");
    return new Mutant(
        name,
        at[0],
        at[1],
        (next, owner) ->
            new MethodVisitor(Opcodes.ASM9, next) {
              @Override
              public void visitMethodInsn(
                  int opcode, String type, String method, String descriptor, boolean isInterface) {
                boolean hit = method.equals("compareUnsigned");
                super.visitMethodInsn(
                    opcode, type, hit ? "compare" : method, descriptor, isInterface);
              }
            });
  }

  /** Turns the {@code nth} condition (from 1) around. */
  static Mutant negated(String type, String method, int nth) {
    return new Mutant(
        type + "#" + method + ", condition " + nth + " negated",
        type,
        method,
        (next, owner) ->
            new MethodVisitor(Opcodes.ASM9, next) {
              private int seen;

              @Override
              public void visitJumpInsn(int opcode, org.objectweb.asm.Label label) {
                super.visitJumpInsn(
                    isCondition(opcode) && ++seen == nth ? opposite(opcode) : opcode, label);
              }
            });
  }

  static boolean isCondition(int opcode) {
    return opcode >= Opcodes.IFEQ && opcode <= Opcodes.IF_ACMPNE
        || opcode == Opcodes.IFNULL
        || opcode == Opcodes.IFNONNULL;
  }

  /** Conditions stand in pairs: IFEQ is odd, IFNULL is even. */
  private static int opposite(int opcode) {
    return opcode >= Opcodes.IFNULL ? opcode ^ 1 : (opcode + 1 ^ 1) - 1;
  }

  /** Plus for minus and minus for plus, the {@code nth} (from 1) of them. */
  static Mutant arithmetic(String type, String method, int nth) {
    return new Mutant(
        type + "#" + method + ", sign " + nth + " changed",
        type,
        method,
        (next, owner) ->
            new MethodVisitor(Opcodes.ASM9, next) {
              private int seen;

              @Override
              public void visitInsn(int opcode) {
                super.visitInsn(isSign(opcode) && ++seen == nth ? otherSign(opcode) : opcode);
              }
            });
  }

  static boolean isSign(int opcode) {
    return opcode == Opcodes.IADD
        || opcode == Opcodes.LADD
        || opcode == Opcodes.ISUB
        || opcode == Opcodes.LSUB;
  }

  private static int otherSign(int opcode) {
    boolean plus = opcode == Opcodes.IADD || opcode == Opcodes.LADD;
    return plus ? opcode + Opcodes.ISUB - Opcodes.IADD : opcode + Opcodes.IADD - Opcodes.ISUB;
  }
}
