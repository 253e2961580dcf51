package dev.gavel.app.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.app.TestProcess;
import dev.gavel.app.TestServer;
import dev.gavel.client.Decision;
import dev.gavel.client.Gavel;
import dev.gavel.client.Participant;
import dev.gavel.client.Proposal;
import dev.gavel.client.Token;
import dev.gavel.mcpx.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that a task survives: a client of the newest official SDK gets a task and disconnects, the server is killed and
 * restarted, and a new client process that has only the task's reference fetches the result of the approved call.
 */
@Timeout(180)
final class TaskSurvivesRestartTest {
    private static final Duration PATIENCE = Duration.ofSeconds(40);

    @TempDir
    private Path directory;

    private TestProcess server() throws IOException {
        return new TestProcess(directory, """
                listen: 127.0.0.1:0
                data: "%s"
                identities:
                  alice: {token: alice-0123456789abcdef}
                  helper: {token: helper-0123456789abcdef}
                  other: {token: other-0123456789abcdef}
                topics:
                  ops:
                    participants:
                      alice: ["*"]
                      helper: ["mcp.proposal.*"]
                      other: ["mcp.proposal.*"]
                      everything: ["mcp.response.*", "mcp.request.notifications/*"]
                bridges:
                  everything: {topic: ops, command: %s}
                """.formatted(
                        directory.resolve("data"), InteropPrograms.yaml(InteropPrograms.everything())));
    }

    private static String token(String identity) {
        return identity + TestServer.SECRET;
    }

    private static TaskSdkClient client(TestProcess server, String identity) {
        return new TaskSdkClient("http://127.0.0.1:" + server.port() + "/mcp/ops", token(identity));
    }

    /** Waits until the bridged server is connected to the topic. */
    private static void awaitTools(TestProcess server) {
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(
                            URI.create("http://127.0.0.1:" + server.port() + "/topics/ops"))
                    .header("Authorization", "Bearer " + token("alice"))
                    .build();
            await().atMost(PATIENCE)
                    .until(() -> http.send(request, HttpResponse.BodyHandlers.ofString())
                            .body()
                            .contains("\"everything\""));
        }
    }

    /** Lets alice approve the one open proposal, and waits until its call has run. */
    private static void approve(TestProcess server) throws InterruptedException {
        BlockingQueue<Proposal> proposals = new LinkedBlockingQueue<>();
        try (Participant alice = Gavel.at("http://127.0.0.1:" + server.port())
                .token(Token.of(token("alice")))
                .topic("ops")
                .connect()) {
            alice.review(proposal -> {
                proposals.add(proposal);
                return Decision.leave();
            });
            Proposal proposal = proposals.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            assertThat(proposal).isNotNull();
            assertThat(proposal.from()).isEqualTo("helper");
            alice.decide(proposal, Decision.approve()).join();
            await().atMost(PATIENCE)
                    .until(() -> alice.proposal(proposal.id()).json().raw().contains("succeeded"));
        }
    }

    private static void assertSum(Json outcome) {
        assertThat(outcome.at("status").text()).as(outcome.raw()).isEqualTo("completed");
        assertThat(outcome.at("result").at("content").raw()).contains("The sum of 19 and 23 is 42.");
    }

    @Test
    void whatIsApprovedAfterTheServerWasKilledIsFetchedByAClientThatComesBack() throws Exception {
        Json reference;
        try (TestProcess first = server()) {
            awaitTools(first);
            reference = client(first, "helper").call("get-sum", "{\"a\":19,\"b\":23}");
            first.kill();
        }
        try (TestProcess second = server()) {
            awaitTools(second);
            assertThat(client(second, "helper").state(reference).at("status").text())
                    .isEqualTo("working");
            assertThat(client(second, "other").refused(reference).at("code").raw())
                    .isEqualTo("-32602");

            approve(second);

            assertSum(client(second, "helper").awaitOutcome(reference));
        }
    }

    @Test
    void whatWasApprovedBeforeTheServerWasKilledIsFetchedByAClientThatComesBack() throws Exception {
        Json reference;
        try (TestProcess first = server()) {
            awaitTools(first);
            reference = client(first, "helper").call("get-sum", "{\"a\":19,\"b\":23}");
            approve(first);
            first.kill();
        }
        try (TestProcess second = server()) {
            assertSum(client(second, "helper").awaitOutcome(reference));
        }
    }
}
