package dev.gavel.app.cli.sep;

import dev.gavel.app.cli.Client;
import dev.gavel.sep.desk.Verb;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Hands a proposal on. */
@Command(
        name = "transfer",
        description = "Hand a SEP of yours on to another author; you stay a co-author.",
        footer = {
            "  gavel sep transfer 1286 bob",
            "  gavel sep transfer 1286 bob --leave    and be no author any more",
        })
final class TransferCommand extends AboutOneCommand {
    @Parameters(index = "1", paramLabel = "PERSON", description = "Whose it is from now on: a name or a handle.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String person;

    @Option(names = "--leave", description = "Be no author of it any more.")
    private boolean leave;

    @Option(names = "--role", paramLabel = "ROLE", description = "Which role, where it is not the usual one.")
    private @Nullable String role;

    TransferCommand() {
        super(Verb.TRANSFER);
    }

    @Override
    Asking filled(Asking asking, Client client) {
        return asking.with("to", person).with("leave", leave).with("role", role);
    }
}
