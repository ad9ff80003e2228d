package io.evenkeel.common.proof;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Fingerprints of what methods do. Two builds of the same source by the same compiler have the
 * same: names stand for the indexes of constants, and left out are line numbers, the order of
 * members, the numbers of lambdas and accessors (what these do counts where they are used, as do
 * the constants of a switch over an enum, which stand in a class of their own), and strings that
 * are logged. Another compiler may write the same source differently. Confined to one thread.
 */
public final class MethodPrints {
  /** The fingerprint of a method that is not there. */
  public static final String ABSENT = "absent";

  private static final int DIGITS = 16;
  private static final int IGNORED =
      Opcodes.ACC_PUBLIC | Opcodes.ACC_PROTECTED | Opcodes.ACC_VARARGS | Opcodes.ACC_DEPRECATED;
  private static final Set<String> LOGS =
      new HashSet<>(
          Arrays.asList(
              "org/slf4j/Logger", "org/apache/commons/logging/Log", "org/apache/log4j/Logger"));

  private final ClassFiles files;
  private final Map<String, Map<String, Body>> bodies = new HashMap<>();

  /** Of these class files. */
  public MethodPrints(ClassFiles files) {
    this.files = files;
  }

  /**
   * The fingerprint of all methods of a name together.
   *
   * @param owner internal name of the class
   * @return 16 hexadecimal digits, or {@link #ABSENT}
   */
  public String of(String owner, String method) {
    String text = text(owner, method);
    return text.isEmpty() ? ABSENT : digest(text);
  }

  /** What the fingerprint is made of, to see what differs; empty when there is no such method. */
  public String text(String owner, String method) {
    StringBuilder text = new StringBuilder();
    bodies(owner)
        .forEach(
            (key, body) -> {
              if (key.startsWith(method + "(") && !body.isBridge) {
                text.append(key).append('\n');
                write(body, text, new HashSet<>());
              }
            });
    return text.toString();
  }

  /** Names of the methods a class declares, without those the compiler made. */
  Set<String> names(String owner) {
    Set<String> names = new TreeSet<>();
    bodies(owner)
        .forEach(
            (key, body) -> {
              String name = key.substring(0, key.indexOf('('));
              if (!body.isBridge && !Generated.is(name)) {
                names.add(name);
              }
            });
    return names;
  }

  private static String digest(String text) {
    MessageDigest digest = Sha256.begin();
    digest.update(text.getBytes(StandardCharsets.UTF_8));
    return Sha256.end(digest).substring(0, DIGITS);
  }

  private Map<String, Body> bodies(String owner) {
    Map<String, Body> known = bodies.get(owner);
    if (known == null) {
      Map<String, Body> read = new TreeMap<>();
      files
          .bytes(owner)
          .ifPresent(
              bytes ->
                  new ClassReader(bytes)
                      .accept(
                          new BodiesReader(read, this),
                          ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES));
      known = read;
      bodies.put(owner, known);
    }
    return known;
  }

  /** Whether a class declares a field as volatile. */
  private boolean isVolatile(String owner, String name, String descriptor) {
    return !files.isJdk(owner)
        && files
            .find(owner)
            .flatMap(type -> type.field(name + ":" + descriptor))
            .filter(flags -> ClassModel.has(flags, Opcodes.ACC_VOLATILE))
            .isPresent();
  }

  /** The constants of an enum and their numbers in a switch, from the class that has the map. */
  private String switchMap(String owner, String map) {
    List<String> entries = new ArrayList<>();
    Body made = bodies(owner).get("<clinit>()V");
    List<Object> from = made == null ? new ArrayList<>() : made.instructions;
    String get = Opcodes.GETSTATIC + " ";
    for (int i = 0; i + 3 < from.size(); i++) {
      if (from.get(i).equals(get + owner + " " + map + " [I")) {
        // the constant, its ordinal, the number
        entries.add(from.get(i + 1) + " " + from.get(i + 3));
      }
    }
    return String.join(", ", entries);
  }

  private void write(Body body, StringBuilder to, Set<String> within) {
    for (Object each : body.instructions) {
      if (each instanceof SwitchMap) {
        SwitchMap map = (SwitchMap) each;
        to.append("switch over ").append(switchMap(map.owner, map.name)).append('\n');
      } else if (each instanceof Generated) {
        Generated method = (Generated) each;
        Body its = bodies(method.owner).get(method.key);
        to.append('{');
        if (its != null && within.add(method.owner + method.key)) {
          write(its, to, within);
          within.remove(method.owner + method.key);
        }
        to.append("}\n");
      } else {
        to.append(each).append('\n');
      }
    }
  }

  /** A method the compiler made: a lambda, or an accessor for another class. Immutable. */
  private static final class Generated {
    private final String owner;
    private final String key;

    Generated(String owner, String key) {
      this.owner = owner;
      this.key = key;
    }

    static boolean is(String name) {
      return name.startsWith("lambda$") || name.startsWith("access$");
    }
  }

  /** An array the compiler made of numbers for the constants of an enum. Immutable. */
  private static final class SwitchMap {
    private final String owner;
    private final String name;

    SwitchMap(String owner, String name) {
      this.owner = owner;
      this.name = name;
    }
  }

