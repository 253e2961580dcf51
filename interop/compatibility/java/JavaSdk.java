import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Content;
import io.modelcontextprotocol.spec.McpSchema.ImageContent;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The official Java SDK. */
final class JavaSdk {
    public static void main(String[] args) throws Exception {
        Driver.run(JavaSdk::connect);
    }

    private static Driver.Client connect() {
        McpClient.SyncSpec builder = McpClient.sync(Driver.command().isEmpty() ? http() : stdio());
        Driver.timeout().ifPresent(millis -> builder.requestTimeout(Duration.ofMillis(millis)));
        McpSyncClient client = builder.build();
        client.initialize();
        return new Driver.Client() {
            @Override
            public List<String> tools() {
                return client.listTools().tools().stream().map(Tool::name).toList();
            }

            @Override
            public Driver.Result call(String tool, Map<String, Object> arguments) {
                CallToolResult result =
                        client.callTool(CallToolRequest.builder(tool).arguments(arguments).build());
                return new Driver.Result(
                        Boolean.TRUE.equals(result.isError()),
                        result.content().stream().map(JavaSdk::part).toList());
            }
        };
    }

    private static McpClientTransport http() {
        URI url = URI.create(Driver.url());
        return HttpClientStreamableHttpTransport.builder(url.resolve("/").toString())
                .endpoint(url.getPath())
                .requestBuilder(HttpRequest.newBuilder().header("Authorization", "Bearer " + Driver.token()))
                .build();
    }

    private static McpClientTransport stdio() {
        List<String> command = Driver.command();
        return new StdioClientTransport(
                ServerParameters.builder(command.getFirst())
                        .args(command.subList(1, command.size()))
                        .env(System.getenv())
                        .build(),
                McpJsonDefaults.getMapper());
    }

    static String part(Content content) {
        return switch (content) {
            case TextContent text -> Driver.text(text.text());
            case ImageContent image -> Driver.image(image.data());
            default -> Driver.text(content.toString());
        };
    }
}
