package dev.gavel.cli.sep;

import dev.gavel.cli.ClientCommandContext;
import dev.gavel.sep.service.SepOperation;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code gavel sep step-down} command: gives up the caller's role in a SEP, by default the sponsorship. */
@Command(
        name = "step-down",
        description = "Give up the sponsorship of a proposal, or another role in it.",
        footer = {
            "  gavel sep step-down 1286",
            "",
            "The proposal stays in its state.",
        })
final class SepStepDownCommand extends SingleSepCommand {
    @Option(names = "--role", paramLabel = "ROLE", description = "Role to give up. Default: the sponsor role.")
    private @Nullable String role;

    SepStepDownCommand() {
        super(SepOperation.STEP_DOWN);
    }

    @Override
    SepApiRequest withArguments(SepApiRequest sepApiRequest, ClientCommandContext clientCommandContext) {
        return sepApiRequest.with("role", role);
    }
}
