package dev.gavel.app.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.app.TestServer;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that one identity cannot use up all responses to MCP clients. */
@Timeout(60)
class McpResponseShareTest {
    private static final int SHARE = 12;

    private static HttpResponse<InputStream> openStream(TestMcpClient client) throws Exception {
        return TestMcpClient.HTTP.send(
                client.request().setHeader("Accept", "text/event-stream").GET().build(),
                HttpResponse.BodyHandlers.ofInputStream());
    }

    @Test
    void anIdentityCanUseAQuarterOfTheResponses() throws Exception {
        List<InputStream> streams = new ArrayList<>();
        try (TestServer server = new TestServer("limits: {connections: " + 4 * SHARE + "}\n" + TestServer.CONFIG, 1)) {
            List<TestMcpClient> clients = new ArrayList<>();
            for (int i = 0; i <= SHARE; i++) {
                clients.add(new TestMcpClient(server, "ops", "helper"));
                clients.getLast().initialize();
            }
            for (TestMcpClient client : clients.subList(0, SHARE)) {
                HttpResponse<InputStream> stream = openStream(client);
                streams.add(stream.body());
                assertThat(stream.statusCode()).isEqualTo(200);
            }

            HttpResponse<InputStream> refused = openStream(clients.getLast());

            streams.add(refused.body());
            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(new TestMcpClient(server, "ops", "bob")
                            .initialize()
                            .at("serverInfo")
                            .isPresent())
                    .isTrue();
        } finally {
            for (InputStream stream : streams) {
                stream.close();
            }
        }
    }
}
