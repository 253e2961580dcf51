package dev.gavel.app.cli;

import dev.gavel.client.http.Access;
import dev.gavel.mcp.relay.Relay;
import dev.gavel.mcp.session.Endpoint;
import dev.gavel.mcpx.Parsed;
import dev.gavel.mcpx.TopicName;
import dev.gavel.mcpx.text.SafeText;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A topic as an MCP server over standard input and output, for clients that only start commands. */
@Command(
        name = "mcp",
        description = "Serve a topic to an MCP client over standard input and output.",
        footer = {
            "  gavel mcp --topic main",
            "  gavel mcp --topic ops --url https://gavel.example.org --token file:token",
            "",
            "For MCP clients that only start commands; others are given the address",
            "http://HOST:PORT/mcp/TOPIC and a token. Nothing but MCP is written to standard",
            "output; what goes wrong is an answer there and a line on standard error.",
        })
final class McpCommand extends ClientCommand {
    @Option(names = "--topic", paramLabel = "TOPIC", required = true, description = "The topic's name.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String topic;

    @Override
    protected void check() {
        if (TopicName.parse(topic) instanceof Parsed.Invalid<TopicName>(String problem)) {
            throw new Complaint(ExitCode.USAGE, SafeText.line(problem));
        }
    }

    @Override
    protected int run(Client client) {
        Access access = client.gateway().access();
        Endpoint endpoint = new Endpoint(
                URI.create(access.url() + "/mcp/" + topic),
                access.token()
                        .map(token -> Map.of("Authorization", "Bearer " + token))
                        .orElse(Map.of()));
        // Standard output is the protocol's; whatever else would be printed must not get between its lines.
        try (OutputStream out = new FileOutputStream(FileDescriptor.out)) {
            System.setOut(System.err);
            Relay relay = new Relay(endpoint, System.in, out, client.screen()::warn);
            try (OnInterrupt _ = new OnInterrupt(() -> {
                relay.close();
                if (client.here().alone()) {
                    Runtime.getRuntime().halt(ExitCode.DONE);
                }
            })) {
                relay.run();
            }
        } catch (IOException e) {
            throw new Complaint(ExitCode.NO, "the client cannot be read from: " + Complaint.reason(e));
        }
        return ExitCode.DONE;
    }
}
