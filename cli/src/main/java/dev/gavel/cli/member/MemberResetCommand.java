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

/**
 * The {@code gavel member reset} command: restores a member's capabilities from the configuration file, or removes the
 * member if the file does not name it.
 */
@Command(
        name = "reset",
        description = "Reset a member's capabilities to those in the configuration file.",
        footer = {
            "  gavel member reset ops helper",
        })
final class MemberResetCommand extends TopicClientCommand {
    @Parameters(index = "1", paramLabel = "NAME", description = "The member's name.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String name;

    @Override
    protected TokenSourcePolicy tokenPolicy() {
        return TokenSourcePolicy.LOGIN_REQUIRED;
    }

    @Override
    protected int run(ClientCommandContext clientCommandContext) throws RemoteGatewayException, InterruptedException {
        Json member = clientCommandContext.gateway().resetMember(topic(), name);
        clientCommandContext
                .output()
                .printLine(
                        member.at("capabilities").isPresent()
                                ? SafeText.line(name) + " has the configured capabilities in " + topic() + ": "
                                        + CommandLineCapabilityFormat.format(member.at("capabilities"))
                                : "removed " + SafeText.line(name) + " from " + topic() + ": not in the configuration");
        clientCommandContext.output().printJson(member.raw());
        return ExitCode.SUCCESS;
    }
}
