package io.evenkeel.placement;

/**
 * For whom a mapping was made. Hadoop makes it by reflection in daemons, tools and clients alike;
 * only the call stack tells them apart.
 */
enum MappingRole {
  /** A NameNode that starts to serve. */
  NAMENODE(true),
  /** Another process that loads the name space, such as {@code -format} or a SecondaryNameNode. */
  NAME_SPACE_TOOL(true),
  /** A ResourceManager. */
  RESOURCE_MANAGER(true),
  /** A client, an application master, or anything else that must not fail for this. */
  OTHER(false);

  private static final String MAKER =
      "org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager";
  private static final String NAMENODE_CLASS = "org.apache.hadoop.hdfs.server.namenode.NameNode";
  private static final String RESOURCE_MANAGER_PACKAGE =
      "org.apache.hadoop.yarn.server.resourcemanager.";

  private final boolean daemon;

  MappingRole(boolean daemon) {
    this.daemon = daemon;
  }

  /** Whether a bad configuration stops the process, and what the mapping does is announced. */
  boolean daemon() {
    return daemon;
  }

  /** Whether it places DataNodes. */
  boolean placesDataNodes() {
    return this == NAMENODE || this == NAME_SPACE_TOOL;
  }

  /** The role told by the stack of the thread that configures the mapping. */
  static MappingRole of(StackTraceElement[] stack) {
    boolean made = false;
    boolean starts = false;
    boolean yarn = false;
    for (StackTraceElement frame : stack) {
      String type = frame.getClassName();
      made |= type.equals(MAKER);
      starts |= type.equals(NAMENODE_CLASS) && frame.getMethodName().equals("initialize");
      yarn |= type.startsWith(RESOURCE_MANAGER_PACKAGE);
    }
    if (made) {
      return starts ? NAMENODE : NAME_SPACE_TOOL;
    }
    return yarn ? RESOURCE_MANAGER : OTHER;
  }
}
