package dev.gavel.cli;

import dev.gavel.client.http.RemoteGatewayException;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.util.List;
import picocli.CommandLine.Command;

/** The {@code gavel health} command: asks a server whether it is ready. */
@Command(
        name = "health",
        description = "Check whether a server is ready. No token is needed.",
        footer = {
            "  gavel health",
            "  gavel health --url https://gavel.example.org",
            "",
            "The command prints the server's status. The exit code is 0 if the status is",
            "'ready'. It is 1 if the status is 'draining' (the server is shutting down),",
            "'ledger_away' or 'bus_away'. It is 3 if the server cannot be reached.",
        })
public final class HealthCommand extends ClientCommand {
    private static final String READY = "ready";

    @Override
    public List<String> tokenDescription() {
        return List.of("Not needed: every client can read the server's status.");
    }

    @Override
    protected int run(ClientCommandContext clientCommandContext) throws RemoteGatewayException, InterruptedException {
        Json health = clientCommandContext.gateway().health();
        String status = health.at("status").text();
        long undelivered = health.at("undeliveredMessages").asLong(0);
        clientCommandContext
                .output()
                .printJson(Json.write(json -> {
                            json.writeStartObject();
                            json.writeStringProperty("status", status);
                            if (undelivered > 0) {
                                json.writeNumberProperty("undeliveredMessages", undelivered);
                            }
                            json.writeEndObject();
                        })
                        .raw());
        clientCommandContext.output().printLine(SafeText.line(status));
        if (undelivered > 0) {
            clientCommandContext
                    .output()
                    .printLine((undelivered == 1 ? "1 message" : undelivered + " messages")
                            + " of bridged MCP servers could not be forwarded, because they were too large or not valid."
                            + " The log and the page Bridges of the console show the problem.");
        }
        return status.equals(READY) ? ExitCode.SUCCESS : ExitCode.FAILURE;
    }
}
