package io.evenkeel.mover.follow;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.evenkeel.common.cli.CommandException;
import io.evenkeel.common.cli.ExitCode;
import io.evenkeel.common.config.ConfigException;
import io.evenkeel.mover.config.FollowKeys;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Serves the numbers as Prometheus text under {@code /prom}, from one thread. Thread-safe. */
final class PrometheusEndpoint implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService executor;

  private PrometheusEndpoint(HttpServer server, ExecutorService executor) {
    this.server = server;
    this.executor = executor;
  }

  static PrometheusEndpoint start(String address, FollowMXBean status) throws IOException {
    HttpServer server;
    try {
      server = HttpServer.create(socketAddress(address), 0);
    } catch (java.net.BindException e) {
      throw new CommandException(
          ExitCode.COULD_NOT_RUN,
          FollowKeys.HTTP_ADDRESS.name() + " = " + address + ": " + e.getMessage(),
          e);
    }
    ExecutorService executor =
        Executors.newSingleThreadExecutor(
            work -> {
              Thread thread = new Thread(work, "evenkeel-follow-http");
              thread.setDaemon(true);
              return thread;
            });
    server.setExecutor(executor);
    server.createContext("/prom", exchange -> answer(exchange, status));
    server.start();
    return new PrometheusEndpoint(server, executor);
  }

  private static InetSocketAddress socketAddress(String address) {
    int colon = address.lastIndexOf(':');
    try {
      int port = Integer.parseInt(address.substring(colon + 1));
      if (colon > 0) {
        return new InetSocketAddress(address.substring(0, colon), port);
      }
    } catch (IllegalArgumentException e) {
      // falls through to the one message for all of these
    }
    throw new ConfigException(
        FollowKeys.HTTP_ADDRESS.name() + " = '" + address + "' is not allowed; use host:port");
  }

  private static void answer(HttpExchange exchange, FollowMXBean status) throws IOException {
    byte[] text = PrometheusText.of(status).getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
    exchange.sendResponseHeaders(200, text.length);
    exchange.getResponseBody().write(text);
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
    executor.shutdownNow();
  }
}
