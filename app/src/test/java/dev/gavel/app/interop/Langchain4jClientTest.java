package dev.gavel.app.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.client.Decision;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.exception.ToolExecutionException;
import dev.langchain4j.mcp.client.DefaultMcpClient;
import dev.langchain4j.mcp.client.McpClient;
import dev.langchain4j.mcp.client.transport.http.StreamableHttpMcpTransport;
import dev.langchain4j.service.tool.ToolExecutionResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that the client of langchain4j, which does not know proposals, calls tools that it may only propose. The build
 * runs it apart from the other tests, because of its libraries.
 */
@Tag("langchain4j")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class Langchain4jClientTest {
    private static final int PATIENCE_SECONDS = 40;

    private InteropTestTopic stage;
    private McpClient client;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        stage = new InteropTestTopic(directory);
        client = new DefaultMcpClient.Builder()
                .transport(new StreamableHttpMcpTransport.Builder()
                        .url(stage.url())
                        .customHeaders(Map.of("Authorization", "Bearer " + InteropTestTopic.token("helper")))
                        .build())
                .build();
    }

    @AfterAll
    void stop() throws Exception {
        client.close();
        stage.close();
    }

    private ToolExecutionResult call(String tool, String arguments) {
        return client.executeTool(
                ToolExecutionRequest.builder().name(tool).arguments(arguments).build());
    }

    private Future<ToolExecutionResult> sumMeanwhile() {
        FutureTask<ToolExecutionResult> result = new FutureTask<>(() -> call("get-sum", "{\"a\":19,\"b\":23}"));
        Thread.ofVirtual().start(result);
        return result;
    }

    @Test
    void itListsWhatIsBehindTheBridgesAndCallsWhatItMay() {
        assertThat(client.listTools())
                .extracting(ToolSpecification::name)
                .contains("echo", "get-sum", "write_file", "gavel_status");
        assertThat(call("echo", "{\"message\":\"hello\"}").resultText()).isEqualTo("Echo: hello");
        assertThat(stage.nothingProposed()).isTrue();
    }

    @Test
    void itGetsTheToolsOwnResultOnceApproved() throws Exception {
        Future<ToolExecutionResult> result = sumMeanwhile();

        stage.decide(stage.next("get-sum"), Decision.approve());

        assertThat(result.get(PATIENCE_SECONDS, TimeUnit.SECONDS).resultText())
                .isEqualTo("The sum of 19 and 23 is 42.");
    }

    @Test
    void itIsToldWhoRefusedAndWhy() throws Exception {
        Future<ToolExecutionResult> result = sumMeanwhile();

        stage.decide(stage.next("get-sum"), Decision.reject("policy").note("no sums today"));

        assertThat(result)
                .failsWithin(Duration.ofSeconds(PATIENCE_SECONDS))
                .withThrowableThat()
                .withCauseInstanceOf(ToolExecutionException.class)
                .withMessageContainingAll("alice", "policy", "no sums today");
    }
}
