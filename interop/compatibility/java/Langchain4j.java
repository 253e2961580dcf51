import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.mcp.client.DefaultMcpClient;
import dev.langchain4j.mcp.client.McpClient;
import dev.langchain4j.mcp.client.transport.http.StreamableHttpMcpTransport;
import dev.langchain4j.service.tool.ToolExecutionResult;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The MCP client of langchain4j. */
final class Langchain4j {
    public static void main(String[] args) throws Exception {
        Driver.run(Langchain4j::connect);
    }

    private static Driver.Client connect() {
        DefaultMcpClient.Builder builder = new DefaultMcpClient.Builder()
                .transport(new StreamableHttpMcpTransport.Builder()
                        .url(Driver.url())
                        .customHeaders(Map.of("Authorization", "Bearer " + Driver.token()))
                        .build());
        Driver.timeout().ifPresent(millis -> builder.toolExecutionTimeout(Duration.ofMillis(millis)));
        McpClient client = builder.build();
        return new Driver.Client() {
            @Override
            public List<String> tools() {
                return client.listTools().stream().map(ToolSpecification::name).toList();
            }

            @Override
            public Driver.Result call(String tool, Map<String, Object> arguments) {
                ToolExecutionResult result = client.executeTool(ToolExecutionRequest.builder()
                        .name(tool)
                        .arguments(json(arguments))
                        .build());
                return new Driver.Result(
                        result.isError(),
                        result.resultContents().stream().map(Langchain4j::part).toList());
            }
        };
    }

    // The arguments are plain words.
    private static String json(Map<String, Object> arguments) {
        return arguments.entrySet().stream()
                .map(each -> "\"" + each.getKey() + "\":\"" + each.getValue() + "\"")
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static String part(Content content) {
        return switch (content) {
            case TextContent text -> Driver.text(text.text());
            case ImageContent image -> Driver.image(image.image().base64Data());
            default -> Driver.text(content.toString());
        };
    }
}
