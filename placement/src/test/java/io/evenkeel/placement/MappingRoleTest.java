package io.evenkeel.placement;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.junit.jupiter.api.Test;

class MappingRoleTest {
  private static final String MAKER = DatanodeManager.class.getName();

  private static StackTraceElement frame(String type, String method) {
    return new StackTraceElement(type, method, null, -1);
  }

  @Test
  void of_stacksOfHadoop_tellTheRoles() throws Exception {
    // these must exist on the release of this run
    assertThat(NameNode.class.getDeclaredMethod("initialize", Configuration.class)).isNotNull();
    String tracker = "org.apache.hadoop.yarn.server.resourcemanager.ResourceTrackerService";
    assertThat(Class.forName(tracker).getDeclaredMethod("serviceInit", Configuration.class))
        .isNotNull();

    StackTraceElement maker = frame(MAKER, "<init>");
    String nameNode = NameNode.class.getName();
    assertThat(of(maker, frame(nameNode, "initialize"))).isEqualTo(MappingRole.NAMENODE);
    assertThat(of(maker, frame(nameNode, "format"))).isEqualTo(MappingRole.NAME_SPACE_TOOL);
    assertThat(of(frame(tracker, "serviceInit"))).isEqualTo(MappingRole.RESOURCE_MANAGER);
    assertThat(of(frame(nameNode, "initialize"))).isEqualTo(MappingRole.OTHER);
    assertThat(of(frame("org.apache.hadoop.hdfs.ClientContext", "<init>")))
        .isEqualTo(MappingRole.OTHER);
    assertThat(of()).isEqualTo(MappingRole.OTHER);
  }

  private static MappingRole of(StackTraceElement... frames) {
    return MappingRole.of(frames);
  }
}
