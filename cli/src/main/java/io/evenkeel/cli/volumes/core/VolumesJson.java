package io.evenkeel.cli.volumes.core;

import io.evenkeel.cli.datanodes.core.DataNodesJson;
import io.evenkeel.cli.datanodes.core.DataNodesReport;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The JSON form of a round; its schema is documented in {@code docs/commands.md}. Stateless. */
public final class VolumesJson {
  /** Changes when a member changes its meaning or goes; new members may come without a change. */
  public static final String SCHEMA = "evenkeel.volumes/1";

  private VolumesJson() {}

  /** Maps, lists and plain values in the documented order; null is what is not known. */
  public static Map<String, Object> of(
      DataNodesReport<DataNodeVolumes> report, String toolVersion) {
    return DataNodesJson.of(SCHEMA, report, toolVersion, VolumesJson::members);
  }

  private static Map<String, Object> members(DataNodeVolumes dataNode) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("policy", dataNode.policy().isEmpty() ? null : dataNode.policy());
    json.put("state", dataNode.hasBean() ? dataNode.state() : null);
    json.put("reason", dataNode.reason());
    json.put("choices", dataNode.bean().number("Choices"));
    json.put("outOfSpace", dataNode.bean().number("OutOfSpace"));
    json.put("rescued", dataNode.bean().number("Rescued"));
    json.put("wouldDiffer", dataNode.bean().number("WouldDiffer"));
    List<Object> volumes = new ArrayList<>();
    dataNode.volumes().forEach(volume -> volumes.add(volume(volume)));
    json.put("volumes", volumes);
    return json;
  }

  private static Map<String, Object> volume(VolumeRow volume) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("directory", volume.directory());
    json.put("storageType", volume.text("storageType"));
    json.put("deviceClass", volume.text("deviceClass"));
    json.put("weight", volume.number("weight"));
    json.put("health", volume.health());
    json.put("healthSeconds", volume.known("healthSeconds"));
    json.put("reason", volume.text("reason"));
    json.put("choices", volume.number("choices"));
    json.put("share", volume.number("share"));
    json.put("recentShare", volume.number("recentShare"));
    json.put("wouldHaveChosen", volume.number("wouldHaveChosen"));
    json.put("inFlight", volume.number("inFlight"));
    json.put("idleUsers", volume.number("idleUsers"));
    json.put("score", volume.number("score"));
    json.put("latencyMillis", volume.known("latencyMillis"));
    json.put("ejections", volume.number("ejections"));
    json.put("probes", volume.number("probes"));
    json.put("availableBytes", volume.known("availableBytes"));
    json.put("capacityBytes", volume.positive("capacityBytes"));
    json.put("sampleAgeSeconds", volume.known("sampleAgeSeconds"));
    json.put("signal", volume.text("signal"));
    return json;
  }
}
