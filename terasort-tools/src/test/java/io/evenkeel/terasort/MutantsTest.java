package io.evenkeel.terasort;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Faults put into the core on purpose: each of them must be found. */
class MutantsTest {
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
        Mutant.sameLongs("no check beyond a file's end", "dataset/DataSetChecker#add", 2),
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
}
