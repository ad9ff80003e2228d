package io.evenkeel.mover.mixed;

import java.lang.reflect.Constructor;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/** Stock's Balancer, again and again. Confined to one thread. */
final class BalancerRuns {
  private static final String CLI = "org.apache.hadoop.hdfs.server.balancer.Balancer$Cli";

  private final Configuration conf;
  private final Tally tally;

  BalancerRuns(Configuration conf, Tally tally) {
    this.conf = conf;
    this.tally = tally;
  }

  /** One run; it may well end early when the NameNode it talks to changes. */
  void step() throws Exception {
    Constructor<?> constructor = Class.forName(CLI).getDeclaredConstructor();
    constructor.setAccessible(true); // it is not public
    int code =
        ToolRunner.run(
            new Configuration(conf), // it writes into it
            (Tool) constructor.newInstance(),
            new String[] {"-threshold", "1", "-idleiterations", "2"});
    tally.count("weather", "Balancer runs, ended with " + code);
    Worker.pause(5000);
  }
}
