import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Rows of HBase whose values follow from their keys, and a file of those that were acknowledged.
 *
 * <p>Commands: {@code create}, {@code write FROM TO ACKNOWLEDGED}, {@code flush}, {@code bulk FROM
 * TO ACKNOWLEDGED}, {@code snapshot}, {@code check ACKNOWLEDGED}. Ends with 1 when a row is lost or
 * wrong.
 */
public final class Rows {
  private static final TableName NAME = TableName.valueOf("rows");
  private static final TableName CLONE = TableName.valueOf("rows_clone");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] COLUMN = Bytes.toBytes("q");
  private static final int BATCH = 250;

  private Rows() {}

  private static byte[] key(int i) {
    return Bytes.toBytes(String.format("%08d", i));
  }

  private static byte[] value(int i) {
    return Bytes.toBytes(Long.toHexString(i * 0x9E3779B97F4A7C15L).repeat(12));
  }

  public static void main(String[] args) throws Exception {
    Configuration conf = HBaseConfiguration.create();
    try (Connection connection = ConnectionFactory.createConnection(conf);
        Admin admin = connection.getAdmin();
        Table table = connection.getTable(NAME)) {
      switch (args[0]) {
        case "create":
          create(admin);
          break;
        case "write":
          write(table, Integer.parseInt(args[1]), Integer.parseInt(args[2]), Paths.get(args[3]));
          break;
        case "flush":
          admin.flush(NAME);
          break;
        case "bulk":
          bulk(conf, Integer.parseInt(args[1]), Integer.parseInt(args[2]), Paths.get(args[3]));
          break;
        case "snapshot":
          admin.snapshot("s1", NAME);
          admin.cloneSnapshot("s1", CLONE);
          break;
        default:
          check(connection, Paths.get(args[1]));
      }
    }
  }

  private static void create(Admin admin) throws IOException {
    byte[][] splits = {key(30_000), key(60_000), key(90_000)};
    admin.createTable(
        TableDescriptorBuilder.newBuilder(NAME)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
            .build(),
        splits);
  }

  private static void write(Table table, int from, int to, Path acknowledged) throws IOException {
    for (int first = from; first < to; first += BATCH) {
      List<Put> puts = new ArrayList<>();
      for (int i = first; i < Math.min(to, first + BATCH); i++) {
        puts.add(new Put(key(i)).addColumn(FAMILY, COLUMN, value(i)));
      }
      table.put(puts);
      acknowledge(acknowledged, first, Math.min(to, first + BATCH));
    }
  }

  private static void acknowledge(Path file, int from, int to) throws IOException {
    Files.write(
        file,
        (from + " " + to + "\n").getBytes(StandardCharsets.UTF_8),
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  private static void bulk(Configuration conf, int from, int to, Path acknowledged)
      throws IOException {
    org.apache.hadoop.fs.Path folder =
        new org.apache.hadoop.fs.Path(conf.get("fs.defaultFS") + "/bulk" + from);
    FileSystem fs = folder.getFileSystem(conf);
    try (HFile.Writer writer =
        HFile.getWriterFactory(conf, new CacheConfig(conf))
            .withPath(fs, new org.apache.hadoop.fs.Path(folder, "f/hfile"))
            .withFileContext(new HFileContextBuilder().build())
            .create()) {
      for (int i = from; i < to; i++) {
        writer.append(new KeyValue(key(i), FAMILY, COLUMN, System.currentTimeMillis(), value(i)));
      }
    }
    BulkLoadHFiles.create(conf).bulkLoad(NAME, folder);
    acknowledge(acknowledged, from, to);
  }

  private static void check(Connection connection, Path acknowledged) throws IOException {
    boolean[] wanted = new boolean[1_000_000];
    int expected = 0;
    for (String line : Files.readAllLines(acknowledged)) {
      String[] range = line.split(" ");
      for (int i = Integer.parseInt(range[0]); i < Integer.parseInt(range[1]); i++) {
        expected += wanted[i] ? 0 : 1;
        wanted[i] = true;
      }
    }
    int found = 0;
    int wrong = 0;
    try (Table table = connection.getTable(NAME);
        ResultScanner scanner = table.getScanner(new Scan().setCaching(2000))) {
      for (Result row : scanner) {
        int i = Integer.parseInt(Bytes.toString(row.getRow()));
        wrong += Bytes.equals(row.getValue(FAMILY, COLUMN), value(i)) ? 0 : 1;
        found += wanted[i] ? 1 : 0;
        wanted[i] = false;
      }
    }
    System.out.println(
        expected + " rows acknowledged, " + (expected - found) + " lost, " + wrong + " wrong");
    System.exit(expected == found && wrong == 0 ? 0 : 1);
  }
}
