import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import java.net.URI;
import java.net.http.HttpRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.ai.mcp.SyncMcpToolCallbackProvider;
import org.springframework.ai.mcp.customizer.McpClientCustomizer;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.boot.Banner;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Spring AI's starter for MCP clients, in a Spring Boot application without a model. */
public class SpringAi {
    private static final Pattern DATA = Pattern.compile("\"data\":\"([A-Za-z0-9+/=]{100,})\"");

    /** The application. It sends the token with each request. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    public static class Application {
        @Bean
        McpClientCustomizer<HttpClientStreamableHttpTransport.Builder> token() {
            return (name, builder) -> builder.requestBuilder(
                    HttpRequest.newBuilder().header("Authorization", "Bearer " + Driver.token()));
        }
    }

    public static void main(String[] args) throws Exception {
        Driver.run(SpringAi::connect);
    }

    private static Driver.Client connect() {
        URI url = URI.create(Driver.url());
        Map<String, Object> settings = new HashMap<>(Map.of(
                "spring.ai.mcp.client.streamable-http.connections.gavel.url", url.resolve("/").toString(),
                "spring.ai.mcp.client.streamable-http.connections.gavel.endpoint", url.getPath(),
                "spring.main.web-application-type", "none"));
        Driver.timeout().ifPresent(millis -> settings.put("spring.ai.mcp.client.request-timeout", millis + "ms"));
        ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
                .bannerMode(Banner.Mode.OFF)
                .properties(settings)
                .run();
        SyncMcpToolCallbackProvider provider = context.getBean(SyncMcpToolCallbackProvider.class);
        return new Driver.Client() {
            @Override
            public List<String> tools() {
                return Stream.of(provider.getToolCallbacks())
                        .map(each -> each.getToolDefinition().name())
                        .toList();
            }

            @Override
            public Driver.Result call(String tool, Map<String, Object> arguments) {
                ToolCallback callback = Stream.of(provider.getToolCallbacks())
                        .filter(each -> each.getToolDefinition().name().endsWith(tool))
                        .findFirst()
                        .orElseThrow();
                String input = arguments.entrySet().stream()
                        .map(each -> "\"" + each.getKey() + "\":\"" + each.getValue() + "\"")
                        .collect(Collectors.joining(",", "{", "}"));
                String result = callback.call(input);
                Matcher data = DATA.matcher(result);
                return new Driver.Result(false, List.of(data.find() ? Driver.image(data.group(1)) : Driver.text(result)));
            }
        };
    }
}
