package io.evenkeel.bench.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.Test;

class StockSatisfierTest {
  /** As Hadoop 3.1: without the satisfier's classes. */
  private static final class WithoutSatisfier extends ClassLoader {
    WithoutSatisfier() {
      super(StockSatisfierTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.startsWith("org.apache.hadoop.hdfs.server") && name.contains(".sps.")) {
        throw new ClassNotFoundException(name);
      }
      return name.startsWith(StockSatisfier.class.getName())
          ? define(name)
          : super.loadClass(name, resolve);
    }

    private Class<?> define(String name) throws ClassNotFoundException {
      try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }

  @Test
  void exists_withThisHadoop_isTrueButFor31() {
    assertThat(StockSatisfier.exists()).isEqualTo(!VersionInfo.getVersion().startsWith("3.1."));
  }

  @Test
  void exists_withHadoopThatHasNone_isFalseAndTheClassLoads() throws Exception {
    Class<?> other = new WithoutSatisfier().loadClass(StockSatisfier.class.getName());
    assertThat(other.getMethod("exists").invoke(null)).isEqualTo(false);
  }
}
