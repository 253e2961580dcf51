package dev.gavel.cli.topic;

import dev.gavel.cli.ClientCommandContext;
import dev.gavel.cli.CommandException;
import dev.gavel.cli.CommandOutput;
import dev.gavel.cli.DurationTextFormat;
import dev.gavel.cli.ExitCode;
import dev.gavel.cli.RateLimitRetry;
import dev.gavel.cli.TerminalStyle;
import dev.gavel.cli.TextTable;
import dev.gavel.cli.TopicClientCommand;
import dev.gavel.cli.proposal.MemberNameFormatter;
import dev.gavel.client.http.CallListQuery;
import dev.gavel.client.http.RemoteGatewayException;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code gavel calls} command: lists the recorded calls of a topic. */
@Command(
        name = "calls",
        description = "List the calls in a topic and their outcomes, newest first.",
        footer = {
            "  gavel calls main --by agent --since 1h   what an agent did in the last hour",
            "  gavel calls main --outcome error         calls that failed",
        })
public final class CallsCommand extends TopicClientCommand {
    private static final List<String> OUTCOMES =
            List.of("ok", "error", "undelivered", "left", "timeout", "cancelled", "unanswered", "unknown");
    private static final int PAGE_SIZE = 200;
    private static final double MICROS_PER_MILLI = 1000.0;

    @Option(names = "--by", paramLabel = "NAME", description = "Only calls by this participant.")
    private @Nullable String by;

    @Option(names = "--to", paramLabel = "NAME", description = "Only calls to this participant.")
    private @Nullable String to;

    @Option(names = "--name", paramLabel = "NAME", description = "Only calls of this tool, prompt or resource.")
    private @Nullable String name;

    @Option(names = "--proposal", paramLabel = "ID", description = "Only calls that ran because of this proposal.")
    private @Nullable String proposal;

    @Option(
            names = "--outcome",
            paramLabel = "OUTCOME",
            description =
                    "Only calls with this outcome: ok, error, undelivered, left, timeout, cancelled, unanswered or"
                            + " unknown.")
    private @Nullable String outcome;

    @Option(names = "--since", paramLabel = "TIME", description = "Only calls in the last TIME, such as 1h or 2d.")
    private @Nullable String since;

    @Option(
            names = "--limit",
            paramLabel = "N",
            description = "Maximum number of results. Default: 50.",
            defaultValue = "50")
    private int limit;

    @Override
    protected int run(ClientCommandContext clientCommandContext) throws RemoteGatewayException, InterruptedException {
        if (outcome != null) {
            requireOneOf(OUTCOMES, outcome, "outcome");
        }
        if (limit < 1) {
            throw new CommandException(ExitCode.USAGE, "--limit must be at least 1");
        }
        Map<String, String> filters = filters();
        List<Json> calls = new ArrayList<>();
        List<Json> gaps = new ArrayList<>();
        Map<String, Json> names = new TreeMap<>();
        Optional<String> cursor = Optional.empty();
        do {
            CallListQuery query = new CallListQuery(filters, cursor, Math.min(PAGE_SIZE, limit - calls.size()));
            Json page =
                    RateLimitRetry.retry(() -> clientCommandContext.gateway().calls(topic(), query));
            calls.addAll(page.at("calls").elements());
            gaps.addAll(page.at("gaps").elements());
            names.putAll(page.at("names").members());
            cursor = page.at("cursor").asText();
        } while (cursor.isPresent() && calls.size() < limit);
        print(clientCommandContext.output(), calls, gaps, cursor, Json.object(names));
        return ExitCode.SUCCESS;
    }

    private Map<String, String> filters() {
        Map<String, String> filters = new LinkedHashMap<>();
        put(filters, "by", by);
        put(filters, "to", to);
        put(filters, "name", name);
        put(filters, "proposal", proposal);
        put(filters, "outcome", outcome);
        if (since != null) {
            Instant time = DurationTextFormat.parse(since)
                    .map(span -> Instant.now().minus(span))
                    .orElseThrow(() ->
                            new CommandException(ExitCode.USAGE, "--since must be " + DurationTextFormat.EXPECTED));
            put(filters, "after", time.toString());
        }
        return filters;
    }

    private static void put(Map<String, String> filters, String filter, @Nullable String value) {
        if (value != null) {
            filters.put(filter, value);
        }
    }

    private void print(
            CommandOutput commandOutput, List<Json> calls, List<Json> gaps, Optional<String> nextCursor, Json names) {
        commandOutput.printJson(Json.write(json -> {
                    json.writeStartObject();
                    json.writeArrayPropertyStart("calls");
                    calls.forEach(each -> json.writeRawValue(each.raw()));
                    json.writeEndArray();
                    json.writeArrayPropertyStart("gaps");
                    gaps.forEach(each -> json.writeRawValue(each.raw()));
                    json.writeEndArray();
                    nextCursor.ifPresent(cursor -> json.writeStringProperty("cursor", cursor));
                    if (!names.members().isEmpty()) {
                        json.writeName("names");
                        json.writeRawValue(names.raw());
                    }
                    json.writeEndObject();
                })
                .raw());
        if (calls.isEmpty()) {
            commandOutput.printLine("no recorded calls in " + topic());
        } else {
            printTable(commandOutput, calls, names);
        }
        gaps.forEach(gap -> commandOutput.printLine(describe(gap)));
        if (nextCursor.isPresent()) {
            commandOutput.printLine("there are more calls; use a larger --limit to show them");
        }
    }

    private static void printTable(CommandOutput commandOutput, List<Json> calls, Json names) {
        TextTable table = new TextTable(List.of("TIME", "BY", "TO", "CALL", "OUTCOME", "MS", "PROPOSAL"), 3);
        for (Json call : calls) {
            table.addRow(
                    call.at("outcome").text().equals("ok") ? TerminalStyle.PLAIN : TerminalStyle.OPEN,
                    List.of(
                            SafeText.line(call.at("at").text()),
                            MemberNameFormatter.nameWithId(names, call.at("by").text()),
                            call.at("to").texts().stream()
                                    .map(id -> MemberNameFormatter.nameWithId(names, id))
                                    .collect(Collectors.joining(", ")),
                            SafeText.line(call.at("name")
                                    .asText()
                                    .orElse(call.at("method").text())),
                            SafeText.line(call.at("outcome").text()),
                            call.at("micros").isPresent()
                                    ? millis(call.at("micros").asLong(0))
                                    : "-",
                            SafeText.line(call.at("proposal").asText().orElse("-"))));
        }
        table.print(commandOutput);
    }

    private static String millis(long micros) {
        return String.format(Locale.ROOT, "%.1f", micros / MICROS_PER_MILLI);
    }

    private static String describe(Json gap) {
        String records = gap.at("records").isPresent() ? gap.at("records").asLong(0) + " records" : "records";
        return "gap: " + records + " before " + SafeText.line(gap.at("at").text()) + " are missing. "
                + SafeText.line(gap.at("text").text());
    }
}
