package io.evenkeel.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The mapping where hadoop-common is, but no HDFS and no YARN. */
class NoHdfsTest {
  /** Loads everything itself but the JDK and never finds a class of HDFS or YARN. */
  private static final class CommonOnly extends URLClassLoader {
    CommonOnly(URL[] urls) {
      super(urls, ClassLoader.getPlatformClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.startsWith("org.apache.hadoop.hdfs.")
          || name.startsWith("org.apache.hadoop.yarn.")) {
        throw new ClassNotFoundException(name + " is hidden");
      }
      return super.loadClass(name, resolve);
    }
  }

  @Test
  void mapping_withoutHdfsClasses_resolves() throws Exception {
    List<URL> urls = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      urls.add(new File(entry).toURI().toURL());
    }
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    try (CommonOnly loader = new CommonOnly(urls.toArray(new URL[0]))) {
      // a Configuration looks classes up in the loader of its thread
      Thread.currentThread().setContextClassLoader(loader);
      assertThatThrownBy(() -> loader.loadClass("org.apache.hadoop.hdfs.DFSConfigKeys"))
          .isInstanceOf(ClassNotFoundException.class);
      Class<?> configuration = loader.loadClass("org.apache.hadoop.conf.Configuration");
      Object conf = configuration.getConstructor(boolean.class).newInstance(false);
      Class<?> mapping = loader.loadClass(NodeGroupMapping.class.getName());
      assertThat(mapping).isNotSameAs(NodeGroupMapping.class);
      Object made =
          loader
              .loadClass("org.apache.hadoop.util.ReflectionUtils")
              .getMethod("newInstance", Class.class, configuration)
              .invoke(null, mapping, conf);
      Object answer = mapping.getMethod("resolve", List.class).invoke(made, List.of("10.0.0.1"));
      assertThat(answer).isEqualTo(List.of("/default-rack/unknown-10.0.0.1"));
      mapping.getMethod("reloadCachedMappings").invoke(made);
      asDaemon(loader, mapping, made, conf);
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
  }

  /** The same as a ResourceManager, which also shows the mapping in JMX. */
  private static void asDaemon(ClassLoader loader, Class<?> mapping, Object made, Object conf)
      throws Exception {
    Class<?> role = loader.loadClass(MappingRole.class.getName());
    var configure = mapping.getDeclaredMethod("configure", conf.getClass(), role);
    configure.setAccessible(true);
    configure.invoke(made, conf, enumConstant(role, "RESOURCE_MANAGER"));
    Object answer = mapping.getMethod("resolve", List.class).invoke(made, List.of("10.0.0.2"));
    assertThat(answer).isEqualTo(List.of("/default-rack/unknown-10.0.0.2"));
  }

  private static Object enumConstant(Class<?> type, String name) {
    for (Object constant : type.getEnumConstants()) {
      if (constant.toString().equals(name)) {
        return constant;
      }
    }
    throw new AssertionError(name);
  }
}
