package io.evenkeel.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.lang.reflect.Constructor;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MappingConfTest {
  /** Makes the keys of a mapping where there is no NameNode's code, as on some hosts of YARN. */
  private static Object withoutHdfs(String role) throws Exception {
    List<URL> urls = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      if (!entry.matches(".*/hadoop-hdfs-\\d[^/]*")) {
        urls.add(new File(entry).toURI().toURL());
      }
    }
    ClassLoader jdk = ClassLoader.getPlatformClassLoader();
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    try (URLClassLoader loader = new URLClassLoader(urls.toArray(new URL[0]), jdk)) {
      Thread.currentThread().setContextClassLoader(loader); // Log4j's
      Class<?> roles = loader.loadClass("io.evenkeel.placement.MappingRole");
      Class<?> conf = loader.loadClass("org.apache.hadoop.conf.Configuration");
      Class<?> logger = loader.loadClass("org.slf4j.Logger");
      Object log =
          loader
              .loadClass("org.slf4j.LoggerFactory")
              .getMethod("getLogger", String.class)
              .invoke(null, "test");
      Object inRole = null;
      for (Object each : roles.getEnumConstants()) {
        inRole = each.toString().equals(role) ? each : inRole;
      }
      Constructor<?> made =
          loader
              .loadClass("io.evenkeel.placement.MappingConf")
              .getDeclaredConstructor(logger, roles, conf);
      made.setAccessible(true);
      return made.newInstance(log, inRole, conf.getConstructor().newInstance());
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
  }

  @Test
  void resourceManager_withoutTheCodeOfANameNode_starts() throws Exception {
    assertThat(withoutHdfs("RESOURCE_MANAGER")).isNotNull();
  }

  @Test
  void nameNode_thatTheJarDoesNotKnow_isRefused() {
    assertThatThrownBy(() -> withoutHdfs("NAMENODE"))
        .cause()
        .hasMessageContaining("is not as this jar knows it");
  }
}
