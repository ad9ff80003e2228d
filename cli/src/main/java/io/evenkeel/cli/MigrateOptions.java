package io.evenkeel.cli;

import io.evenkeel.cli.core.blocks.FsckReader;
import io.evenkeel.cli.core.blocks.Migration;
import io.evenkeel.cli.core.blocks.MigrationForecast;
import io.evenkeel.cli.core.topology.Topology;
import io.evenkeel.cli.status.ClusterSource;
import io.evenkeel.cli.topology.FsckListing;
import io.evenkeel.cli.topology.LiveListing;
import io.evenkeel.cli.topology.NameNodeWeb;
import io.evenkeel.cli.topology.TextInput;
import io.evenkeel.cli.topology.TopologySource;
import io.evenkeel.cli.topology.core.MigrationReport;
import java.io.File;
import java.io.InputStream;
import java.net.URI;
import java.util.ArrayList;
import picocli.CommandLine.Option;

/**
 * The options of {@code simulate} that say which blocks there are, and what follows from them.
 * Apart from {@link SimulateCommand}: with them it runs no policy and needs no Hadoop.
 */
final class MigrateOptions {
  private static final String[] LIVE_ONLY = {"--sample", "--user", "--timeout"};

  @Option(
      names = "--migrate",
      paramLabel = "FILE|URL",
      description =
          "Output of 'hdfs fsck / -files -blocks -locations -racks'; - is standard input. Or the"
              + " web address of the active NameNode, such as http://nn1:9870, which is asked for"
              + " a sample.")
  private String migrate;

  @Option(
      names = "--total-blocks",
      paramLabel = "N",
      description = "With --migrate FILE: the file is a sample of a cluster with this many blocks.")
  private Long totalBlocks;

  @Option(
      names = "--sample",
      paramLabel = "N",
      defaultValue = "200000",
      description =
          "With --migrate URL: number of blocks to read; a cluster with fewer is read whole"
              + " (${DEFAULT-VALUE}).")
  private long sample;

  @Option(
      names = "--user",
      paramLabel = "NAME",
      defaultValue = "${env:HADOOP_USER_NAME:-${sys:user.name}}",
      description =
          "With --migrate URL: user to ask as; must be able to read everything"
              + " (HADOOP_USER_NAME, or the user of this process).")
  private String user;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description =
          "With --migrate URL: seconds allowed for connecting and for each read, 1..3600"
              + " (${DEFAULT-VALUE}).")
  private int timeout;

  /** Whether it is asked what a switch copies. */
  boolean isGiven() {
    return migrate != null;
  }

  /** Refuses what would say nothing. */
  void refuseUnused(TopologyOptions topology) {
    if (!isGiven()) {
      for (String option : LIVE_ONLY) {
        needs(topology, option, "--migrate URL");
      }
      needs(topology, "--total-blocks", "--migrate");
      return;
    }
    topology.refuse("--migrate", "--hosts", "--vms", "--racks", "--policy", "--blocks");
    topology.refuse("--migrate", "--replication", "--writers", "--order", "--hadoop");
    topology.refuse("--migrate", "--html");
    if (address() == null) {
      topology.refuse("--migrate FILE", "--seed");
      topology.refuse("--migrate FILE", LIVE_ONLY);
    } else {
      topology.refuse("--migrate URL", "--total-blocks");
      topology.inRange("--sample", sample, 1, 1_000_000_000_000L);
      topology.inRange("--timeout", timeout, 1, 3600);
    }
  }

  private static void needs(TopologyOptions topology, String option, String other) {
    if (topology.has(option)) {
      throw topology.misuse(option + " needs " + other);
    }
  }

  /** Null when it is a file: without a scheme a name that is one, or has no port at its end. */
  private String address() {
    boolean web = migrate.matches("[a-z0-9]+://.*");
    boolean like = migrate.matches("[^/]+:\\d+/?") && !new File(migrate).exists();
    return web || like ? migrate : null;
  }

  /** What a switch copies. */
  MigrationReport report(TopologyOptions topology, InputStream in, long seed) {
    if (topology.isStandardInput() && "-".equals(migrate)) {
      throw topology.misuse("--topology and --migrate cannot both be standard input");
    }
    return address() == null ? listed(topology, in) : live(topology, in, seed);
  }

  private MigrationReport listed(TopologyOptions topology, InputStream in) {
    if (totalBlocks != null) {
      topology.inRange("--total-blocks", totalBlocks, 1, Long.MAX_VALUE);
    }
    FsckListing listing = new FsckListing(new TextInput(migrate, in));
    Migration migration =
        new Migration(
            topology.isGiven()
                ? topology.read(in)
                : new Topology(new ArrayList<>(), topology.layers()));
    FsckReader reader = listing.read(migration::accept);
    long population = totalBlocks == null ? 0 : totalBlocks;
    if (totalBlocks != null && totalBlocks < reader.blocks()) {
      throw topology.misuse(
          "--total-blocks = " + totalBlocks + " is less than the " + reader.blocks() + " listed");
    }
    return new MigrationReport(
        listing.description(),
        migration,
        migration.forecast(population),
        reader.isComplete() || population > 0);
  }

  private MigrationReport live(TopologyOptions topology, InputStream in, long seed) {
    URI address;
    try {
      address = ClusterSource.address(address());
    } catch (IllegalArgumentException e) {
      throw topology.misuse("--migrate: " + e.getMessage());
    }
    NameNodeWeb web = new NameNodeWeb(address, user, 1000 * timeout, "--migrate");
    web.requireActive();
    Topology known =
        topology.isGiven()
            ? topology.read(in)
            : new Topology(TopologySource.live(address, 1000 * timeout), topology.layers());
    Migration migration = new Migration(known);
    LiveListing listing = new LiveListing(web, migration, block -> {}, sample, seed);
    MigrationForecast forecast = listing.read();
    MigrationReport report =
        new MigrationReport("NameNode " + web.base(), migration, forecast, true);
    return listing.paths() == 0 ? report : report.drawn(listing.paths(), seed);
  }
}
