package io.evenkeel.common.proof;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Compiled;
import java.io.IOException;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same method in two builds of a class. */
class MethodPrintsTest {
  private static final String LOGGER =
      "package org.slf4j; public interface Logger { void warn(String s, Object o); }";

  @TempDir Path temp;
  private int builds;

  private String print(String members) throws IOException {
    Path folder = temp.resolve("build" + builds++);
    String source =
        "package lib; public class Box { static org.slf4j.Logger LOG; int n; "
            + "synchronized void lock() {} "
            + members
            + "}";
    Compiled.into(folder, temp, Map.of("lib.Box", source, "org.slf4j.Logger", LOGGER));
    try (URLClassLoader loader = Compiled.loader(folder)) {
      return new MethodPrints(new ClassFiles(loader)).of("lib/Box", "go");
    }
  }

  @Test
  void of_otherLinesAndOrder_isTheSame() throws IOException {
    String go = "void go() { if (n > 1) { lock(); } }";
    String other = "int first() { return 7; }\n\n void go() {\n if (n > 1) {\n lock(); } }";
    assertThat(print(other)).isEqualTo(print(go)).matches("[0-9a-f]{16}");
  }

  @Test
  void of_otherLambdasBefore_isTheSame() throws IOException {
    String go = "Runnable go() { return () -> lock(); }";
    assertThat(print("Runnable a() { return () -> n++; } " + go)).isEqualTo(print(go));
  }

  @Test
  void of_otherLambda_differs() throws IOException {
    assertThat(print("Runnable go() { return () -> lock(); }"))
        .isNotEqualTo(print("Runnable go() { return () -> { lock(); lock(); }; }"));
  }

  @Test
  void of_otherAccessorsBefore_isTheSame() throws IOException {
    String go = "private int p, q; class In { int get() { return q; } } int go() { return q; }";
    assertThat(print("class Other { int get() { return p; } } " + go)).isEqualTo(print(go));
  }

  @Test
  void of_otherTextLogged_isTheSame() throws IOException {
    String go = "void go() { LOG.warn(\"a\" + n, \"b\"); }";
    assertThat(print(go.replace("\"a\"", "\"c\""))).isEqualTo(print(go));
    assertThat(print(go.replace("n,", "1,"))).isNotEqualTo(print(go));
  }

  @Test
  void of_otherText_differs() throws IOException {
    String go = "String go() { LOG.warn(\"a\", n); return \"b\"; }";
    assertThat(print(go.replace("\"b\"", "\"c\""))).isNotEqualTo(print(go));
  }

  @Test
  void of_anyOtherCode_differs() throws IOException {
    String go =
        "void go() { synchronized (this) { for (int i = 0; i < 9; i++) { lock(); } } switch (n) {"
            + " case 1: n = 5; default: n = 6; } try { n--; } catch (RuntimeException e) { n = 0; } }";
    String print = print(go);
    for (String[] change :
        new String[][] {
          {"void go", "synchronized void go"},
          {"synchronized (this)", ""},
          {"i < 9", "i <= 9"},
          {"i < 9", "i < 8"},
          {"lock();", ""},
          {"i++", "i += 2"},
          {"case 1:", "case 2:"},
          {"n = 5;", "n = 5; break;"},
          {"RuntimeException", "IllegalStateException"}
        }) {
      assertThat(go).contains(change[0]);
      assertThat(print(go.replace(change[0], change[1]))).as(change[0]).isNotEqualTo(print);
    }
  }

  @Test
  void of_anotherOverload_differs() throws IOException {
    String go = "void go() {}";
    assertThat(print(go + " void go(int i) {}")).isNotEqualTo(print(go));
  }

  @Test
  void of_noSuchMethod_isAbsent() throws IOException {
    assertThat(print("")).isEqualTo(MethodPrints.ABSENT);
  }

  @Test
  void of_constantsOfASwitchExchanged_differs() throws IOException {
    String go =
        "enum E { A, B } void go() { E e = E.A; switch (e) { case A: lock(); break; case B: n++; } }";
    String swapped = go.replace("case A", "case X").replace("case B", "case A");
    assertThat(print(swapped.replace("case X", "case B"))).isNotEqualTo(print(go));
    assertThat(print("void other() {} " + go)).isEqualTo(print(go));
  }

  @Test
  void of_fieldIsVolatileThere_differs() throws IOException {
    String go = "void go() { flag = true; }";
    assertThat(print("volatile boolean flag; " + go)).isNotEqualTo(print("boolean flag; " + go));
  }
}
