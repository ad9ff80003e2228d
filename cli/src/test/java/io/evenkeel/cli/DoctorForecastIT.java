package io.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.common.json.Json;
import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * {@code evenkeel doctor --forecast} with the policies of Hadoop and ours in a JVM of their own.
 */
@Timeout(300)
class DoctorForecastIT {
  @Test
  void forecast_hostsWithSeveralDataNodes_saysWhoPutsTwoReplicasOnOne() throws Exception {
    Map<String, Object> live = new LinkedHashMap<>();
    for (int i = 0; i < 32; i++) {
      String location = "/r" + i % 2 + "/h" + i / 4;
      live.put("dn" + i + ":9866", Map.of("infoAddr", "127.0.0.1:1", "location", location));
    }
    StringWriter out = new StringWriter();
    AtomicLong nanos = new AtomicLong();
    DoctorCommand doctor =
        new DoctorCommand(
            name -> null,
            new ByteArrayInputStream(new byte[0]),
            nanos::get,
            seconds -> nanos.addAndGet(TimeUnit.SECONDS.toNanos(seconds)));
    try (FakeDaemon nn = FakeDaemon.nameNode("active")) {
      nn.bean("Hadoop:service=NameNode,name=NameNodeInfo", Map.of("LiveNodes", Json.compact(live)));
      Evenkeel.run(
          Evenkeel.commandLine(doctor).setOut(new PrintWriter(out)),
          "doctor",
          nn.url(),
          "--minutes",
          "1",
          "--forecast",
          "--json");
    }
    Map<?, ?> forecast = (Map<?, ?>) ((Map<?, ?>) Json.parse(out.toString())).get("forecast");
    List<?> policies = (List<?>) forecast.get("policies");
    assertThat(policies)
        .extracting(each -> String.valueOf(((Map<?, ?>) each).get("policy")))
        .containsExactly("stock-default", "stock-nodegroup", "uniform");
    assertThat(policies)
        .extracting(each -> ((Number) ((Map<?, ?>) each).get("sharedHost")).longValue() > 0)
        .containsExactly(true, false, false);
  }
}
