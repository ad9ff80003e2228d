package io.evenkeel.common.testing;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Compiles a few sources into a folder, for tests that need class files of their own. */
public final class Compiled {
  private Compiled() {}

  /** Compiles sources by class name; {@code classPath} is searched before the JDK. */
  public static Path into(Path folder, Path classPath, Map<String, String> sources)
      throws IOException {
    Files.createDirectories(folder);
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    List<JavaFileObject> units =
        sources.entrySet().stream()
            .map(e -> new Source(e.getKey(), e.getValue()))
            .collect(Collectors.toList());
    StringWriter messages = new StringWriter();
    List<String> options =
        List.of(
            "-d", folder.toString(), "-cp", classPath.toString(), "--release", "8", "-Xlint:none");
    if (!compiler.getTask(messages, null, null, options, null, units).call()) {
      throw new IllegalStateException(messages.toString());
    }
    return folder;
  }

  /** Loads classes of a folder and of the JDK. */
  public static URLClassLoader loader(Path folder) throws IOException {
    return new URLClassLoader(
        new URL[] {folder.toUri().toURL()}, ClassLoader.getPlatformClassLoader());
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String className, String text) {
      super(URI.create("string:///" + className.replace('.', '/') + ".java"), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }
}
