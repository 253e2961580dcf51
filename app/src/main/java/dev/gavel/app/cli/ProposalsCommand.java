package dev.gavel.app.cli;

import dev.gavel.client.http.ProposalQuery;
import dev.gavel.client.http.RemoteException;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists a topic's proposals. */
@Command(
        name = "proposals",
        description = "List a topic's proposals, newest first.",
        footer = {
            "  gavel proposals main --state open     what is waiting for somebody",
            "  gavel proposals main --from agent     what one participant proposed",
        })
final class ProposalsCommand extends InTopicCommand {
    private static final List<String> STATES = List.of("open", "fulfilled", "rejected", "withdrawn", "expired");
    private static final int PAGE = 50;

    @Option(
            names = "--state",
            paramLabel = "STATE",
            description = "Only those that are open, fulfilled, rejected, withdrawn or expired.")
    private @Nullable String state;

    @Option(names = "--from", paramLabel = "NAME", description = "Only those that this participant proposed.")
    private @Nullable String from;

    @Option(names = "--limit", paramLabel = "N", description = "At most so many. Default: 50.", defaultValue = "50")
    private int limit;

    @Override
    protected int run(Client client) throws RemoteException, InterruptedException {
        if (state != null) {
            oneOf(STATES, state, "state");
        }
        if (limit < 1) {
            throw new Complaint(ExitCode.USAGE, "--limit must be at least 1");
        }
        List<Json> found = new ArrayList<>();
        Optional<String> cursor = Optional.empty();
        do {
            ProposalQuery query = new ProposalQuery(
                    Optional.ofNullable(state),
                    Optional.ofNullable(from),
                    cursor,
                    Math.min(PAGE, limit - found.size()));
            Json page = Patience.answer(() -> client.gateway().proposals(topic(), query));
            found.addAll(page.at("proposals").elements());
            cursor = page.at("cursor").ifText();
        } while (cursor.isPresent() && found.size() < limit);
        print(client.screen(), found, cursor);
        return ExitCode.DONE;
    }

    private void print(Screen screen, List<Json> found, Optional<String> more) {
        screen.document(Json.write(json -> {
                    json.writeStartObject();
                    json.writeArrayPropertyStart("proposals");
                    found.forEach(each -> json.writeRawValue(each.raw()));
                    json.writeEndArray();
                    more.ifPresent(cursor -> json.writeStringProperty("cursor", cursor));
                    json.writeEndObject();
                })
                .raw());
        if (found.isEmpty()) {
            screen.line("no " + (state == null ? "" : state + " ") + "proposals in " + topic());
            return;
        }
        Table table = new Table(List.of("ID", "STATE", "FROM", "WHAT", "AGE", "MOVE"), 3);
        Instant now = Instant.now();
        for (Json proposal : found) {
            table.row(
                    ProposalText.style(proposal),
                    List.of(
                            ProposalText.id(proposal),
                            ProposalText.state(proposal),
                            SafeText.line(proposal.at("from").text()),
                            ProposalText.what(proposal.at("payload")),
                            ProposalText.proposedAt(proposal)
                                    .map(at -> Durations.brief(Duration.between(at, now)))
                                    .orElse("-"),
                            ProposalText.move(proposal)));
        }
        table.print(screen);
        if (more.isPresent()) {
            screen.line("there are more: see them with a larger --limit");
        }
    }
}
