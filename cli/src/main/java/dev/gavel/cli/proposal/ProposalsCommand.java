package dev.gavel.cli.proposal;

import dev.gavel.cli.ClientCommandContext;
import dev.gavel.cli.CommandException;
import dev.gavel.cli.CommandOutput;
import dev.gavel.cli.DurationTextFormat;
import dev.gavel.cli.ExitCode;
import dev.gavel.cli.RateLimitRetry;
import dev.gavel.cli.TextTable;
import dev.gavel.cli.TopicClientCommand;
import dev.gavel.client.http.ProposalQuery;
import dev.gavel.client.http.RemoteGatewayException;
import dev.gavel.mcpx.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code gavel proposals} command: lists a topic's proposals. */
@Command(
        name = "proposals",
        description = "List a topic's proposals, newest first.",
        footer = {
            "  gavel proposals main --state open     proposals that wait for a decision",
            "  gavel proposals main --from agent     proposals from one participant",
        })
public final class ProposalsCommand extends TopicClientCommand {
    private static final List<String> STATES = List.of("open", "fulfilled", "rejected", "withdrawn", "expired");
    private static final int PAGE_SIZE = 50;

    @Option(
            names = "--state",
            paramLabel = "STATE",
            description = "Only proposals in this state: open, fulfilled, rejected, withdrawn or expired.")
    private @Nullable String state;

    @Option(names = "--from", paramLabel = "NAME", description = "Only proposals from this participant.")
    private @Nullable String from;

    @Option(
            names = "--limit",
            paramLabel = "N",
            description = "Maximum number of results. Default: 50.",
            defaultValue = "50")
    private int limit;

    @Override
    protected int run(ClientCommandContext clientCommandContext) throws RemoteGatewayException, InterruptedException {
        if (state != null) {
            requireOneOf(STATES, state, "state");
        }
        if (limit < 1) {
            throw new CommandException(ExitCode.USAGE, "--limit must be at least 1");
        }
        List<Json> proposals = new ArrayList<>();
        Optional<String> cursor = Optional.empty();
        do {
            ProposalQuery query = new ProposalQuery(
                    Optional.ofNullable(state),
                    Optional.ofNullable(from),
                    cursor,
                    Math.min(PAGE_SIZE, limit - proposals.size()));
            Json page =
                    RateLimitRetry.retry(() -> clientCommandContext.gateway().proposals(topic(), query));
            proposals.addAll(page.at("proposals").elements());
            cursor = page.at("cursor").asText();
        } while (cursor.isPresent() && proposals.size() < limit);
        print(clientCommandContext.output(), proposals, cursor);
        return ExitCode.SUCCESS;
    }

    private void print(CommandOutput commandOutput, List<Json> proposals, Optional<String> nextCursor) {
        commandOutput.printJson(Json.write(json -> {
                    json.writeStartObject();
                    json.writeArrayPropertyStart("proposals");
                    proposals.forEach(each -> json.writeRawValue(each.raw()));
                    json.writeEndArray();
                    nextCursor.ifPresent(cursor -> json.writeStringProperty("cursor", cursor));
                    json.writeEndObject();
                })
                .raw());
        if (proposals.isEmpty()) {
            commandOutput.printLine("no " + (state == null ? "" : state + " ") + "proposals in " + topic());
            return;
        }
        TextTable table = new TextTable(List.of("ID", "STATE", "FROM", "CALL", "AGE", "WAITING FOR"), 3);
        Instant now = Instant.now();
        for (Json proposal : proposals) {
            table.addRow(
                    ProposalTextFormatter.style(proposal),
                    List.of(
                            ProposalTextFormatter.id(proposal),
                            ProposalTextFormatter.state(proposal),
                            ProposalTextFormatter.nameWithId(
                                    proposal, proposal.at("from").text()),
                            ProposalTextFormatter.describeProposedCall(proposal),
                            ProposalTextFormatter.proposedAt(proposal)
                                    .map(at -> DurationTextFormat.format(Duration.between(at, now)))
                                    .orElse("-"),
                            ProposalTextFormatter.nextActors(proposal)));
        }
        if (table.print(commandOutput)) {
            commandOutput.printLine("some calls are shortened; 'gavel show " + topic() + " ID' shows all arguments");
        }
        if (nextCursor.isPresent()) {
            commandOutput.printLine("there are more proposals; use a larger --limit to show them");
        }
    }
}
