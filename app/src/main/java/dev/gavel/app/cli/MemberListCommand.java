package dev.gavel.app.cli;

import dev.gavel.client.http.RemoteException;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.util.List;
import picocli.CommandLine.Command;

/** Lists a topic's members. */
@Command(
        name = "list",
        description = "List a topic's members and what they may send.",
        footer = {
            "  gavel member list ops",
        })
final class MemberListCommand extends InTopicCommand {
    @Override
    protected int run(Client client) throws RemoteException, InterruptedException {
        Json answer = client.gateway().members(topic());
        client.screen().document(answer.raw());
        Table table = new Table(List.of("NAME", "HERE", "FROM", "MAY SEND"), 3);
        for (Json member : answer.at("members").elements()) {
            boolean here = member.at("here").isTrue();
            table.row(
                    here ? Style.GOOD : Style.FAINT,
                    List.of(
                            SafeText.line(member.at("id").text()),
                            here ? "here" : "away",
                            SafeText.line(member.at("source").text()),
                            CapabilityText.of(member.at("capabilities"))));
        }
        table.print(client.screen());
        return ExitCode.DONE;
    }
}
