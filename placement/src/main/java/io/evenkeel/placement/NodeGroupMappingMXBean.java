package io.evenkeel.placement;

/** What {@link NodeGroupMapping} shows of itself in a daemon. Attribute names are API. */
public interface NodeGroupMappingMXBean {
  /** The site's mapping, as it describes itself. */
  String getWrapped();

  /** Names asked for since the start. */
  long getNames();

  /** Answers since the start for hosts without a usable location. */
  long getUnknown();

  /** Times since the start the site's mapping gave no answer. */
  long getFailures();

  /** Hosts without a usable location now, the first 100. */
  String[] getUnknownHosts();

  /** Node-group names met so far that more than one rack uses. */
  int getRepeatedNodeGroups();

  /** Outcome of the last check of the hosts file; empty when there was none. */
  String getLastCheck();

  /** Forgets what is cached, reads tables again, and checks the hosts file again. */
  void reload();
}
