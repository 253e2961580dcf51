package dev.gavel.app.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.client.Decision;
import dev.gavel.mcpx.json.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Tests the MCP Inspector with only a URL and a token, or with only a command. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class InspectorClientTest {
    private static final String[] SUM = {
        "--method", "tools/call", "--tool-name", "get-sum", "--tool-arg", "a=19", "--tool-arg", "b=23"
    };

    private InteropTestTopic stage;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        stage = new InteropTestTopic(directory);
    }

    @AfterAll
    void stop() {
        stage.close();
    }

    private InspectorRun byUrl(String... request) throws Exception {
        return InspectorRun.over(stage.url(), InteropTestTopic.token("helper"), request);
    }

    private InspectorRun byCommand(String... request) throws Exception {
        List<String> words = new ArrayList<>();
        stage.environment().forEach((name, value) -> words.addAll(List.of("-e", name + "=" + value)));
        words.addAll(List.of(request));
        return InspectorRun.over(InteropTestTopic.command(), words.toArray(String[]::new));
    }

    private static Future<InspectorRun> meanwhile(Callable<InspectorRun> work) {
        FutureTask<InspectorRun> run = new FutureTask<>(work);
        Thread.ofVirtual().start(run);
        return run;
    }

    @Test
    void itListsTheToolsOfTheServersBehindTheTopic() throws Exception {
        for (InspectorRun run : List.of(byUrl("--method", "tools/list"), byCommand("--method", "tools/list"))) {
            assertThat(run.result().at("tools").elements())
                    .extracting(tool -> tool.at("name").text())
                    .contains("echo", "get-sum", "write_file", "gavel_status");
        }
    }

    @Test
    void itCallsWhatItMay() throws Exception {
        InspectorRun run = byUrl("--method", "tools/call", "--tool-name", "echo", "--tool-arg", "message=hello");
        assertThat(run.out()).contains("Echo: hello");
    }

    @Test
    void itGetsTheToolsOwnResultOnceApproved() throws Exception {
        for (Callable<InspectorRun> way : List.<Callable<InspectorRun>>of(() -> byUrl(SUM), () -> byCommand(SUM))) {
            Future<InspectorRun> run = meanwhile(way);
            stage.decide(stage.next("get-sum"), Decision.approve());
            Json content = run.get().result().at("content");
            assertThat(content.elements().getFirst().at("text").text()).isEqualTo("The sum of 19 and 23 is 42.");
        }
    }

    @Test
    void itIsToldWhoRefusedAndWhy() throws Exception {
        Future<InspectorRun> run = meanwhile(() -> byUrl(SUM));
        stage.decide(stage.next("get-sum"), Decision.reject("policy").note("no sums today"));
        assertThat(run.get().out()).contains("\"isError\": true", "alice", "policy", "no sums today");
    }
}
