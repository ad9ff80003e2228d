package io.evenkeel.terasort;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.placement.NodeGroupMapping;
import io.evenkeel.terasort.config.TerasortKeys;
import io.evenkeel.terasort.core.locality.ReplicaCounts;
import io.evenkeel.terasort.locality.LocatedSplit;
import io.evenkeel.terasort.locality.NodeManagers;
import io.evenkeel.terasort.locality.SiblingSplits;
import io.evenkeel.terasort.locality.WrittenSplits;
import io.evenkeel.terasort.locality.YarnNodeManagers;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.lib.db.DataDrivenDBInputFormat;
import org.apache.hadoop.mapreduce.lib.input.CombineFileSplit;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.net.DNSToSwitchMapping;
import org.apache.hadoop.net.TableMapping;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeGroupSplitsTest {
  private static final Path FILE = new Path("/in/part-0");
  private static final Set<String> RUNNING = Set.of("a1", "a2", "b1", "b2", "c1");
  private static final NodeManagers YARN = (conf, timeout) -> RUNNING;

  @TempDir private java.nio.file.Path temporary;
  private final Configuration conf = new Configuration();

  @BeforeEach
  void topology() throws IOException {
    java.nio.file.Path table = temporary.resolve("hosts");
    Files.writeString(table, "a1 /r1/n1\na2 /r1/n1\na3 /r1/n1\nb1 /r1/n2\nb2 /r1/n2\nc1 /r2/n3\n");
    conf.set("net.topology.table.file.name", table.toString());
    conf.setClass(
        "net.topology.node.switch.mapping.impl", TableMapping.class, DNSToSwitchMapping.class);
    conf.set(MRConfig.FRAMEWORK_NAME, MRConfig.YARN_FRAMEWORK_NAME);
  }

  private List<InputSplit> located(NodeManagers yarn, InputSplit... splits) {
    return new SiblingSplits(yarn).of(List.of(splits), conf);
  }

  private static FileSplit file(long length, String... hosts) {
    return new FileSplit(FILE, 7, length, hosts);
  }

  /** A subclass, as many input formats have. */
  public static final class OwnFileSplit extends FileSplit {
    public OwnFileSplit() {}

    OwnFileSplit(long length, String... hosts) {
      super(FILE, 7, length, hosts);
    }
  }

  /** A split that only Java can serialise. */
  static final class JavaSplit extends InputSplit implements java.io.Serializable {
    private static final long serialVersionUID = 1L;

    @Override
    public long getLength() {
      return 1;
    }

    @Override
    public String[] getLocations() {
      return new String[] {"a1"};
    }
  }

  @Test
  void fileSplit_exactly_staysOneWithSiblings() throws Exception {
    FileSplit split = new FileSplit(FILE, 7, 100, new String[] {"a1", "b1"}, new String[] {"b1"});
    FileSplit made = (FileSplit) located(YARN, split).get(0);
    assertThat(made.getClass()).isSameAs(FileSplit.class);
    assertThat(made.getLocations()).containsExactly("a1", "b1", "a2", "b2");
    assertThat(made.getPath()).isEqualTo(FILE);
    assertThat(made.getStart()).isEqualTo(7);
    assertThat(made.getLength()).isEqualTo(100);
    assertThat(made.getLocationInfo()[1].isInMemory()).isTrue();
    assertThat(made.getLocationInfo()[0].isInMemory()).isFalse();
  }

  @Test
  void combineFileSplit_exactly_staysOneWithSiblings() throws Exception {
    CombineFileSplit split =
        new CombineFileSplit(
            new Path[] {FILE, new Path("/in/x")},
            new long[] {1, 2},
            new long[] {30, 40},
            new String[] {"a3"});
    CombineFileSplit made = (CombineFileSplit) located(YARN, split).get(0);
    assertThat(made.getLocations()).containsExactly("a1", "a2");
    assertThat(made.getPaths()).isEqualTo(split.getPaths());
    assertThat(made.getStartOffsets()).containsExactly(1, 2);
    assertThat(made.getLengths()).containsExactly(30, 40);
  }

  @Test
  void subclass_isWrappedAndComesThroughTheWire() throws Exception {
    OwnFileSplit split = new OwnFileSplit(100, "a1");
    InputSplit made = located(YARN, split).get(0);
    assertThat(made).isInstanceOf(LocatedSplit.class);
    assertThat(made.getLocations()).containsExactly("a1", "a2");
    assertThat(made.getLength()).isEqualTo(100);
    assertThat(NodeGroupSplits.unwrap(made)).isSameAs(split);
    assertThat(NodeGroupSplits.unwrap(split)).isSameAs(split);

    DataOutputBuffer out = new DataOutputBuffer();
    ((LocatedSplit) made).write(out);
    DataInputBuffer in = new DataInputBuffer();
    in.reset(out.getData(), out.getLength());
    LocatedSplit read = new LocatedSplit();
    read.setConf(conf);
    read.readFields(in);
    assertThat(in.read()).isEqualTo(-1);
    assertThat(read.inner()).isInstanceOf(OwnFileSplit.class).hasToString(split.toString());
    assertThat(read.getLength()).isEqualTo(100);
  }

  @Test
  void wrappedAlready_isNotWrappedTwice() {
    InputSplit once = located(YARN, new OwnFileSplit(100, "a1")).get(0);
    InputSplit twice = located((c, t) -> Set.of("a1", "a2", "a3"), once).get(0);
    assertThat(((LocatedSplit) twice).inner()).isInstanceOf(OwnFileSplit.class);
  }

  @Test
  void notWritable_staysAsItIs() {
    conf.set(
        "io.serializations",
        "org.apache.hadoop.io.serializer.WritableSerialization,"
            + "org.apache.hadoop.io.serializer.JavaSerialization");
    JavaSplit split = new JavaSplit();
    FileSplit other = file(3, "b1");
    List<InputSplit> made = located(YARN, split, other);
    assertThat(made.get(0)).isSameAs(split);
    assertThat(made.get(1)).isNotSameAs(other);
  }

  @Test
  void splitsWithoutHosts_stayAsTheyAre() {
    InputSplit split = new DataDrivenDBInputFormat.DataDrivenDBInputSplit("a > 1", "a < 5");
    assertThat(located(YARN, split, file(1, "a1")).get(0)).isSameAs(split);
  }

  @Test
  void siblings_countsOfReplicas_goIntoTheJobInTaskOrder() {
    located(YARN, file(10, "a1", "b1"), file(30, "a3"), file(20, "a1", "b1"), file(10, "c1"));
    // tasks are numbered by length: 30, 20, 10, 10
    assertThat(ReplicaCounts.parse(conf.get(TerasortKeys.LOCALITY_REPLICAS.name()), 4))
        .containsExactly(0, 2, 2, 1);
  }

  @Test
  void yarnDoesNotAnswer_splitsAreThoseGiven() {
    InputSplit split = file(1, "a1");
    NodeManagers failing =
        (c, t) -> {
          throw new IOException("no ResourceManager");
        };
    assertThat(located(failing, split)).containsExactly(split);
    assertThat(located((c, t) -> null, split)).containsExactly(split);
    assertThat(conf.get(TerasortKeys.LOCALITY_REPLICAS.name())).isNull();
  }

  @Test
  void realYarnClient_nobodyListens_givesUpInTime() {
    conf.set("yarn.resourcemanager.address", "127.0.0.1:1");
    conf.set("evenkeel.terasort.locality.yarn-timeout", "2s");
    InputSplit split = file(1, "a1");
    assertThat(located(new YarnNodeManagers(), split)).containsExactly(split);
  }

  @Test
  void jobWithoutYarn_isNotAsked() throws Exception {
    conf.set(MRConfig.FRAMEWORK_NAME, MRConfig.LOCAL_FRAMEWORK_NAME);
    assertThat(new YarnNodeManagers().hosts(conf, 1)).isNull();
  }

  @Test
  void mappingFailsOrKnowsNothing_splitsAreThoseGiven() {
    InputSplit split = file(1, "a1");
    conf.set("net.topology.node.switch.mapping.impl", "no.such.Mapping");
    assertThat(located(YARN, split)).containsExactly(split);
    conf.set("net.topology.node.switch.mapping.impl", TableMapping.class.getName());
    conf.set("net.topology.table.file.name", temporary.resolve("missing").toString());
    assertThat(located(YARN, split)).containsExactly(split);
  }

  @Test
  void layersRack_noHostIsASibling() {
    conf.set("evenkeel.terasort.locality.layers", "rack");
    InputSplit split = file(1, "a1");
    assertThat(located(YARN, split)).containsExactly(split);
  }

  @Test
  void nodeGroupMapping_setForYarn_isAskedForNodeGroups() throws Exception {
    conf.setClass(
        "net.topology.node.switch.mapping.impl", NodeGroupMapping.class, DNSToSwitchMapping.class);
    conf.set("evenkeel.placement.mapping.wrapped", TableMapping.class.getName());
    for (String level : List.of("nodegroup", "rack", "path")) {
      conf.set("evenkeel.placement.mapping.emit", level);
      assertThat(located(YARN, file(1, "a1")).get(0).getLocations()).containsExactly("a1", "a2");
      assertThat(conf.get("evenkeel.placement.mapping.emit")).isEqualTo(level);
    }
  }

  @Test
  void maxLocations_ownOrStocks_isKept() throws Exception {
    InputSplit split = file(1, "a1", "b1", "c1");
    conf.setInt("evenkeel.terasort.locality.max-locations", 4);
    assertThat(located(YARN, split).get(0).getLocations()).hasSize(4);
    conf.setInt(MRConfig.MAX_BLOCK_LOCATIONS_KEY, 2);
    assertThat(located(YARN, split).get(0).getLocations()).containsExactly("a1", "b1");
    conf.set("evenkeel.terasort.locality.max-locations", "nonsense");
    assertThat(located(YARN, split).get(0).getLocations()).containsExactly("a1", "b1");
  }

  private List<InputSplit> many() {
    List<InputSplit> splits = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      splits.add(file(1000 - i, "a1", "b1", "c1"));
    }
    return splits;
  }

  @Test
  void metaInformation_aboveTheLimit_raisesIt() throws Exception {
    conf.setLong(MRJobConfig.SPLIT_METAINFO_MAXSIZE, 20_000);
    List<InputSplit> made = new SiblingSplits(YARN).of(many(), conf);
    long bytes = WrittenSplits.metaSize(made, conf).bytes();
    assertThat(bytes).isGreaterThan(20_000);
    assertThat(conf.getLong(MRJobConfig.SPLIT_METAINFO_MAXSIZE, 0)).isGreaterThanOrEqualTo(bytes);
  }

  @Test
  void metaInformation_limitOfNoneOrHighEnough_isLeftAlone() {
    for (long limit : new long[] {-1, 10_000_000}) {
      conf.setLong(MRJobConfig.SPLIT_METAINFO_MAXSIZE, limit);
      new SiblingSplits(YARN).of(many(), conf);
      assertThat(conf.getLong(MRJobConfig.SPLIT_METAINFO_MAXSIZE, 0)).isEqualTo(limit);
    }
  }

  @Test
  void metaInformation_limitIsFinal_siblingsAreDropped() throws Exception {
    java.nio.file.Path site = temporary.resolve("site.xml");
    Files.writeString(
        site,
        "<configuration><property><name>"
            + MRJobConfig.SPLIT_METAINFO_MAXSIZE
            + "</name><value>20000</value><final>true</final></property></configuration>");
    conf.addResource(new Path(site.toUri()));
    List<InputSplit> splits = many();
    assertThat(new SiblingSplits(YARN).of(splits, conf)).isSameAs(splits);
    assertThat(conf.getLong(MRJobConfig.SPLIT_METAINFO_MAXSIZE, 0)).isEqualTo(20_000);
  }
}
