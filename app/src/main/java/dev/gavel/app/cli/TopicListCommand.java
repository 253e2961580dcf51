package dev.gavel.app.cli;

import dev.gavel.client.http.RemoteException;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.util.List;
import picocli.CommandLine.Command;

/** Lists the topics there are for whoever asks. */
@Command(
        name = "list",
        description = "List the topics you are a member of; an admin sees all.",
        footer = {
            "  gavel topic list",
            "  gavel topic list --json | jq -r '.topics[] | select(.open > 0) | .name'",
        })
final class TopicListCommand extends ClientCommand {
    @Override
    protected int run(Client client) throws RemoteException, InterruptedException {
        Json answer = client.gateway().topics();
        Screen screen = client.screen();
        screen.document(answer.raw());
        List<Json> topics = answer.at("topics").elements();
        if (topics.isEmpty()) {
            screen.line("no topic has you for a member; ask an admin for 'gavel member set'");
            return ExitCode.DONE;
        }
        Table table = new Table(List.of("TOPIC", "OPEN", "HERE", "YOU", "MAY SEND"), 4);
        for (Json topic : topics) {
            Json you = topic.at("you");
            boolean open = topic.at("open").number(0) > 0;
            table.row(
                    open ? Style.OPEN : Style.PLAIN,
                    List.of(
                            SafeText.line(topic.at("name").text()),
                            topic.at("ledger").isTrue() ? topic.at("open").text() : "-",
                            topic.at("participants").text(),
                            you.there() ? SafeText.line(you.at("id").text()) : "-",
                            you.there() ? CapabilityText.of(you.at("capabilities")) : "-"));
        }
        table.print(screen);
        return ExitCode.DONE;
    }
}
