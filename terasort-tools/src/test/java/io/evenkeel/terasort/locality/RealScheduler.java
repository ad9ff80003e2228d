package io.evenkeel.terasort.locality;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.yarn.api.protocolrecords.GetNewApplicationRequest;
import org.apache.hadoop.yarn.api.protocolrecords.SubmitApplicationRequest;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.util.RackResolver;
import org.apache.hadoop.yarn.util.Records;

/** The real ResourceManager with its CapacityScheduler; NodeManagers are heartbeats by hand. */
final class RealScheduler implements AutoCloseable {
  private static final int MEMORY_MB = 1024;
  private static final String APPLICATION_MASTER = "am";

  private final MockRM rm;
  private final MockAM am;
  private final Map<String, MockNM> nodes = new HashMap<>();

  RealScheduler(Configuration conf, List<String> hosts) throws Exception {
    forgetRacks();
    conf.setClass(YarnConfiguration.RM_SCHEDULER, CapacityScheduler.class, ResourceScheduler.class);
    rm = new MockRM(conf);
    rm.start();
    MockNM own = register(APPLICATION_MASTER);
    for (String host : hosts) {
      register(host);
    }
    am = MockRM.launchAndRegisterAM(submit(), rm, own);
  }

  /** The racks of hosts are kept for the life of a JVM. */
  private static void forgetRacks() throws ReflectiveOperationException {
    Field known = RackResolver.class.getDeclaredField("initCalled");
    known.setAccessible(true);
    known.setBoolean(null, false);
  }

  private MockNM register(String host) throws Exception {
    // the token of a container names an address
    NetUtils.addStaticResolution(host, "127.0.0.1");
    MockNM node = rm.registerNode(host + ":1234", 16 * MEMORY_MB);
    nodes.put(host, node);
    return node;
  }

  private RMApp submit() throws Exception {
    ApplicationId id =
        rm.getClientRMService()
            .getNewApplication(Records.newRecord(GetNewApplicationRequest.class))
            .getApplicationId();
    ApplicationSubmissionContext context = Records.newRecord(ApplicationSubmissionContext.class);
    context.setApplicationId(id);
    context.setApplicationName("locality");
    context.setQueue("default");
    context.setResource(Resource.newInstance(MEMORY_MB, 1));
    context.setAMContainerSpec(Records.newRecord(ContainerLaunchContext.class));
    rm.getClientRMService().submitApplication(SubmitApplicationRequest.newInstance(context));
    rm.waitForState(id, RMAppState.ACCEPTED);
    return rm.getRMContext().getRMApps().get(id);
  }

  /** Where the ResourceManager has a host. */
  String rack(String host) {
    return rm.getRMContext().getRMNodes().get(nodes.get(host).getNodeId()).getRackName();
  }

  /** Asks for one container at hosts, their racks, or anywhere, as a map task does. */
  void ask(List<String> hosts, List<String> racks) throws Exception {
    List<ResourceRequest> requests = new ArrayList<>();
    for (String place : hosts) {
      requests.add(am.createResourceReq(place, MEMORY_MB, 1, 1));
    }
    for (String place : racks) {
      requests.add(am.createResourceReq(place, MEMORY_MB, 1, 1));
    }
    requests.add(am.createResourceReq(ResourceRequest.ANY, MEMORY_MB, 1, 1));
    am.allocate(requests, new ArrayList<>());
  }

  /** Asks for so many containers at each place, as a job does that names them for several tasks. */
  void ask(Map<String, Integer> containers) throws Exception {
    List<ResourceRequest> requests = new ArrayList<>();
    for (Map.Entry<String, Integer> place : containers.entrySet()) {
      requests.add(am.createResourceReq(place.getKey(), MEMORY_MB, 1, place.getValue()));
    }
    am.allocate(requests, new ArrayList<>());
  }

  /** Says only how many containers are wanted in all, as a job does that has a limit of its own. */
  void askAnywhere(int containers) throws Exception {
    am.allocate(
        List.of(am.createResourceReq(ResourceRequest.ANY, MEMORY_MB, 1, containers)),
        new ArrayList<>());
  }

  /** One heartbeat each, until the container is there. */
  Optional<String> heartbeats(String... hosts) throws Exception {
    for (String host : hosts) {
      nodes.get(host).nodeHeartbeat(true);
      rm.drainEvents();
      List<Container> given =
          am.allocate(new ArrayList<ResourceRequest>(), new ArrayList<>()).getAllocatedContainers();
      if (!given.isEmpty()) {
        return Optional.of(given.get(0).getNodeId().getHost());
      }
    }
    return Optional.empty();
  }

  @Override
  public void close() {
    rm.stop();
  }
}
