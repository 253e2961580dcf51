package dev.gavel.cli.sep;

import dev.gavel.cli.ClientCommandContext;
import dev.gavel.sep.service.SepOperation;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code gavel sep diff} command: shows the difference between two versions of a SEP's document. */
@Command(
        name = "diff",
        description = "Show what changed in the document of a proposal since the last vote or decision.",
        footer = {
            "  gavel sep diff 1286",
            "  gavel sep diff 1286 --from 3f2a9c1b70d4",
            "",
            "Without a vote or decision, the current document is compared with the version",
            "before it. 'gavel sep history N' lists the hashes of all versions.",
        })
final class SepDiffCommand extends SingleSepCommand {
    @Option(names = "--from", paramLabel = "HASH", description = "Hash of the earlier version, or its first 12 digits.")
    private @Nullable String from;

    @Option(
            names = "--to",
            paramLabel = "HASH",
            description = "Hash of the later version. By default the current document.")
    private @Nullable String to;

    SepDiffCommand() {
        super(SepOperation.DIFF);
    }

    @Override
    SepApiRequest withArguments(SepApiRequest sepApiRequest, ClientCommandContext clientCommandContext) {
        return sepApiRequest.with("from", from).with("to", to);
    }
}
