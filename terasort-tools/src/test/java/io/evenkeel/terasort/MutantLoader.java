package io.evenkeel.terasort;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Loads this module's classes and its tests' anew, one of them changed. */
final class MutantLoader extends ClassLoader {
  private static final String OURS = "io.evenkeel.terasort.";

  private final Mutant mutant;
  private final AtomicBoolean changed = new AtomicBoolean();

  /** A loader of unchanged classes when {@code mutant} is null. */
  MutantLoader(Mutant mutant) {
    super(MutantLoader.class.getClassLoader());
    this.mutant = mutant;
  }

  /** The first fault {@link CoreChecks} finds with the changed class; null when it lives. */
  String fault() throws ReflectiveOperationException {
    Callable<?> checks =
        (Callable<?>) loadClass(CoreChecks.class.getName()).getDeclaredConstructor().newInstance();
    String fault;
    try {
      fault = (String) checks.call();
    } catch (Exception | LinkageError e) {
      if (e instanceof VerifyError || e instanceof ClassFormatError) {
        throw new IllegalStateException("the mutant is no class", e);
      }
      fault = e.toString();
    }
    if (mutant != null && !changed.get()) {
      throw new IllegalStateException(mutant + " changes nothing");
    }
    return fault;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(OURS)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      if (loaded == null) {
        byte[] bytes = bytes(name);
        loaded = defineClass(name, bytes, 0, bytes.length);
      }
      return loaded;
    }
  }

  private byte[] bytes(String name) throws ClassNotFoundException {
    byte[] original = original(name);
    return mutant == null || !name.equals(mutant.className()) ? original : mutate(original);
  }

  static byte[] original(String name) throws ClassNotFoundException {
    String resource = name.replace('.', '/') + ".class";
    try (InputStream in = MutantLoader.class.getClassLoader().getResourceAsStream(resource)) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  private byte[] mutate(byte[] original) {
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    String owner = mutant.className().replace('.', '/');
    new ClassReader(original)
        .accept(
            new ClassVisitor(Opcodes.ASM9, writer) {
              @Override
              public MethodVisitor visitMethod(
                  int access, String name, String descriptor, String signature, String[] thrown) {
                MethodVisitor next = super.visitMethod(access, name, descriptor, signature, thrown);
                return name.equals(mutant.method()) ? mutant.change().apply(next, owner) : next;
              }
            },
            0);
    byte[] result = writer.toByteArray();
    // Compared with what an unchanged copy gives: the writer orders its constants anew.
    ClassWriter plain = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    new ClassReader(original).accept(plain, 0);
    changed.set(!java.util.Arrays.equals(result, plain.toByteArray()));
    return result;
  }
}
