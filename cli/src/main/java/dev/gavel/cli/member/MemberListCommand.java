package dev.gavel.cli.member;

import dev.gavel.cli.ClientCommandContext;
import dev.gavel.cli.ExitCode;
import dev.gavel.cli.TerminalStyle;
import dev.gavel.cli.TextTable;
import dev.gavel.cli.TopicClientCommand;
import dev.gavel.cli.proposal.MemberNameFormatter;
import dev.gavel.client.http.RemoteGatewayException;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.util.List;
import picocli.CommandLine.Command;

/** The {@code gavel member list} command: lists a topic's members and their capabilities. */
@Command(
        name = "list",
        description = "List a topic's members and their capabilities.",
        footer = {
            "  gavel member list ops",
        })
final class MemberListCommand extends TopicClientCommand {
    @Override
    protected int run(ClientCommandContext clientCommandContext) throws RemoteGatewayException, InterruptedException {
        Json answer = clientCommandContext.gateway().members(topic());
        clientCommandContext.output().printJson(answer.raw());
        TextTable table = new TextTable(List.of("NAME", "CONNECTED", "SOURCE", "CAPABILITIES"), 3);
        for (Json member : answer.at("members").elements()) {
            boolean here = member.at("here").isTrue();
            table.addRow(
                    here ? TerminalStyle.GOOD : TerminalStyle.FAINT,
                    List.of(
                            MemberNameFormatter.nameWithId(
                                    answer.at("names"), member.at("id").text()),
                            here ? "yes" : "no",
                            SafeText.line(member.at("source").text()),
                            CommandLineCapabilityFormat.format(member.at("capabilities"))));
        }
        table.print(clientCommandContext.output());
        return ExitCode.SUCCESS;
    }
}
