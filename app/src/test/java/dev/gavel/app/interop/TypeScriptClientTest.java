package dev.gavel.app.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.client.Decision;
import dev.gavel.client.Proposal;
import dev.gavel.mcpx.json.Json;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that the official TypeScript client, which does not know proposals, calls tools that it may only propose. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TypeScriptClientTest {
    private InteropTestTopic stage;
    private Path directory;

    /** The transport between the client and the topic. */
    enum Transport {
        URL,
        COMMAND,
        MCP_REMOTE
    }

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        this.directory = directory;
        stage = new InteropTestTopic(directory);
    }

    @AfterAll
    void stop() {
        stage.close();
    }

    private TypeScriptSdkClient client(Transport transport) throws Exception {
        return switch (transport) {
            case URL -> TypeScriptSdkClient.over(stage.url(), InteropTestTopic.token("helper"));
            case COMMAND -> TypeScriptSdkClient.over(InteropTestTopic.command(), stage.environment());
            case MCP_REMOTE ->
                TypeScriptSdkClient.over(
                        InteropPrograms.mcpRemote(stage.url(), InteropTestTopic.token("helper"), directory),
                        Map.of("MCP_REMOTE_CONFIG_DIR", directory.toString()));
        };
    }

    private static String text(Json result) {
        return result.at("content").elements().getFirst().at("text").text();
    }

    @ParameterizedTest
    @EnumSource
    void itListsWhatIsBehindTheBridgesAndCallsWhatItMay(Transport transport) throws Exception {
        try (TypeScriptSdkClient client = client(transport)) {
            assertThat(client.tools()).contains("echo", "get-sum", "read_text_file", "write_file", "gavel_status");
            assertThat(text(client.call("echo", "{\"message\":\"hello\"}"))).isEqualTo("Echo: hello");
            assertThat(stage.nothingProposed()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void itWaitsVisiblyAndGetsTheToolsOwnResultOnceApproved(Transport transport) throws Exception {
        try (TypeScriptSdkClient client = client(transport)) {
            client.call("sum", "get-sum", "{\"a\":19,\"b\":23}", true);
            Proposal proposal = stage.next("get-sum");
            assertThat(proposal.call().arguments().compact()).isEqualTo("{\"a\":19,\"b\":23}");
            assertThat(client.progress("sum").at("message").text()).contains("alice");

            stage.decide(proposal, Decision.approve());

            assertThat(text(client.result("sum"))).isEqualTo("The sum of 19 and 23 is 42.");
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatTheReviewerEditedIsWhatIsRun(Transport transport) throws Exception {
        Path wanted = stage.files().resolve("wanted-" + transport);
        Path given = stage.files().resolve("given-" + transport);
        try (TypeScriptSdkClient client = client(transport)) {
            client.call("write", "write_file", "{\"path\":\"" + wanted + "\",\"content\":\"text\"}", false);
            Proposal proposal = stage.next("write_file");

            stage.decide(proposal, Decision.approve(proposal.call().argument("path", given.toString())));

            assertThat(text(client.result("write"))).contains(given.toString());
        }
        assertThat(wanted).doesNotExist();
        assertThat(given).hasContent("text");
    }

    @ParameterizedTest
    @EnumSource
    void itIsToldWhoRefusedAndWhy(Transport transport) throws Exception {
        Path file = stage.files().resolve("refused-" + transport);
        try (TypeScriptSdkClient client = client(transport)) {
            client.call("write", "write_file", "{\"path\":\"" + file + "\",\"content\":\"text\"}", false);

            stage.decide(stage.next("write_file"), Decision.reject("policy").note("not on a Friday"));

            Json result = client.result("write");
            assertThat(result.at("isError").isTrue()).isTrue();
            assertThat(text(result)).contains("alice", "policy", "not on a Friday");
        }
        assertThat(file).doesNotExist();
    }

    @ParameterizedTest
    @EnumSource
    void whatItCancelsIsWithdrawn(Transport transport) throws Exception {
        try (TypeScriptSdkClient client = client(transport)) {
            client.call("sum", "get-sum", "{\"a\":1,\"b\":2}", true);
            Proposal proposal = stage.next("get-sum");

            client.cancel("sum");

            stage.awaitState(proposal, "withdrawn");
            assertThat(client.error("sum").at("message").text()).contains("the user changed their mind");
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "MCP_REMOTE")
    void whatItWaitedForWhenItWasKilledIsWithdrawn(Transport transport) throws Exception {
        try (TypeScriptSdkClient client = client(transport)) {
            client.call("sum", "get-sum", "{\"a\":1,\"b\":2}", true);
            Proposal proposal = stage.next("get-sum");

            client.kill();

            stage.awaitState(proposal, "withdrawn");
        }
    }
}
