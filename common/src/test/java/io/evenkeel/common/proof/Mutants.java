package io.evenkeel.common.proof;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Changes classes of Hadoop, one at a time, as a vendor's back-port might: what a module's proof
 * has to name. Confined to one thread.
 */
public final class Mutants {
  /** What is changed. */
  public enum Kind {
    /** A condition in a method whose inside is relied on. */
    CONDITION,
    /** A call in such a method is left out. */
    CALL,
    /** A lock in such a method is another, or is not taken. */
    LOCK,
    /** A method the module refers to is missing. */
    NO_METHOD,
    /** A field the module refers to is missing. */
    NO_FIELD,
    /** A method the module refers to has one more parameter. */
    SIGNATURE,
    /** A class the module extends has one more method. */
    MEMBER
  }

  /** One change: what a problem must name, and the class as it is then. */
  public record Mutant(Kind kind, String named, String type, byte[] bytes) {}

  private final Path classes;
  private final Audit audit;
  private final ClassLoader hadoop;
  private final ClassFiles files;
  private final Path folder;
  private final Random random;

  /**
   * Of the Hadoop on a class path.
   *
   * @param classes of the module
   * @param folder where changed classes are put
   */
  public Mutants(Path classes, ClassLoader hadoop, Audit audit, Path folder, long seed) {
    this.classes = classes;
    this.audit = audit;
    this.hadoop = hadoop;
    this.files = new ClassFiles(hadoop);
    this.folder = folder;
    this.random = new Random(seed);
  }

  /** What a proof says of one change. */
  public List<String> problems(Mutant mutant) throws IOException {
    Path file = folder.resolve(mutant.type().replace('/', '.') + ".class");
    Files.write(file, mutant.bytes());
    ClassLoader changed =
        new ClassLoader(hadoop) {
          @Override
          public URL getResource(String name) {
            try {
              return name.equals(mutant.type() + ".class")
                  ? file.toUri().toURL()
                  : super.getResource(name);
            } catch (MalformedURLException e) {
              throw new UncheckedIOException(e);
            }
          }
        };
    return Proof.of(classes, changed, audit).problems();
  }

  /** Some changes of a kind, drawn from all there are. */
  public List<Mutant> draw(Kind kind, int count) throws IOException {
    List<String[]> targets = new ArrayList<>(targets(kind));
    Collections.shuffle(targets, random);
    List<Mutant> drawn = new ArrayList<>();
    for (String[] target : targets) {
      Mutant mutant = drawn.size() < count ? mutant(kind, target[0], target[1]) : null;
      if (mutant != null) {
        drawn.add(mutant);
      }
    }
    return drawn;
  }

  /** Classes and methods, or members, that can be changed so. */
  private List<String[]> targets(Kind kind) throws IOException {
    TreeSet<String> found = new TreeSet<>();
    if (kind == Kind.CONDITION || kind == Kind.CALL || kind == Kind.LOCK) {
      found.addAll(audit.reliedOn());
    } else {
      Map<String, ClassModel> own = new TreeMap<>();
      List<References> references = new ArrayList<>();
      for (byte[] each : Proof.files(classes).values()) {
        ClassModel model = ClassModel.read(each);
        own.put(model.name(), model);
        references.add(References.of(each));
      }
      for (ClassModel each : own.values()) {
        List<String> parents = new ArrayList<>(each.interfaces());
        parents.add(each.superName());
        for (String parent : parents) {
          if (kind == Kind.MEMBER && isHadoop(parent, own)) {
            found.add(parent + " added()V");
          }
        }
      }
      for (References of : references) {
        for (References.Member member : of.members()) {
          boolean wanted =
              kind == Kind.NO_FIELD
                  ? member.isField()
                  : kind != Kind.MEMBER && !member.isField() && !member.isConstructor();
          if (wanted && isHadoop(member.owner(), own) && declares(member)) {
            found.add(member.owner() + " " + member.key());
          }
        }
      }
    }
    List<String[]> targets = new ArrayList<>();
    found.forEach(each -> targets.add(each.split(" ", 2)));
    return targets;
  }

