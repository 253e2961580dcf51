package dev.gavel.app;

import dev.gavel.app.config.ConfigFileReader;
import dev.gavel.app.config.ServerConfig;
import dev.gavel.app.server.GavelServer;
import dev.gavel.app.server.ServerEventLoops;
import dev.gavel.client.http.ListenAddress;
import dev.gavel.mcp.bridge.BridgeStatus;
import dev.gavel.web.http.ConnectionLimiter;
import dev.gavel.yaml.ProblemCollector;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.assertj.core.api.Assertions;

/**
 * Runs a real server on a free port from configuration text; each identity's token is its name plus {@link #SECRET}.
 */
public final class TestServer implements AutoCloseable {
    public static final String SECRET = "-0123456789abcdef";

    /** Alice may do everything, helper may only propose, files answers, and mallory is not a member. */
    public static final String CONFIG = """
            listen: 127.0.0.1:0
            identities:
              alice: {token: alice-0123456789abcdef, roles: [admin]}
              bob: {token: bob-0123456789abcdef}
              helper: {token: helper-0123456789abcdef}
              files: {token: files-0123456789abcdef}
              mallory: {token: mallory-0123456789abcdef}
            topics:
              ops:
                ledger: off
                participants:
                  alice: ["*"]
                  bob: ["mcp.request.*", "chat.*"]
                  helper: ["mcp.proposal.*", "mcpx.withdraw.proposal", "chat.*"]
                  files: ["mcp.response.*", "mcp.request.notifications/*"]
            """;

    private final GavelServer server;
    private boolean closed;

    public TestServer(String config, int loops) throws IOException {
        this(config(config), loops);
    }

    public TestServer(ServerConfig config, int loops) throws IOException {
        this.server = GavelServer.start(config, loops);
    }

    /** Starts a server that has these limits of files and memory. */
    public TestServer(String config, ConnectionLimiter connectionLimiter) throws IOException {
        this.server = GavelServer.start(config(config), ServerEventLoops.start(1, connectionLimiter));
    }

    public static ServerConfig config(String text) {
        ProblemCollector problemCollector = new ProblemCollector();
        ServerConfig config = new ConfigFileReader(name -> null, problemCollector).read("test.yaml", text);
        Assertions.assertThat(problemCollector.list()).isEmpty();
        return config;
    }

    public ListenAddress listen() {
        return server.listen();
    }

    /** The URL of the console, without a trailing slash. */
    public String consoleUrl() {
        return server.links().consoleUrl().orElseThrow().toString().replaceFirst("/$", "");
    }

    /** A link that signs an identity in to the console, once. */
    public URI signInLink(String identity) {
        return server.links().signInUrl(identity).orElseThrow();
    }

    public Socket socket() throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), server.listen().port());
    }

    /** Connects an identity, whatever the response. */
    public TestSocket open(String identity, String query) throws IOException {
        return open(socket(), identity, query);
    }

    static TestSocket open(Socket socket, String identity, String query) throws IOException {
        return new TestSocket(socket, "/ws?" + query, "Authorization: Bearer " + identity + SECRET);
    }

    /** Connects an identity to the topic {@code ops} and reads its welcome. */
    public TestSocket join(String identity) throws IOException {
        TestSocket socket = open(identity, "topic=ops");
        Assertions.assertThat(socket.envelope().path("kind").asString()).isEqualTo("system.welcome");
        return socket;
    }

    /** Whether a bridge's server is connected to its topic. */
    public boolean isBridgeConnected(String bridge) {
        return server.bridges().stream()
                .anyMatch(status -> status.name().equals(bridge) && status.phase() == BridgeStatus.Phase.UP);
    }

    /** The text of {@code /metrics}. */
    public String metrics() throws IOException {
        return new String(
                URI.create("http://" + listen() + "/metrics")
                        .toURL()
                        .openStream()
                        .readAllBytes(),
                StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            server.close();
        }
    }
}
