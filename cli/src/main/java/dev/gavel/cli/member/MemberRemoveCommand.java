package dev.gavel.cli.member;

import dev.gavel.cli.ClientCommandContext;
import dev.gavel.cli.ExitCode;
import dev.gavel.cli.TokenSourcePolicy;
import dev.gavel.cli.TopicClientCommand;
import dev.gavel.client.http.RemoteGatewayException;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The {@code gavel member remove} command: removes a member from a topic. */
@Command(
        name = "remove",
        description = "Remove a member from a topic and close its connections.",
        footer = {
            "  gavel member remove ops helper",
        })
final class MemberRemoveCommand extends TopicClientCommand {
    @Parameters(index = "1", paramLabel = "NAME", description = "The member's name.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String name;

    @Override
    protected TokenSourcePolicy tokenPolicy() {
        return TokenSourcePolicy.LOGIN_REQUIRED;
    }

    @Override
    protected int run(ClientCommandContext clientCommandContext) throws RemoteGatewayException, InterruptedException {
        Json member = clientCommandContext.gateway().removeMember(topic(), name);
        clientCommandContext.output().printLine("removed " + SafeText.line(name) + " from " + topic());
        clientCommandContext.output().printJson(member.raw());
        return ExitCode.SUCCESS;
    }
}
