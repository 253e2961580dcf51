package dev.gavel.app.cli.sep;

import dev.gavel.app.cli.Client;
import dev.gavel.sep.desk.Verb;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Has another proposal take the place of one. */
@Command(
        name = "supersede",
        description = "Have another SEP take the place of one.",
        footer = {
            "  gavel sep supersede 1286 --by 1391",
            "",
            "The document of the other must say 'Supersedes: N'.",
        })
final class SupersedeCommand extends AboutOneCommand {
    @Option(
            names = "--by",
            required = true,
            paramLabel = "M",
            converter = SepNumber.class,
            description = "The SEP that takes its place.")
    private int successor;

    @Option(names = "--reason", paramLabel = "REASON", description = "Why.")
    private @Nullable String reason;

    SupersedeCommand() {
        super(Verb.SUPERSEDE);
    }

    @Override
    Asking filled(Asking asking, Client client) {
        return asking.with("by", (long) successor).with("reason", reason);
    }
}
