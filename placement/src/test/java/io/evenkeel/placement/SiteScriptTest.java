package io.evenkeel.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.testing.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real script behind Hadoop's own ScriptBasedMapping. */
@Timeout(120)
class SiteScriptTest {
  @TempDir Path dir;

  private NodeGroupMapping mapping(String body, String... more) throws Exception {
    Path script = Files.writeString(dir.resolve("topology.sh"), "#!/bin/sh\n" + body + "\n");
    assertThat(script.toFile().setExecutable(true)).isTrue();
    Configuration conf = new Configuration(false);
    conf.set("net.topology.script.file.name", script.toString());
    for (int i = 0; i < more.length; i += 2) {
      conf.set(more[i], more[i + 1]);
    }
    NodeGroupMapping mapping = new NodeGroupMapping();
    mapping.configure(conf, MappingRole.NAMENODE);
    return mapping;
  }

  @Test
  void script_oneLinePerHost_isHandedOn() throws Exception {
    NodeGroupMapping mapping = mapping("for h in \"$@\"; do echo /r1/${h##*.}; done");
    assertThat(mapping.resolve(List.of("10.0.0.1", "10.0.0.2"))).containsExactly("/r1/1", "/r1/2");
    assertThat(mapping.getSwitchMap()).hasSize(2).containsEntry("10.0.0.2", "/r1/2");
    assertThat(mapping.watch().failures()).isZero();
  }

  @Test
  void script_tooFewLinesOrFailing_leavesEachHostOnItsOwn() throws Exception {
    for (String body : List.of("echo /r1/n1", "exit 1", "for h in 1 2 3; do echo /r1/n$h; done")) {
      NodeGroupMapping mapping = mapping(body);
      assertThat(mapping.resolve(List.of("10.0.0.1", "10.0.0.2")))
          .containsExactly("/default-rack/unknown-10.0.0.1", "/default-rack/unknown-10.0.0.2");
      assertThat(mapping.watch().failures()).isEqualTo(1);
    }
  }

  @Test
  void script_thatIsCorrected_isAskedAgainForUnknownHosts() throws Exception {
    Path known = dir.resolve("known");
    NodeGroupMapping mapping =
        mapping(
            "for h in \"$@\"; do test -e '"
                + known
                + "' && echo /r1/n1 || echo /default-rack; done",
            "evenkeel.placement.mapping.recheck",
            "1s");
    List<String> host = List.of("10.0.0.1");
    assertThat(mapping.resolve(host)).containsExactly("/default-rack/unknown-10.0.0.1");
    Files.createFile(known);
    Await.until("the script is asked again", () -> mapping.resolve(host).equals(List.of("/r1/n1")));
    assertThat(mapping.watch().unknownHosts()).isEmpty();
  }
}
