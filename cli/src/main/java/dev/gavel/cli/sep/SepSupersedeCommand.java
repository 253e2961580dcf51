package dev.gavel.cli.sep;

import dev.gavel.cli.ClientCommandContext;
import dev.gavel.sep.service.SepOperation;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code gavel sep supersede} command: marks a SEP as superseded by another. */
@Command(
        name = "supersede",
        description = "Mark a proposal as superseded by another proposal.",
        footer = {
            "  gavel sep supersede 1286 --by 1391",
            "",
            "The document of the successor must contain the line 'Supersedes: N'.",
        })
final class SepSupersedeCommand extends SingleSepCommand {
    @Option(
            names = "--by",
            required = true,
            paramLabel = "M",
            converter = SepNumberConverter.class,
            description = "Number of the successor.")
    private int successor;

    @Option(names = "--reason", paramLabel = "REASON", description = "Reason.")
    private @Nullable String reason;

    SepSupersedeCommand() {
        super(SepOperation.SUPERSEDE);
    }

    @Override
    SepApiRequest withArguments(SepApiRequest sepApiRequest, ClientCommandContext clientCommandContext) {
        return sepApiRequest.with("by", (long) successor).with("reason", reason);
    }
}
