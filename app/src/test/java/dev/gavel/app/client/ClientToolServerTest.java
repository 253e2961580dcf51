package dev.gavel.app.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gavel.client.Answer;
import dev.gavel.client.Call;
import dev.gavel.client.Decision;
import dev.gavel.client.End;
import dev.gavel.client.Participant;
import dev.gavel.client.Tools;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeDraft;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.json.Json;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ClientToolServerTest {
    @TempDir
    private Path data;

    private ClientTestServer clientTestServer;

    @BeforeEach
    void open() throws Exception {
        clientTestServer = new ClientTestServer(data);
    }

    @AfterEach
    void close() throws Exception {
        clientTestServer.close();
    }

    private End run(String tool) {
        return clientTestServer.join("helper").propose(Call.tool(tool)).send().await();
    }

    @Test
    void aToolThatThrowsIsAnsweredForWithoutSayingWhatItSaid() {
        clientTestServer.join("files").serve(new Tools().tool("bad", request -> {
                    throw new IllegalStateException("password=hunter2");
                }));
        clientTestServer.join("alice").review(proposal -> Decision.approve().runBy("files"));
        assertThat(run("bad"))
                .isInstanceOfSatisfying(
                        End.Failed.class,
                        end -> assertThat(end.text()).contains("files").doesNotContain("hunter2", "IllegalState"));
    }

    @Test
    void whatCannotBeSentIsAnsweredForAllTheSame() {
        Tools tools = new Tools()
                .tool("null", request -> nothing())
                .tool("error", request -> {
                    throw new AssertionError("password=hunter2");
                })
                .tool("missing", request -> Answer.result(request.arguments().at("nope")))
                .tool("surrogate", request -> Answer.text("a\uD800b"))
                .tool("large", request -> Answer.text("x".repeat(17_000_000)))
                .tool("well", request -> Answer.text("well"));
        clientTestServer.join("files").serve(tools);
        clientTestServer.join("alice").review(proposal -> Decision.approve().runBy("files"));
        Participant helper = clientTestServer.join("helper");
        for (String tool : List.of("null", "error", "missing", "surrogate", "large")) {
            assertThat(helper.propose(Call.tool(tool)).send().await())
                    .as(tool)
                    .isInstanceOfSatisfying(
                            End.Failed.class,
                            end -> assertThat(end.text())
                                    .containsPattern("^the call failed; see the log of 'files'|^the call was run, but")
                                    .doesNotContain("hunter2"));
        }
        assertThat(helper.propose(Call.tool("well")).send().await()).isInstanceOf(End.Succeeded.class);
    }

    /** The answer of a faulty tool. */
    @SuppressWarnings("NullAway")
    private static Answer nothing() {
        return null;
    }

    @Test
    void aPlainRequestWhoseAnswerIsTooLargeIsAnsweredShortly() throws Exception {
        clientTestServer.join("files").serve(new Tools().tool("large", request -> Answer.text("x".repeat(17_000_000))));
        Participant alice = clientTestServer.join("alice");
        BlockingQueue<Envelope> answers = new LinkedBlockingQueue<>();
        alice.onEnvelope(envelope -> {
            if (envelope.kind().operation().equals("response")) {
                answers.add(envelope);
            }
        });
        request(
                alice,
                "r1",
                "mcp.request.tools/call:large",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"large\"}}");
        Envelope answer = answers.poll(20, TimeUnit.SECONDS);
        assertThat(answer).isNotNull();
        assertThat(answer.payload().toString()).contains("isError", "exceeds the gateway's size limit");
    }

    @Test
    void aToolThatIsNotThereIsAnsweredForToo() {
        clientTestServer.join("files").serve(new Tools());
        clientTestServer.join("alice").review(proposal -> Decision.approve().runBy("files"));
        assertThat(run("other"))
                .isInstanceOfSatisfying(
                        End.Failed.class, end -> assertThat(end.text()).contains("unknown tool 'other'"));
    }

    @Test
    void whatCameBeforeThereWereToolsIsAnswered() throws Exception {
        Participant files = clientTestServer.join("files");
        BlockingQueue<Envelope> came = new LinkedBlockingQueue<>();
        files.onEnvelope(envelope -> {
            if (envelope.kind().operation().equals("request")) {
                came.add(envelope);
            }
        });
        clientTestServer.join("alice").review(proposal -> Decision.approve().runBy("files"));
        var pending = clientTestServer.join("helper").propose(Call.tool("late")).send();
        assertThat(came.poll(10, TimeUnit.SECONDS)).isNotNull();
        files.serve(new Tools()
                .tool("late", request -> Answer.text("for " + request.proposal().orElseThrow())));
        assertThat(((End.Succeeded) pending.await()).text()).isEqualTo("for " + pending.id());
        assertThatThrownBy(() -> files.serve(new Tools())).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void plainRequestsAreAnsweredAndToolsListed() throws Exception {
        clientTestServer
                .join("files")
                .serve(new Tools()
                        .tool(
                                "read",
                                "reads a file",
                                Json.parse("{\"type\":\"object\"}").orElseThrow(),
                                request -> {
                                    return Answer.text(request.from());
                                }));
        Participant alice = clientTestServer.join("alice");
        BlockingQueue<Json> answers = new LinkedBlockingQueue<>();
        alice.onEnvelope(envelope -> {
            if (envelope.kind().operation().equals("response")) {
                answers.add(Json.parse(envelope.payload().toString()).orElseThrow());
            }
        });
        request(alice, "q1", "mcp.request.tools/list", "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"tools/list\"}");
        Json list = answers.poll(10, TimeUnit.SECONDS);
        assertThat(list.at("id").text()).isEqualTo("a");
        assertThat(list.at("result").at("tools").elements().getFirst().compact())
                .isEqualTo(
                        "{\"name\":\"read\",\"description\":\"reads a file\",\"inputSchema\":{\"type\":\"object\"}}");
        // A notification gets no answer; the call after it does.
        request(alice, "q2", "mcp.request.tools/list", "{\"jsonrpc\":\"2.0\",\"method\":\"tools/list\"}");
        request(
                alice,
                "q3",
                "mcp.request.tools/call:read",
                "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":\"read\"}}");
        Json answer = answers.poll(10, TimeUnit.SECONDS);
        assertThat(answer.at("id").raw()).isEqualTo("3");
        assertThat(answer.at("result").raw()).contains("alice");
    }

    private static void request(Participant from, String id, String kind, String payload) {
        from.send(
                        EnvelopeDraft.of(id, Kind.of(kind)).withRecipients(List.of("files")),
                        Json.parse(payload).orElseThrow())
                .join();
    }
}
