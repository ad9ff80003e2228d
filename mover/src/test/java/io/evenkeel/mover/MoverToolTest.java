package io.evenkeel.mover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.config.ConfigException;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.GenericOptionsParser;
import org.junit.jupiter.api.Test;

/** What the tool adds to the command; {@code cli.MoverCommandTest} is of the command. */
class MoverToolTest {
  private final Configuration conf = new Configuration(false);

  @Test
  void call_genericOptionsBeforeItsOwn_areLeftToHadoop() throws Exception {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream before = System.out;
    System.setOut(new PrintStream(printed, true));
    try {
      assertThat(MoverTool.call("-Da=b", "--help")).isZero();
    } finally {
      System.setOut(before);
    }
    assertThat(printed.toString(StandardCharsets.UTF_8)).contains("--run-during-upgrade");
  }

  @Test
  void follow_whatCannotRun_saysWhy() {
    PrintStream out = new PrintStream(OutputStream.nullOutputStream(), true);
    conf.set("evenkeel.mover.threads", "none");
    assertThatThrownBy(() -> MoverTool.follow(conf, out))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("evenkeel.mover.threads");
    conf.unset("evenkeel.mover.threads");
    conf.set("fs.defaultFS", "file:///");
    assertThatThrownBy(() -> MoverTool.follow(conf, out))
        .isInstanceOf(CommandException.class)
        .hasMessageStartingWith("file:///: not an HDFS NameNode");
  }

  @Test
  void loneDash_afterGenericOptions_isLeftByHadoopsParser() throws Exception {
    for (String[] args :
        new String[][] {{"-"}, {"-Da=b", "-", "/x"}, {"-D", "a=b", "-"}, {"--json", "-"}}) {
      String[] left =
          new GenericOptionsParser(new Configuration(false), MoverTool.keepingDash(args))
              .getRemainingArgs();
      assertThat(left).contains("-");
    }
    assertThat(MoverTool.keepingDash("-f", "-")).containsExactly("-f", "-");
  }
}
