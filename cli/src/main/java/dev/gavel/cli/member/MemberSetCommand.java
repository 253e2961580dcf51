package dev.gavel.cli.member;

import dev.gavel.cli.ClientCommandContext;
import dev.gavel.cli.ExitCode;
import dev.gavel.cli.TokenSourcePolicy;
import dev.gavel.cli.TopicClientCommand;
import dev.gavel.client.http.RemoteGatewayException;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The {@code gavel member set} command: adds a member to a topic or changes its capabilities. */
@Command(
        name = "set",
        description = "Add a member to a topic, or replace a member's capabilities.",
        footer = {
            "  gavel member set ops bob --capability 'mcp.proposal.*' --capability 'chat.*'",
            "  gavel member set ops bob --capability '{\"kind\":\"mcp.request.tools/call:x*\"}'",
            "",
            "The new capabilities replace all earlier capabilities of the member. They apply",
            "at once, also to open connections, until you set or reset the member again.",
        })
final class MemberSetCommand extends TopicClientCommand {
    @Parameters(index = "1", paramLabel = "NAME", description = "The member's name.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String name;

    @Option(
            names = "--capability",
            paramLabel = "PATTERN",
            required = true,
            description = {
                "A pattern of what the member is allowed to send, such as",
                "'mcp.proposal.*', or a JSON object with kind and payload. Can be repeated."
            })
    private List<String> capabilities = new ArrayList<>();

    @Override
    protected TokenSourcePolicy tokenPolicy() {
        return TokenSourcePolicy.LOGIN_REQUIRED;
    }

    @Override
    protected int run(ClientCommandContext clientCommandContext) throws RemoteGatewayException, InterruptedException {
        CommandLineCapabilityFormat.warnAboutMistakes(capabilities, clientCommandContext.output());
        Json member = clientCommandContext
                .gateway()
                .setMember(topic(), name, CommandLineCapabilityFormat.parse(capabilities));
        clientCommandContext
                .output()
                .printLine(SafeText.line(name) + " has these capabilities in " + topic() + ": "
                        + CommandLineCapabilityFormat.format(member.at("capabilities")));
        clientCommandContext.output().printJson(member.raw());
        return ExitCode.SUCCESS;
    }
}
