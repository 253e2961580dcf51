package dev.gavel.app.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.client.Decision;
import dev.gavel.client.Proposal;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that the official Java client, which does not know proposals, calls tools that it may only propose. The build
 * runs it with two versions of the client.
 */
@Tag("java-sdk")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class JavaSdkClientTest {
    private static final Duration PATIENCE = Duration.ofSeconds(40);

    private final BlockingQueue<String> progress = new LinkedBlockingQueue<>();
    private InteropTestTopic stage;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        stage = new InteropTestTopic(directory);
    }

    @AfterAll
    void stop() {
        stage.close();
    }

    private McpClientTransport url() {
        return HttpClientStreamableHttpTransport.builder(stage.address())
                .endpoint("/mcp/ops")
                .requestBuilder(
                        HttpRequest.newBuilder().header("Authorization", "Bearer " + InteropTestTopic.token("helper")))
                .build();
    }

    private McpClientTransport command() {
        List<String> command = InteropTestTopic.command();
        return new StdioClientTransport(
                ServerParameters.builder(command.getFirst())
                        .args(command.subList(1, command.size()))
                        .env(stage.environment())
                        .build(),
                McpJsonDefaults.getMapper());
    }

    private McpSyncClient overUrl() {
        return connected(url());
    }

    private McpSyncClient connected(McpClientTransport transport) {
        return initialized(McpClient.sync(transport)
                .requestTimeout(PATIENCE)
                .progressConsumer(each -> progress.add(each.message())));
    }

    private static McpSyncClient initialized(McpClient.SyncSpec spec) {
        McpSyncClient client = spec.initializationTimeout(PATIENCE).build();
        client.initialize();
        return client;
    }

    private static CallToolRequest.Builder sum(int a) {
        return CallToolRequest.builder("get-sum").arguments(Map.of("a", a, "b", 23));
    }

    private static Future<CallToolResult> meanwhile(McpSyncClient client) {
        return meanwhile(client, sum(19).progressToken("sum").build());
    }

    private static Future<CallToolResult> meanwhile(McpSyncClient client, CallToolRequest request) {
        FutureTask<CallToolResult> result = new FutureTask<>(() -> client.callTool(request));
        Thread.ofVirtual().start(result);
        return result;
    }

    private static String text(CallToolResult result) {
        return ((TextContent) result.content().getFirst()).text();
    }

    @Test
    void itHasTheVersionThatTheBuildSelected() {
        assertThat(McpClient.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toString())
                .endsWith("mcp-core-" + System.getProperty("mcp-sdk.version") + ".jar");
    }

    @Test
    void itListsAndCallsByUrl() {
        try (McpSyncClient client = overUrl()) {
            assertThat(client.listTools().tools())
                    .extracting(Tool::name)
                    .contains("echo", "get-sum", "write_file", "gavel_status");
            CallToolRequest echo = CallToolRequest.builder("echo")
                    .arguments(Map.of("message", "hello"))
                    .build();
            assertThat(text(client.callTool(echo))).isEqualTo("Echo: hello");
            assertThat(stage.nothingProposed()).isTrue();
        }
    }

    @Test
    void itWaitsVisiblyAndGetsTheToolsOwnResultOnceApproved() throws Exception {
        try (McpSyncClient client = overUrl()) {
            waitsAndGets(client);
        }
    }

    @Test
    void itDoesTheSameOverACommand() throws Exception {
        try (McpSyncClient client = connected(command())) {
            waitsAndGets(client);
        }
    }

    /** The client gives up after 20 seconds by default, and does not tell the server. */
    @Test
    void itIsToldToCallAgainBeforeItGivesUpSoThatTheRepeatedCallRunsOnce() throws Exception {
        CallToolRequest addOne = sum(1).build();
        CallToolRequest addTwo = sum(2).build();
        try (McpSyncClient overUrl = initialized(McpClient.sync(url()));
                McpSyncClient overCommand = initialized(McpClient.sync(command()))) {
            Future<CallToolResult> first = meanwhile(overUrl, addOne);
            Future<CallToolResult> second = meanwhile(overCommand, addTwo);
            for (Future<CallToolResult> pending : List.of(first, second)) {
                assertThat(text(pending.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)))
                        .startsWith("Pending:");
            }
            stage.decide(stage.next("get-sum"), Decision.approve());
            stage.decide(stage.next("get-sum"), Decision.approve());

            assertThat(text(overUrl.callTool(addOne))).isEqualTo("The sum of 1 and 23 is 24.");
            assertThat(text(overCommand.callTool(addTwo))).isEqualTo("The sum of 2 and 23 is 25.");
            assertThat(stage.nothingProposed()).isTrue();
        }
    }

    private void waitsAndGets(McpSyncClient client) throws Exception {
        Future<CallToolResult> result = meanwhile(client);
        Proposal proposal = stage.next("get-sum");
        assertThat(progress.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS)).contains("alice");

        stage.decide(proposal, Decision.approve());

        assertThat(text(result.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))).isEqualTo("The sum of 19 and 23 is 42.");
    }

    @Test
    void itIsToldWhoRefusedAndWhy() throws Exception {
        try (McpSyncClient client = overUrl()) {
            Future<CallToolResult> result = meanwhile(client);

            stage.decide(stage.next("get-sum"), Decision.reject("policy").note("no sums today"));

            CallToolResult refused = result.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            assertThat(refused.isError()).isTrue();
            assertThat(text(refused)).contains("alice", "policy", "no sums today");
        }
    }

    @Test
    void whatItWaitedForWhenItWentAwayIsWithdrawn() throws Exception {
        McpSyncClient client = overUrl();
        Future<CallToolResult> result = meanwhile(client);
        Proposal proposal = stage.next("get-sum");

        client.close();

        stage.awaitState(proposal, "withdrawn");
        assertThat(result).failsWithin(PATIENCE);
    }
}
