package dev.gavel.cli.sep;

import dev.gavel.cli.ClientCommandContext;
import dev.gavel.cli.CommandException;
import dev.gavel.cli.ExitCode;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.sep.chart.Chart;
import dev.gavel.sep.chart.SvgChartRenderer;
import dev.gavel.sep.service.SepOperation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code gavel sep stats} command: prints statistics of the SEP process, and a chart if requested. */
@Command(
        name = "stats",
        description = "Show statistics about all specification proposals.",
        footer = {
            "  gavel sep stats",
            "  gavel sep stats --json | jq '.stuck[].number'",
            "  gavel sep stats --svg days.svg    also write a chart of the days in each state",
            "",
            "The statistics are the time in each state, throughput, first response,",
            "workload and stuck proposals. 'gavel sep board' shows all charts.",
        })
final class SepStatsCommand extends SepClientCommand {
    @Option(names = "--svg", paramLabel = "FILE", description = "File for a chart of the days in each state.")
    private @Nullable Path svg;

    SepStatsCommand() {
        super(SepOperation.STATS);
    }

    @Override
    SepApiRequest newRequest(ClientCommandContext clientCommandContext) {
        return newRequest();
    }

    @Override
    int printResponse(ClientCommandContext clientCommandContext, Json answer) {
        if (svg != null) {
            try {
                Files.writeString(
                        clientCommandContext.environment().directory().resolve(svg),
                        SvgChartRenderer.document(days(answer)),
                        StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new CommandException(
                        ExitCode.FAILURE,
                        "cannot write " + SafeText.line(svg.toString()) + ": "
                                + SafeText.line(CommandException.describe(e)));
            }
        }
        return super.printResponse(clientCommandContext, answer);
    }

    /**
     * A bar for each state: half of the SEPs have left the state by the end of its first part, nine of ten by the end
     * of its second part.
     */
    private static Chart days(Json stats) {
        List<Chart.Row> rows = new ArrayList<>();
        for (Json state : stats.at("states").elements()) {
            if (state.at("left").asLong(0) > 0) {
                double median = days(state, "medianDays", days(state, "longestDays", 0));
                double p90 = days(state, "p90Days", days(state, "longestDays", median));
                rows.add(new Chart.Row(
                        state.at("state").text(), List.of(median, Math.max(0, p90 - median)), median + " d"));
            }
        }
        return new Chart.Bars(
                "Time in each state",
                rows.stream().map(row -> row.label() + " " + row.note()).collect(Collectors.joining(", ")),
                List.of("50% have left", "90% have left"),
                rows);
    }

    private static double days(Json state, String name, double defaultValue) {
        Json days = state.at(name);
        return days.type() == Json.Type.NUMBER ? Math.max(0, Double.parseDouble(days.text())) : defaultValue;
    }
}
