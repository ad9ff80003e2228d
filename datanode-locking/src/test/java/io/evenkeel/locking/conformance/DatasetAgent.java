package io.evenkeel.locking.conformance;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** {@code -javaagent}: test classes of the dataset's package make ours instead of stock's. */
public final class DatasetAgent implements ClassFileTransformer {
  private static final String PACKAGE = "org/apache/hadoop/hdfs/server/datanode/fsdataset/impl/";
  private static final String STOCK = PACKAGE + "FsDatasetImpl";

  private DatasetAgent() {}

  /** Called by the JVM. */
  public static void premain(String arguments, Instrumentation instrumentation) {
    instrumentation.addTransformer(new DatasetAgent());
  }

  @Override
  public byte[] transform(
      ClassLoader loader, String name, Class<?> old, ProtectionDomain domain, byte[] bytes) {
    if (name == null || !name.startsWith(PACKAGE + "Test")) {
      return null;
    }
    ClassReader reader = new ClassReader(bytes);
    ClassWriter writer = new ClassWriter(reader, 0);
    reader.accept(new Rewriter(writer), 0);
    return writer.toByteArray();
  }

  private static final class Rewriter extends ClassVisitor {
    Rewriter(ClassVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
      return new Constructions(next);
    }
  }

  /** NEW, DUP, arguments, INVOKESPECIAL become arguments, INVOKESTATIC. */
  private static final class Constructions extends MethodVisitor {
    private boolean justLeftOutNew;

    Constructions(MethodVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
      if (opcode == Opcodes.NEW && type.equals(STOCK)) {
        justLeftOutNew = true;
      } else {
        super.visitTypeInsn(opcode, type);
      }
    }

    @Override
    public void visitInsn(int opcode) {
      if (opcode == Opcodes.DUP && justLeftOutNew) {
        justLeftOutNew = false;
      } else {
        super.visitInsn(opcode);
      }
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      if (opcode == Opcodes.INVOKESPECIAL && owner.equals(STOCK) && name.equals("<init>")) {
        String creates = descriptor.replace(")V", ")L" + STOCK + ";");
        super.visitMethodInsn(
            Opcodes.INVOKESTATIC, PACKAGE + "PluggedDataset", "create", creates, false);
      } else {
        super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
      }
    }
  }
}
