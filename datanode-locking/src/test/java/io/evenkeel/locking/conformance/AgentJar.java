package io.evenkeel.locking.conformance;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.PluggedDataset;
import org.objectweb.asm.ClassReader;

/**
 * Packs {@link DatasetAgent} with what it needs: {@code java -cp <test class path>
 * io.evenkeel.locking.conformance.AgentJar agent.jar}.
 */
public final class AgentJar {
  private AgentJar() {}

  /** Writes the jar named by the first argument. */
  public static void main(String[] args) throws IOException, URISyntaxException {
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.putValue("Premain-Class", DatasetAgent.class.getName());
    try (OutputStream out = Files.newOutputStream(Path.of(args[0]));
        JarOutputStream jar = new JarOutputStream(out, manifest)) {
      for (String name :
          new String[] {
            DatasetAgent.class.getName(),
            DatasetAgent.class.getName() + "$Rewriter",
            DatasetAgent.class.getName() + "$Constructions",
            PluggedDataset.class.getName()
          }) {
        add(jar, name.replace('.', '/') + ".class");
      }
      addAsm(jar);
    }
  }

  private static void add(JarOutputStream jar, String entry) throws IOException {
    jar.putNextEntry(new JarEntry(entry));
    try (InputStream in = AgentJar.class.getClassLoader().getResourceAsStream(entry)) {
      in.transferTo(jar);
    }
    jar.closeEntry();
  }

  private static void addAsm(JarOutputStream jar) throws IOException, URISyntaxException {
    Path asm =
        Path.of(ClassReader.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    try (JarFile file = new JarFile(asm.toFile())) {
      for (JarEntry entry : file.stream().toList()) {
        if (entry.getName().startsWith("org/objectweb/asm/")
            && entry.getName().endsWith(".class")) {
          add(jar, entry.getName());
        }
      }
    }
  }
}