  /** The instructions of one method, one string each, or what it uses that is generated. */
  private static final class Body {
    private final boolean isBridge;
    private final List<Object> instructions = new ArrayList<>();

    Body(int access) {
      isBridge = ClassModel.has(access, Opcodes.ACC_BRIDGE);
      instructions.add("flags " + (access & ~IGNORED));
    }
  }

  private static final class BodiesReader extends ClassVisitor {
    private final Map<String, Body> read;
    private final MethodPrints prints;
    private String owner;

    BodiesReader(Map<String, Body> read, MethodPrints prints) {
      super(Opcodes.ASM9);
      this.read = read;
      this.prints = prints;
    }

    @Override
    public void visit(
        int version, int access, String name, String sig, String parent, String[] interfaces) {
      owner = name;
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      Body body = new Body(access);
      read.put(name + descriptor, body);
      return new BodyReader(body.instructions, prints, owner);
    }
  }

  private static final class BodyReader extends MethodVisitor {
    private static final String TEXT = "text ";
    private static final String GUAVA = "com/google/common/";

    /** The same classes under another name, from 3.3.1 on and in builds of vendors. */
    private static final String SHADED_GUAVA = "org/apache/hadoop/thirdparty/" + GUAVA;

    private final List<Object> to;
    private final MethodPrints prints;
    private final String within;
    private final Map<Label, Integer> labels = new HashMap<>();
    private int loggerAt = -1; // where the logger of the call to come was loaded

    BodyReader(List<Object> to, MethodPrints prints, String within) {
      super(Opcodes.ASM9);
      this.to = to;
      this.prints = prints;
      this.within = within;
    }

    private void add(Object... words) {
      StringBuilder line = new StringBuilder();
      for (Object word : words) {
        line.append(line.length() == 0 ? "" : " ").append(word);
      }
      to.add(line.toString().replace(SHADED_GUAVA, GUAVA));
    }

    private String label(Label label) {
      return "L" + labels.computeIfAbsent(label, any -> labels.size());
    }

    private String labels(Label... all) {
      StringBuilder names = new StringBuilder();
      for (Label each : all) {
        names.append(label(each)).append(' ');
      }
      return names.toString();
    }

    @Override
    public void visitInsn(int opcode) {
      add(opcode);
    }

    @Override
    public void visitIntInsn(int opcode, int operand) {
      add(opcode, operand);
    }

    @Override
    public void visitVarInsn(int opcode, int variable) {
      add(opcode, variable);
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
      add(opcode, type);
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
      if (LOGS.contains(descriptor.replaceAll("^L|;$", ""))) {
        loggerAt = to.size();
      }
      if (name.startsWith("$SwitchMap$") && !owner.equals(within)) {
        add(opcode, descriptor);
        to.add(new SwitchMap(owner, name));
      } else if (prints.isVolatile(owner, name, descriptor)) {
        add(opcode, owner, name, descriptor, "volatile");
      } else {
        add(opcode, owner, name, descriptor);
      }
    }

    @Override
    public void visitMethodInsn(int opcode, String owner, String name, String desc, boolean itf) {
      if (LOGS.contains(owner) && loggerAt >= 0) {
        for (int i = loggerAt; i < to.size(); i++) {
          if (to.get(i).toString().startsWith(TEXT)) {
            to.set(i, TEXT);
          }
        }
        loggerAt = -1;
      }
      if (Generated.is(name)) {
        add(opcode, desc);
        to.add(new Generated(owner, name + desc));
      } else {
        add(opcode, owner, name, desc);
      }
    }

    @Override
    public void visitInvokeDynamicInsn(String name, String desc, Handle maker, Object... args) {
      add("dynamic", name, desc, maker);
      for (Object each : args) {
        constant(each);
      }
    }

    private void constant(Object value) {
      if (value instanceof Handle && Generated.is(((Handle) value).getName())) {
        Handle handle = (Handle) value;
        add("lambda", handle.getTag(), handle.getDesc());
        to.add(new Generated(handle.getOwner(), handle.getName() + handle.getDesc()));
      } else {
        add("constant", value.getClass().getSimpleName(), value);
      }
    }

    @Override
    public void visitLdcInsn(Object value) {
      if (value instanceof String) {
        add("text", value);
      } else {
        constant(value);
      }
    }

    @Override
    public void visitJumpInsn(int opcode, Label label) {
      add(opcode, label(label));
    }

    @Override
    public void visitLabel(Label label) {
      add(label(label));
    }

    @Override
    public void visitIincInsn(int variable, int by) {
      add("iinc", variable, by);
    }

    @Override
    public void visitTableSwitchInsn(int min, int max, Label other, Label... cases) {
      add("switch", min, max, label(other), labels(cases));
    }

    @Override
    public void visitLookupSwitchInsn(Label other, int[] keys, Label[] cases) {
      add("switch", Arrays.toString(keys), label(other), labels(cases));
    }

    @Override
    public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
      add("array", descriptor, dimensions);
    }

    @Override
    public void visitTryCatchBlock(Label start, Label end, Label handler, String type) {
      add("try", labels(start, end, handler), type);
    }
  }
}
