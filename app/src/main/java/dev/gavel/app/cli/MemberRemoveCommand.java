package dev.gavel.app.cli;

import dev.gavel.client.http.RemoteException;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Takes a member out of a topic. */
@Command(
        name = "remove",
        description = "Take a member out of a topic. Their connections end at once.",
        footer = {
            "  gavel member remove ops helper",
        })
final class MemberRemoveCommand extends InTopicCommand {
    @Parameters(index = "1", paramLabel = "NAME", description = "Who.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String name;

    @Override
    protected int run(Client client) throws RemoteException, InterruptedException {
        Json member = client.gateway().removeMember(topic(), name);
        client.screen().line(SafeText.line(name) + " is no member of " + topic() + " any more");
        client.screen().document(member.raw());
        return ExitCode.DONE;
    }
}
