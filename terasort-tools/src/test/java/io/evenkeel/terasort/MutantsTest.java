package io.evenkeel.terasort;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Faults put into the core on purpose: each of them must be found. */
@Tag("once")
class MutantsTest {
  private static final List<String> TYPES =
      List.of(
          "record/Fragment",
          "record/Fragment$Run",
          "record/FragmentScanner",
          "record/Records",
          "record/Sum128",
          "dataset/DataSetChecker",
          "dataset/PartitionOrder",
          "dataset/Expectation");

  private static final List<String> HARMLESS =
      List.of(
          // Long.MIN_VALUE added or subtracted is the same.
          "record/FragmentScanner#check, sign 3 changed",
          "record/FragmentScanner#check, sign 4 changed",
          // Figures of messages, and a hash.
          "record/FragmentScanner#finish, sign 1 changed",
          "record/FragmentScanner#finish, sign 2 changed",
          "record/Sum128#hashCode, sign 1 changed",
          "dataset/DataSetChecker#nextFile, sign 1 changed");

  private static final String THEN = "record/Fragment$Run.then";
  private static final String BEFORE = "record/Records.before";
  private static final String BORDER = "record/Records.toBorder";

  static List<Mutant> mutants() {
    return List.of(
        Mutant.call("no comparison over an edge", "record/Fragment$Run#then", BEFORE, 0, "never"),
        Mutant.call(
            "ties over an edge are errors", "record/Fragment$Run#then", BEFORE, 0, "beforeOrSame"),
        Mutant.call("stitched record unchecked", "record/Fragment#join", THEN, 1, "joinUnchecked"),
        Mutant.call("record behind it unchecked", "record/Fragment#join", THEN, 2, "joinUnchecked"),
        Mutant.call("stitched record unsummed", "record/Fragment#join", THEN, 1, "joinUnsummed"),
        Mutant.call("records behind it unsummed", "record/Fragment#join", THEN, 2, "joinUnsummed"),
        Mutant.call("stitched record uncounted", "record/Fragment#join", THEN, 1, "joinUncounted"),
        Mutant.call("stitched record left out", "record/Fragment#join", THEN, 1, "joinNothing"),
        Mutant.number(
            "signed compare in a range", "record/FragmentScanner#check", Long.MIN_VALUE, 0),
        Mutant.signedLongs("signed compare of edges", "record/Records#before"),
        Mutant.smallNumber("signed last key bytes", "record/Records#low", 255, -1),
        Mutant.smallNumber("signed key bytes", "record/Records#word", 255, -1),
        Mutant.sameLongs("no gap check between ranges", "dataset/DataSetChecker#add", 1),
        Mutant.sameLongs("no check of a file's length", "dataset/DataSetChecker#endFile", 1),
        Mutant.call(
            "no comparison of partitions", "dataset/DataSetChecker#edge", BEFORE, 0, "never"),
        Mutant.call(
            "ties of partitions are errors",
            "dataset/DataSetChecker#edge",
            BEFORE,
            0,
            "beforeOrSame"),
        Mutant.forgetEdge("begin and end of one file not compared"),
        Mutant.call(
            "scanner's border 1 too far", "record/FragmentScanner#<init>", BORDER, 0, "pastBorder"),
        Mutant.call(
            "scanner's border 1 too near",
            "record/FragmentScanner#<init>",
            BORDER,
            0,
            "shortOfBorder"),
        Mutant.call(
            "scanner skips a whole record",
            "record/FragmentScanner#<init>",
            BORDER,
            0,
            "nextBorder"),
        Mutant.call(
            "join's border 1 too far", "record/Fragment#reachesBorder", BORDER, 0, "pastBorder"),
        Mutant.call(
            "join's border 1 too near",
            "record/Fragment#reachesBorder",
            BORDER,
            0,
            "shortOfBorder"),
        Mutant.call(
            "join's border a record off", "record/Fragment#reachesBorder", BORDER, 0, "nextBorder"),
        Mutant.smallNumber("checksum of 99 bytes", "record/FragmentScanner#check", 100, 99));
  }

  @Test
  void noMutant_loadedAnew_noFault() throws Exception {
    assertThat(new MutantLoader(null).fault()).isNull();
  }

  @ParameterizedTest
  @MethodSource("mutants")
  void mutant_anyOfThem_isFound(Mutant mutant) throws Exception {
    assertThat(new MutantLoader(mutant).fault()).as("fault found").isNotNull();
  }

  /**
   * Every condition turned around and every sign changed, in all classes of records and data sets.
   * What lives is written down with the reason in {@link #HARMLESS}.
   */
  @Tag("slow")
  @Test
  void everyConditionAndSign_changed_isFound() throws Exception {
    List<String> alive = new ArrayList<>();
    int tried = 0;
    for (String type : TYPES) {
      for (Mutant mutant : all(type)) {
        tried++;
        // A mutant may loop for ever: it is abandoned, and counts as found.
        FutureTask<String> run = new FutureTask<>(new MutantLoader(mutant)::fault);
        Thread thread = new Thread(run, mutant.name());
        thread.setDaemon(true);
        thread.start();
        try {
          if (run.get(60, TimeUnit.SECONDS) == null) {
            alive.add(mutant.name());
          }
        } catch (TimeoutException e) {
          run.cancel(true);
        }
      }
    }
    assertThat(tried).isGreaterThan(100);
    assertThat(alive).isSubsetOf(HARMLESS);
  }

  private static List<Mutant> all(String type) throws ClassNotFoundException {
    List<Mutant> all = new ArrayList<>();
    new ClassReader(MutantLoader.original((Mutant.CORE + type).replace('/', '.')))
        .accept(
            new ClassVisitor(Opcodes.ASM9) {
              @Override
              public MethodVisitor visitMethod(
                  int access, String method, String descriptor, String signature, String[] thrown) {
                return new MethodVisitor(Opcodes.ASM9) {
                  private int conditions;
                  private int signs;

                  @Override
                  public void visitJumpInsn(int opcode, Label label) {
                    if (Mutant.isCondition(opcode)) {
                      all.add(Mutant.negated(type, method, ++conditions));
                    }
                  }

                  @Override
                  public void visitInsn(int opcode) {
                    if (Mutant.isSign(opcode)) {
                      all.add(Mutant.arithmetic(type, method, ++signs));
                    }
                  }
                };
              }
            },
            0);
    return all;
  }
}
