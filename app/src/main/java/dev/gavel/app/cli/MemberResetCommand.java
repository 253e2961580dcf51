package dev.gavel.app.cli;

import dev.gavel.client.http.RemoteException;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Makes a member again what the configuration says. */
@Command(
        name = "reset",
        description = "Make a member again what the configuration says.",
        footer = {
            "  gavel member reset ops helper",
        })
final class MemberResetCommand extends InTopicCommand {
    @Parameters(index = "1", paramLabel = "NAME", description = "Who.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String name;

    @Override
    protected int run(Client client) throws RemoteException, InterruptedException {
        Json member = client.gateway().resetMember(topic(), name);
        client.screen()
                .line(
                        member.at("capabilities").there()
                                ? SafeText.line(name) + " may send in " + topic() + ", as configured: "
                                        + CapabilityText.of(member.at("capabilities"))
                                : SafeText.line(name) + " is no member of " + topic() + ", as configured");
        client.screen().document(member.raw());
        return ExitCode.DONE;
    }
}
