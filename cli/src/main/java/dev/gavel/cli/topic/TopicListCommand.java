package dev.gavel.cli.topic;

import dev.gavel.cli.ClientCommand;
import dev.gavel.cli.ClientCommandContext;
import dev.gavel.cli.CommandOutput;
import dev.gavel.cli.ExitCode;
import dev.gavel.cli.TerminalStyle;
import dev.gavel.cli.TextTable;
import dev.gavel.cli.member.CommandLineCapabilityFormat;
import dev.gavel.cli.proposal.MemberNameFormatter;
import dev.gavel.client.http.RemoteGatewayException;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.util.List;
import picocli.CommandLine.Command;

/** The {@code gavel topic list} command: lists the topics that the caller can see. */
@Command(
        name = "list",
        description = "List your topics. Admins see all topics.",
        footer = {
            "  gavel topic list",
            "  gavel topic list --json | jq -r '.topics[] | select(.open > 0) | .name'",
        })
final class TopicListCommand extends ClientCommand {
    @Override
    protected int run(ClientCommandContext clientCommandContext) throws RemoteGatewayException, InterruptedException {
        Json answer = clientCommandContext.gateway().topics();
        CommandOutput commandOutput = clientCommandContext.output();
        commandOutput.printJson(answer.raw());
        List<Json> topics = answer.at("topics").elements();
        if (topics.isEmpty()) {
            commandOutput.printLine("you are not a member of any topic; an admin can add you with 'gavel member set'");
            return ExitCode.SUCCESS;
        }
        String yourName = MemberNameFormatter.ofCaller(answer.at("you"));
        TextTable table = new TextTable(List.of("TOPIC", "OPEN", "CONNECTED", "YOUR NAME", "CAPABILITIES"), 4);
        for (Json topic : topics) {
            Json you = topic.at("you");
            boolean open = topic.at("open").asLong(0) > 0;
            table.addRow(
                    open ? TerminalStyle.OPEN : TerminalStyle.PLAIN,
                    List.of(
                            SafeText.line(topic.at("name").text()),
                            topic.at("ledger").isTrue() ? topic.at("open").text() : "-",
                            topic.at("participants").text(),
                            you.isPresent() ? yourName : "-",
                            you.isPresent() ? CommandLineCapabilityFormat.format(you.at("capabilities")) : "-"));
        }
        table.print(commandOutput);
        return ExitCode.SUCCESS;
    }
}