  private static boolean isHadoop(String type, Map<String, ClassModel> own) {
    return type != null && type.startsWith("org/apache/hadoop/") && !own.containsKey(type);
  }

  private boolean declares(References.Member member) {
    return files
        .find(member.owner())
        .map(
            model ->
                (member.isField() ? model.field(member.key()) : model.method(member.key()))
                    .isPresent())
        .orElse(false);
  }

  /** Null when there is nothing to change. */
  private Mutant mutant(Kind kind, String type, String member) {
    byte[] before = files.bytes(type).orElse(null);
    if (before == null) {
      return null;
    }
    ClassWriter writer = new ClassWriter(0);
    Change change = new Change(writer, kind, member);
    new ClassReader(before).accept(change, 0);
    String name = member.replaceFirst("[(:].*", "");
    return change.done
        ? new Mutant(kind, ClassModel.shown(type) + "." + name, type, writer.toByteArray())
        : null;
  }

  private static final class Change extends ClassVisitor {
    private final Kind kind;
    private final String member;
    private boolean done;

    Change(ClassVisitor next, Kind kind, String member) {
      super(Opcodes.ASM9, next);
      this.kind = kind;
      this.member = member;
    }

    @Override
    public FieldVisitor visitField(int access, String name, String type, String s, Object v) {
      if (kind == Kind.NO_FIELD && (name + ":" + type).equals(member)) {
        done = true;
        return null;
      }
      return super.visitField(access, name, type, s, v);
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      Function<String, MethodVisitor> next =
          as -> super.visitMethod(access, name, as, signature, exceptions);
      if ((name + descriptor).equals(member) && kind == Kind.NO_METHOD) {
        done = true;
        return null;
      }
      if ((name + descriptor).equals(member) && kind == Kind.SIGNATURE) {
        done = true;
        return next.apply(descriptor.replace(")", "I)"));
      }
      MethodVisitor same = next.apply(descriptor);
      return name.equals(member) ? new Body(same) : same;
    }

    @Override
    public void visitEnd() {
      if (kind == Kind.MEMBER) {
        done = true;
        MethodVisitor added = super.visitMethod(Opcodes.ACC_PUBLIC, "added", "()V", null, null);
        added.visitCode();
        added.visitInsn(Opcodes.RETURN);
        added.visitMaxs(0, 1);
        added.visitEnd();
      }
      super.visitEnd();
    }

    /** The first place in a method that can be changed so. */
    private final class Body extends MethodVisitor {
      Body(MethodVisitor next) {
        super(Opcodes.ASM9, next);
      }

      @Override
      public void visitJumpInsn(int opcode, Label label) {
        boolean changes = kind == Kind.CONDITION && !done && opcode <= Opcodes.IF_ACMPNE;
        done |= changes;
        super.visitJumpInsn(changes ? (opcode - 1 ^ 1) + 1 : opcode, label);
      }

      @Override
      public void visitInsn(int opcode) {
        boolean changes = kind == Kind.LOCK && !done && opcode == Opcodes.MONITORENTER;
        done |= changes;
        super.visitInsn(changes ? Opcodes.POP : opcode);
      }

      @Override
      public void visitMethodInsn(int opcode, String owner, String name, String desc, boolean itf) {
        if (kind == Kind.LOCK && !done && (name.equals("writeLock") || name.equals("readLock"))) {
          done = true;
          String other = name.equals("writeLock") ? "readLock" : "writeLock";
          super.visitMethodInsn(opcode, owner, other, desc, itf);
        } else if (kind == Kind.CALL
            && !done
            && desc.equals("()V")
            && opcode != Opcodes.INVOKESTATIC
            && !name.startsWith("<")) {
          done = true;
          super.visitInsn(Opcodes.POP);
        } else {
          super.visitMethodInsn(opcode, owner, name, desc, itf);
        }
      }
    }
  }
}
