package io.evenkeel.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SiteXmlTest {
  @ParameterizedTest
  @CsvSource({
    "dfs.blocksize,hdfs",
    "fs.defaultFS,core",
    "evenkeel.volume.x,core",
    "yarn.acl.enable,yarn",
    "mapreduce.job.maps,mapred",
    "yarn.app.mapreduce.am.resource.mb,mapred"
  })
  void byFile_key_goesWhereHadoopReadsIt(String key, String file) {
    assertThat(SiteXml.byFile(Map.of(key, "v")).get(file + "-site.xml")).containsEntry(key, "v");
  }

  @Test
  void text_specialCharacters_areReadBackByHadoop() throws Exception {
    Configuration conf = new Configuration(false);
    String xml = SiteXml.text(Map.of("a", "1 < 2 && \"x\" > 'y'", "b", ""));
    conf.addResource(new ByteArrayInputStream(xml.getBytes("UTF-8")));
    assertThat(conf.get("a")).isEqualTo("1 < 2 && \"x\" > 'y'");
    assertThat(conf.get("b")).isEmpty();
  }
}
