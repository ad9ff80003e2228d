package io.evenkeel.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.common.config.ConfigException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.CachedDNSToSwitchMapping;
import org.apache.hadoop.net.DNSToSwitchMapping;
import org.apache.hadoop.net.TableMapping;
import org.apache.hadoop.util.ReflectionUtils;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class NodeGroupMappingTest {
  private static final String MAPPING = "evenkeel.placement.mapping.";

  private final Configuration conf = new Configuration(false);

  @BeforeEach
  void site() {
    FakeSite.reset();
    FakeSite.TABLE.put("10.0.0.1", "/r1/n1");
    FakeSite.TABLE.put("10.0.0.2", "/r2/n1");
    FakeSite.TABLE.put("10.0.0.3", "/r2");
    conf.set(MAPPING + "wrapped", FakeSite.Cached.class.getName());
  }

  private NodeGroupMapping mapping(MappingRole role) {
    NodeGroupMapping mapping = new NodeGroupMapping();
    mapping.configure(conf, role);
    return mapping;
  }

  /** As Hadoop makes it. */
  private DNSToSwitchMapping made() {
    return ReflectionUtils.newInstance(NodeGroupMapping.class, conf);
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "null",
      value = {
        "isolate, path, /r1/n1, /r2/unknown-10.0.0.3, /default-rack/unknown-10.0.0.9",
        "isolate, nodegroup, /r1+n1, /r2+unknown-10.0.0.3, /default-rack+unknown-10.0.0.9",
        "isolate, rack, /r1, /r2, /default-rack",
        "warn, path, /r1/n1, /r2/default-nodegroup, /default-rack/default-nodegroup",
        "warn, nodegroup, /r1+n1, /r2+default-nodegroup, /default-rack+default-nodegroup",
        "warn, rack, /r1, /r2, /default-rack",
        "fail, path, /r1/n1, null, null",
        "fail, nodegroup, /r1+n1, null, null",
        "fail, rack, /r1, null, null",
      })
  void resolve_modeAndLevel_givesTheLocation(
      String mode, String emit, String known, String shallow, String unknown) {
    conf.set(MAPPING + "unknown", mode);
    conf.set(MAPPING + "emit", emit);
    DNSToSwitchMapping mapping = made();
    assertThat(one(mapping, "10.0.0.1")).isEqualTo(known);
    assertThat(one(mapping, "10.0.0.3")).isEqualTo(shallow);
    assertThat(one(mapping, "10.0.0.9")).isEqualTo(unknown);
  }

  /** The location of a single name; null only when the list is null. */
  private static String one(DNSToSwitchMapping mapping, String name) {
    List<String> answer = mapping.resolve(Collections.singletonList(name));
    if (answer == null) {
      return null;
    }
    assertThat(answer).singleElement().isNotNull();
    return answer.get(0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"isolate", "warn", "fail"})
  void resolve_anyAnswer_isNullOrHasOneTextPerName(String mode) {
    conf.set(MAPPING + "unknown", mode);
    DNSToSwitchMapping mapping = made();
    assertThat(mapping.resolve(List.of())).isEmpty();
    List<String> names = List.of("10.0.0.9", "10.0.0.1", "10.0.0.3", "10.0.0.9", "10.0.0.2");
    List<String> answer = mapping.resolve(names);
    assertThat(answer).hasSameSizeAs(names).doesNotContainNull();
    assertThat(answer.get(1)).isEqualTo("/r1/n1");
    assertThat(answer.get(4)).isEqualTo("/r2/n1");
    assertThat(answer.get(0)).isEqualTo(answer.get(3)).startsWith("/default-rack");
  }

  @ParameterizedTest
  @EnumSource(MappingRole.class)
  void resolve_siteMisbehaves_neverThrowsAndKeepsTheLength(MappingRole role) {
    for (Class<?> site : List.of(FakeSite.class, FakeSite.Cached.class)) {
      conf.set(MAPPING + "wrapped", site.getName());
      NodeGroupMapping mapping = mapping(role);
      FakeSite.spoil = answer -> null;
      assertIsolated(mapping);
      FakeSite.spoil = answer -> answer.subList(1, answer.size());
      assertIsolated(mapping);
      FakeSite.spoil =
          answer -> {
            throw new IllegalStateException("script gone");
          };
      assertIsolated(mapping);
      FakeSite.spoil =
          answer -> {
            throw new NoClassDefFoundError("a/Helper");
          };
      assertIsolated(mapping);
      assertThat(mapping.watch().failures()).isEqualTo(4);
      FakeSite.spoil = answer -> answer;
      assertThat(mapping.resolve(List.of("10.0.0.1", "10.0.0.2")))
          .containsExactly("/r1/n1", "/r2/n1");
    }
  }

  @Test
  void resolve_siteGivesTooMany_isNoAnswer() {
    conf.set(MAPPING + "wrapped", FakeSite.class.getName());
    FakeSite.spoil = answer -> List.of("/r1/n1", "/r2/n2", "/r3/n3");
    assertIsolated(mapping(MappingRole.OTHER));
    assertIsolated(mapping(MappingRole.NAMENODE));
  }

  private static void assertIsolated(NodeGroupMapping mapping) {
    assertThat(mapping.resolve(List.of("10.0.0.1", "10.0.0.2")))
        .containsExactly("/default-rack/unknown-10.0.0.1", "/default-rack/unknown-10.0.0.2");
  }

  @Test
  void resolve_nameAndItsAddress_giveTheSame() {
    FakeSite.TABLE.put("127.0.0.1", "/r5/n5");
    assertThat(one(made(), "localhost")).isEqualTo("/r5/n5");
    assertThat(one(made(), "127.0.0.1")).isEqualTo("/r5/n5");
    FakeSite.TABLE.remove("127.0.0.1");
    assertThat(one(made(), "localhost")).isEqualTo("/default-rack/unknown-127.0.0.1");
    assertThat(one(made(), "127.0.0.1")).isEqualTo("/default-rack/unknown-127.0.0.1");
    assertThat(one(made(), "No-Such-Host.invalid"))
        .isEqualTo("/default-rack/unknown-no-such-host.invalid");
  }

  @Test
  void resolve_classWithoutCache_isCachedWhereStockCachesIt() {
    conf.set(MAPPING + "wrapped", FakeSite.class.getName());
    NodeGroupMapping elsewhere = mapping(MappingRole.OTHER);
    one(elsewhere, "10.0.0.1");
    one(elsewhere, "10.0.0.1");
    assertThat(FakeSite.ASKED).containsExactly("10.0.0.1");
    FakeSite.ASKED.clear();
    NodeGroupMapping nameNode = mapping(MappingRole.NAMENODE);
    one(nameNode, "10.0.0.1");
    one(nameNode, "10.0.0.1");
    one(nameNode, "localhost");
    assertThat(FakeSite.ASKED).containsExactly("10.0.0.1", "10.0.0.1", "localhost");
    assertThat(nameNode.getDependency("a")).containsExactly("needed-by-a");
  }

  @Test
  void resolve_classWithCache_isAskedOnceUntilReloaded() {
    NodeGroupMapping mapping = mapping(MappingRole.NAMENODE);
    one(mapping, "10.0.0.1");
    FakeSite.TABLE.put("10.0.0.1", "/r7/n7");
    assertThat(one(mapping, "10.0.0.1")).isEqualTo("/r1/n1");
    // the third is the peer name, which is null when a DataNode registers without a remote call
    List<String> names = new ArrayList<>(List.of("10.0.0.1", "vm1"));
    names.add(null);
    mapping.reloadCachedMappings(names);
    assertThat(one(mapping, "10.0.0.1")).isEqualTo("/r7/n7");
    FakeSite.TABLE.put("10.0.0.1", "/r8/n8");
    mapping.reloadCachedMappings();
    assertThat(one(mapping, "10.0.0.1")).isEqualTo("/r8/n8");
    assertThat(mapping.getSwitchMap()).containsExactly(java.util.Map.entry("10.0.0.1", "/r8/n8"));
    assertThat(mapping.getDependency("a")).isEmpty();
  }

  @Test
  void mapping_asHadoopSeesIt_isCached() {
    assertThat(made()).isInstanceOf(CachedDNSToSwitchMapping.class);
    assertThat(CachedDNSToSwitchMapping.isMappingSingleSwitch(made())).isFalse();
    Configuration none = new Configuration(false);
    DNSToSwitchMapping noScript = ReflectionUtils.newInstance(NodeGroupMapping.class, none);
    assertThat(CachedDNSToSwitchMapping.isMappingSingleSwitch(noScript)).isTrue();
  }

  @Test
  void setConf_nullOrNever_knowsNoHost() {
    NodeGroupMapping mapping = new NodeGroupMapping();
    assertThat(one(mapping, "10.0.0.1")).isEqualTo("/default-rack/unknown-10.0.0.1");
    mapping.setConf(conf);
    assertThat(one(mapping, "10.0.0.1")).isEqualTo("/r1/n1");
    mapping.setConf(null);
    assertThat(one(mapping, "10.0.0.1")).isEqualTo("/default-rack/unknown-10.0.0.1");
    assertThat(mapping.getConf()).isNull();
    assertThat(mapping.getSwitchMap()).isEmpty();
    assertThat(mapping.dumpTopology()).contains("node groups of no mapping");
    mapping.reloadCachedMappings();
    mapping.reloadCachedMappings(List.of("a"));
  }

  @ParameterizedTest
  @CsvSource({
    "depth, 1, evenkeel.placement.mapping.depth = '1' is not allowed; use 2..8",
    "unknown, ignore, 'ignore' is not allowed; use isolate | warn | fail",
    "emit, host, 'host' is not allowed; use path | nodegroup | rack",
    "recheck, 0s, 'evenkeel.placement.mapping.recheck = ''0s'' is not allowed; use 1s..1d'",
    "wrapped, no.such.Mapping, wrapped = 'no.such.Mapping' is not allowed; use a class that",
    "wrapped, java.lang.String, wrapped = 'java.lang.String' is not allowed; use a class that",
    "wrapped, io.evenkeel.placement.NodeGroupMapping, it would ask itself",
    "wraped, x, 'nearest known key: evenkeel.placement.mapping.wrapped'",
  })
  void configure_badValue_stopsDaemonsOnly(String key, String value, String message) {
    conf.set(MAPPING + key, value);
    for (MappingRole role : MappingRole.values()) {
      if (role.daemon()) {
        assertThatThrownBy(() -> mapping(role))
            .isInstanceOf(ConfigException.class)
            .hasMessageContaining(message);
      }
    }
    assertThat(one(made(), "10.0.0.1")).startsWith("/").isNotEqualTo("/default-rack");
  }

  @Test
  void configure_failWithoutStocksKey_stopsTheNameNodeOnly() {
    conf.set(MAPPING + "unknown", "fail");
    for (MappingRole role : List.of(MappingRole.NAMENODE, MappingRole.NAME_SPACE_TOOL)) {
      assertThatThrownBy(() -> mapping(role))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining(MAPPING + "unknown = 'fail'")
          .hasMessageContaining("dfs.namenode.reject-unresolved-dn-topology-mapping = true");
    }
    mapping(MappingRole.RESOURCE_MANAGER);
    conf.setBoolean(MappingConf.REJECT, true);
    assertThat(one(mapping(MappingRole.NAMENODE), "10.0.0.9")).isNull();
  }

  @Test
  void configure_hostsFileWithUnknownHosts_stopsTheNameNodeInModeFailOnly(@TempDir Path dir)
      throws Exception {
    Path hosts = Files.writeString(dir.resolve("hosts"), "10.0.0.1\n10.0.0.9 10.0.0.3:9866\n");
    conf.set(MAPPING + "hosts", hosts.toString());
    conf.setBoolean(MappingConf.REJECT, true);
    NodeGroupMapping isolating = mapping(MappingRole.NAMENODE);
    assertThat(isolating.check().outcome())
        .contains("1 of 3 hosts")
        .contains("10.0.0.9 -> /default-rack (unknown), 10.0.0.3 -> /r2 (wrong depth)");
    conf.set(MAPPING + "unknown", "fail");
    assertThatThrownBy(() -> mapping(MappingRole.NAMENODE))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(MAPPING + "hosts = '" + hosts + "'")
        .hasMessageContaining(MAPPING + "depth = 2")
        .hasMessageContaining(MAPPING + "unknown to isolate or warn")
        .hasMessageContaining("10.0.0.9 -> /default-rack (unknown), 10.0.0.3 -> /r2 (wrong depth)");
    for (MappingRole role : MappingRole.values()) {
      if (role != MappingRole.NAMENODE) {
        assertThat(mapping(role).check().outcome()).isEmpty();
      }
    }
    FakeSite.TABLE.put("10.0.0.9", "/r1/n2");
    FakeSite.TABLE.put("10.0.0.3", "/r2/n3");
    assertThat(mapping(MappingRole.NAMENODE).check().outcome()).contains("3 of 3 hosts");
  }

  @Test
  void configure_hostsFileThatIsMissing_saysSo(@TempDir Path dir) {
    conf.set(MAPPING + "hosts", dir.resolve("none").toString());
    assertThat(mapping(MappingRole.NAMENODE).check().outcome())
        .contains(MAPPING + "hosts = '" + dir.resolve("none") + "' cannot be read");
    conf.set(MAPPING + "unknown", "fail");
    conf.setBoolean(MappingConf.REJECT, true);
    assertThatThrownBy(() -> mapping(MappingRole.NAMENODE))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("cannot be read");
  }

  @Test
  void reload_hostsThatBecameUnknown_isSeenAndNeverThrown(@TempDir Path dir) throws Exception {
    Path hosts = Files.writeString(dir.resolve("hosts"), "10.0.0.1\n");
    conf.set(MAPPING + "hosts", hosts.toString());
    conf.set(MAPPING + "unknown", "fail");
    conf.setBoolean(MappingConf.REJECT, true);
    NodeGroupMapping mapping = mapping(MappingRole.NAMENODE);
    assertThat(mapping.check().outcome()).contains("1 of 1 hosts");
    Files.writeString(hosts, "10.0.0.1\n10.0.0.8\n");
    mapping.reloadCachedMappings();
    assertThat(mapping.check().outcome()).contains("1 of 2 hosts").contains("10.0.0.8");
    Files.delete(hosts);
    mapping.reloadCachedMappings();
    assertThat(mapping.check().outcome()).contains("cannot be read");
  }

  @Test
  void reload_table_isReadAgain(@TempDir Path dir) throws Exception {
    Path table = Files.writeString(dir.resolve("table"), "10.0.0.1 /r1/n1\n");
    conf.set(MAPPING + "wrapped", TableMapping.class.getName());
    conf.set("net.topology.table.file.name", table.toString());
    NodeGroupMapping mapping = mapping(MappingRole.NAMENODE);
    assertThat(one(mapping, "10.0.0.1")).isEqualTo("/r1/n1");
    assertThat(one(mapping, "10.0.0.4")).isEqualTo("/default-rack/unknown-10.0.0.4");
    Files.writeString(table, "10.0.0.1 /r1/n1\n10.0.0.4 /r4/n4\n");
    mapping.reloadCachedMappings(List.of("10.0.0.4"));
    assertThat(one(mapping, "10.0.0.4")).isEqualTo("/r4/n4");
  }
}
