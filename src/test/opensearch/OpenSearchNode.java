import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.opensearch.Version;
import org.opensearch.analysis.common.CommonAnalysisModulePlugin;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.http.HttpServerTransport;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.PluginInfo;
import org.opensearch.transport.Netty4ModulePlugin;

/**
 * A cluster of one node: {@code OpenSearchNode HOME REPOSITORIES}. Prints its port, and ends at the
 * end of its input. It is compiled when it is started, because its libraries are not the project's.
 */
final class OpenSearchNode extends Node {
  private OpenSearchNode(Environment environment, Collection<PluginInfo> plugins) {
    super(environment, plugins, true);
  }

  public static void main(String[] arguments) throws Exception {
    Settings settings =
        Settings.builder()
            .put("path.home", arguments[0])
            .put("path.repo", arguments[1])
            .put("cluster.name", "test")
            .put("discovery.type", "single-node")
            .put("network.host", "127.0.0.1")
            .put("http.port", "0")
            .put("transport.port", "0")
            .put("transport.type", "netty4")
            .put("http.type", "netty4")
            .put("cluster.routing.allocation.disk.threshold_enabled", false)
            .build();
    Environment environment =
        InternalSettingsPreparer.prepareEnvironment(
            settings, Map.of(), Path.of(arguments[0], "config"), () -> "node");
    try (Node node =
        new OpenSearchNode(
            environment,
            List.of(plugin(Netty4ModulePlugin.class), plugin(CommonAnalysisModulePlugin.class)))) {
      node.start();
      HttpServerTransport http = node.injector().getInstance(HttpServerTransport.class);
      System.out.println("port " + http.boundAddress().publishAddress().getPort());
      while (System.in.read() >= 0) {
        // The parent says nothing before it closes the stream.
      }
    }
  }

  private static PluginInfo plugin(Class<? extends Plugin> type) {
    return new PluginInfo(
        type.getSimpleName(),
        "",
        "NA",
        Version.CURRENT,
        "25",
        type.getName(),
        null,
        List.of(),
        false);
  }
}
