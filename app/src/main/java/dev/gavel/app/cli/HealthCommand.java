package dev.gavel.app.cli;

import dev.gavel.client.http.RemoteException;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import picocli.CommandLine.Command;

/** Asks a server whether it is ready: for those who supervise one where there is no other program to ask with. */
@Command(
        name = "health",
        description = "Ask a server whether it is ready. No token is needed.",
        footer = {
            "  gavel health",
            "  gavel health --url https://gavel.example.org",
            "",
            "Exit code 0: ready. 1: it says why it is not (draining, ledger_away, …).",
            "3: nobody answers there.",
        })
final class HealthCommand extends ClientCommand {
    private static final String READY = "ready";

    @Override
    protected int run(Client client) throws RemoteException, InterruptedException {
        String word = client.gateway().readiness();
        client.screen()
                .document(Json.write(json -> {
                            json.writeStartObject();
                            json.writeStringProperty("status", word);
                            json.writeEndObject();
                        })
                        .raw());
        client.screen().line(SafeText.line(word));
        return word.equals(READY) ? ExitCode.DONE : ExitCode.NO;
    }
}
