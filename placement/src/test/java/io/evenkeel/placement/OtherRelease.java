package io.evenkeel.placement;

import static org.assertj.core.api.Assertions.catchThrowable;

import java.lang.reflect.Field;
import java.util.Properties;
import org.apache.hadoop.util.VersionInfo;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Lets Hadoop say it is another release. For tests that run alone in their JVM. */
final class OtherRelease {
  private OtherRelease() {}

  /** Calls while the release is {@code version}; returns what was thrown, or null. */
  static Throwable called(String version, ThrowingCallable call) throws Exception {
    Field field = VersionInfo.class.getDeclaredField("COMMON_VERSION_INFO");
    field.setAccessible(true);
    Field info = VersionInfo.class.getDeclaredField("info");
    info.setAccessible(true);
    Properties properties = (Properties) info.get(field.get(null));
    String before = properties.getProperty("version");
    properties.setProperty("version", version);
    try {
      return catchThrowable(call);
    } finally {
      properties.setProperty("version", before);
    }
  }
}
