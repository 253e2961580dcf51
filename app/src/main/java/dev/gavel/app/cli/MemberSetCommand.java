package dev.gavel.app.cli;

import dev.gavel.client.http.RemoteException;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes somebody a member, or changes what a member may do. */
@Command(
        name = "set",
        description = "Make somebody a member of a topic, or change what they may send there.",
        footer = {
            "  gavel member set ops bob --capability 'mcp.proposal.*' --capability 'chat.*'",
            "  gavel member set ops bob --capability '{\"kind\":\"mcp.request.tools/call:x*\"}'",
            "",
            "What they could do before is replaced. It holds at once, also for whoever is",
            "connected, and until it is set again or reset to what the configuration says.",
        })
final class MemberSetCommand extends InTopicCommand {
    @Parameters(index = "1", paramLabel = "NAME", description = "Who.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String name;

    @Option(
            names = "--capability",
            paramLabel = "PATTERN",
            required = true,
            description = "What they may send, such as 'mcp.proposal.*', or a JSON object of kind and payload. May be"
                    + " repeated.")
    private List<String> capabilities = new ArrayList<>();

    @Override
    protected int run(Client client) throws RemoteException, InterruptedException {
        Json member = client.gateway().setMember(topic(), name, CapabilityText.parse(capabilities));
        client.screen()
                .line(SafeText.line(name) + " may send in " + topic() + ": "
                        + CapabilityText.of(member.at("capabilities")));
        client.screen().document(member.raw());
        return ExitCode.DONE;
    }
}
