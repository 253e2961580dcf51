package dev.gavel.app.command;

import dev.gavel.app.TestServer;
import dev.gavel.client.Answer;
import dev.gavel.client.Gavel;
import dev.gavel.client.Participant;
import dev.gavel.client.Token;
import dev.gavel.client.Tools;
import dev.gavel.mcpx.EnvelopeDraft;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.proposal.EnvelopeIdGenerator;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A participant with the tool {@code write_file}, which records its calls and can change its definition. */
public final class TestToolParticipant implements AutoCloseable {
    private static final Kind LIST_CHANGED = Kind.of("mcp.request.notifications/tools/list_changed");

    private final List<String> ran = new CopyOnWriteArrayList<>();
    private final boolean readOnly;
    private final Participant participant;
    private volatile String entry = "";

    /** Connects the participant. A tool that is not read-only needs care. */
    public TestToolParticipant(String url, boolean readOnly) throws Exception {
        this.readOnly = readOnly;
        participant = Gavel.at(url)
                .token(Token.of("tools" + TestServer.SECRET))
                .topic("ops")
                .connect();
        participant.serve(new Tools()
                .tool("write_file", request -> {
                    ran.add(request.call().arguments().compact());
                    return Answer.text("written");
                })
                .method(
                        "tools/list",
                        _ -> Answer.result(
                                Json.parse("{\"tools\":[" + entry + "]}").orElseThrow())));
        describe("Writes a file.");
    }

    /** Changes the description of the tool, and announces the change. */
    public void describe(String description) {
        entry = """
            {"name":"write_file","description":"%s","annotations":{"readOnlyHint":%s},"inputSchema":{"type":"object",
            "properties":{"path":{"type":"string"},"text":{"type":"string"},"options":{"type":"object",
            "properties":{"recursive":{"type":"boolean"},"mode":{"type":"string"}},"required":["mode"]}},
            "required":["path"]}}""".formatted(description, readOnly);
        participant
                .send(
                        EnvelopeDraft.of(EnvelopeIdGenerator.next('n', Instant.now()), LIST_CHANGED),
                        Json.parse("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}")
                                .orElseThrow())
                .join();
    }

    /** The arguments of the calls that ran. */
    public List<String> ran() {
        return ran;
    }

    @Override
    public void close() {
        participant.close();
    }
}
