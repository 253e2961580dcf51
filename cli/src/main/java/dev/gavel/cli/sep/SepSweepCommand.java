package dev.gavel.cli.sep;

import dev.gavel.cli.ClientCommandContext;
import dev.gavel.sep.service.SepOperation;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code gavel sep sweep} command: carries out all due reminders, escalations and state changes of SEPs. */
@Command(
        name = "sweep",
        description = "Apply due deadlines: reminders, escalations, automatic moves.",
        footer = {
            "  gavel sep sweep --dry-run",
            "  gavel sep sweep --as-of 2027-01-31",
            "",
            "A running server sweeps automatically, by default every hour.",
        })
final class SepSweepCommand extends SepClientCommand {
    @Option(names = "--dry-run", description = "Only show what would be done.")
    private boolean dryRun;

    @Option(
            names = "--as-of",
            paramLabel = "DATE",
            description = "Only show what would be done at the end of this day (UTC), such as 2027-01-31.")
    private @Nullable String asOf;

    SepSweepCommand() {
        super(SepOperation.SWEEP);
    }

    @Override
    SepApiRequest newRequest(ClientCommandContext clientCommandContext) {
        return newRequest().with("dryRun", dryRun).with("asOf", asOf);
    }
}
