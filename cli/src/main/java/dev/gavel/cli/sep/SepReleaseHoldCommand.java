package dev.gavel.cli.sep;

import dev.gavel.cli.ClientCommandContext;
import dev.gavel.sep.service.SepOperation;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code gavel sep release} command: resumes the decision on a SEP that was put on hold. */
@Command(
        name = "release",
        description = "Resume a decision that is on hold.",
        footer = {
            "  gavel sep release 1286",
        })
final class SepReleaseHoldCommand extends SingleSepCommand {
    @Option(names = "--reason", paramLabel = "REASON", description = "Reason.")
    private @Nullable String reason;

    SepReleaseHoldCommand() {
        super(SepOperation.RELEASE);
    }

    @Override
    SepApiRequest withArguments(SepApiRequest sepApiRequest, ClientCommandContext clientCommandContext) {
        return sepApiRequest.with("reason", reason);
    }
}
